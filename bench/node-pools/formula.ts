import type { Size, Times } from "./scenario.ts";

/** The cost of a rollout, calculated from the state machine and the rules: see bench/README.md. */
export interface PredictedCost {
  /** Groups of nodes that update one after another. */
  readonly waves: number;
  /** Rounds that end in a wait: `ReconcileNodes`, three Choices, `WaitForNodes`. */
  readonly rounds: number;
  /** Rounds that drain. */
  readonly drains: number;
  readonly executions: number;
  readonly transitions: number;
  /** Events of the execution with the most events. */
  readonly maxEvents: number;
  readonly requests: number;
}

/** Seconds between two checks: functions/domain/node-pool/step/wait-time.ts. */
const checkIntervalSeconds = { pods: 5, agent: 15, staging: 30 };
/** After the last one, an execution continues as new: functions/domain/execution/history-limit.ts. */
const maxRounds = 300;
const pageSize = 500;

/** Assumes that all nodes take the same time, and that the cluster has no other nodes. */
export function predictCost(size: Size, times: Times): PredictedCost {
  const waves = Math.ceil(size.nodes / maxUnavailableNodes(size));
  const drainsPerWave = Math.ceil(times.grace / checkIntervalSeconds.pods) + 1;
  const rebootChecksPerWave = Math.ceil((times.reboot - checkIntervalSeconds.pods) / checkIntervalSeconds.agent);
  const drains = waves * drainsPerWave;
  // One wait lasts until the nodes of a wave have stayed Ready for long enough.
  const rounds = Math.ceil(times.staging / checkIntervalSeconds.staging) + drains + waves * (rebootChecksPerWave + 1);
  const executions = Math.floor(rounds / (maxRounds - 1)) + 1;
  const share = Math.min(1, (maxRounds - 1) / rounds);
  const counts = { waves, rounds, drains, executions };
  return {
    ...counts,
    transitions: predictTransitions(counts),
    maxEvents: predictEvents(share * rounds, share * drains, executions > 1),
    requests: predictRequests(size, counts, drainsPerWave),
  };
}

function maxUnavailableNodes({ nodes, maxUnavailable }: Size): number {
  return typeof maxUnavailable === "number"
    ? maxUnavailable
    : Math.ceil((nodes * Number.parseInt(maxUnavailable, 10)) / 100);
}

type Counts = Pick<PredictedCost, "waves" | "rounds" | "drains" | "executions">;

/** A round enters 5 states, 6 if it drains; an execution 3 before its rounds and 2 after; a continue-as-new 2 and the end 3. */
function predictTransitions({ rounds, drains, executions }: Counts): number {
  return 5 * rounds + drains + 5 * executions + 2 * (executions - 1) + 3;
}

/** A Task adds 5 events, any other state 2, the execution itself 2. */
function predictEvents(rounds: number, drains: number, continuesAsNew: boolean): number {
  const [task, other] = [5, 2];
  const round = task + 4 * other;
  const beforeRounds = 1 + task + 2 * other;
  const afterRounds = task + other + task + (continuesAsNew ? other : 2 * other) + 1;
  return Math.round(rounds * round + drains * task + beforeRounds + afterRounds);
}

function predictRequests(size: Size, { waves, rounds, drains, executions }: Counts, drainsPerWave: number): number {
  const { nodes, pods } = size;
  const pages = Math.ceil(nodes / pageSize);
  // Lists pools, Nodes, BootcNodes and the pods of etcd in each round, and in the last step of each execution; reads the freezes while a node is behind.
  const fullListRequests = (rounds + executions) * (2 + 2 * pages) + rounds;
  // A round that drains lists them again, but only the cordoned Nodes.
  const cordonedListRequests = drains * (1 + pages + Math.ceil(maxUnavailableNodes(size) / pageSize));
  // request-image, acquire-slot, protect, cordon, approve, record-boot, uncordon, unprotect, release-slot, and the emitted events; 4 Events; a list of its
  // pods in each round.
  const perNode = 10 + 4 + drainsPerWave + pods;
  // Reads and writes: two per wave; when images are requested, staging and staged; the claim and its end.
  const poolRequests = 2 * (2 * waves + 3 + executions + 1);
  return fullListRequests + cordonedListRequests + nodes * perNode + poolRequests;
}
