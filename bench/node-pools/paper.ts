import type { Size, Times } from "./scenario.ts";

/** What a rollout costs by the machine's own file and rules, before anybody has run it. */
export interface Paper {
  /** In so many groups, one after another. */
  readonly waves: number;
  /** Rounds that end in a wait: `StepNodes`, three Choices, `WaitForNodes`. */
  readonly rounds: number;
  /** Of these, the ones that drain. */
  readonly drains: number;
  readonly executions: number;
  readonly transitions: number;
  /** Of the execution that has most of them. */
  readonly mostEvents: number;
  readonly requests: number;
}

/** Seconds between two looks: functions/domain/node-pool/wait-seconds.ts. */
const looks = { pods: 5, agent: 15, staging: 30 };
/** The last of them hands over: functions/domain/node-pool/hand-over.ts. */
const mostTicks = 300;
const pageSize = 500;

/** For nodes that all take as long as one another, and a cluster of no other nodes. The times are simulated seconds. */
export function onPaper(size: Size, times: Times): Paper {
  const waves = Math.ceil(size.nodes / nodesAtOnce(size));
  const drainsOfWave = Math.ceil(times.grace / looks.pods) + 1;
  const rebootsOfWave = Math.ceil((times.reboot - looks.pods) / looks.agent);
  const drains = waves * drainsOfWave;
  const rounds = Math.ceil(times.staging / looks.staging) + drains + waves * rebootsOfWave;
  const executions = Math.floor(rounds / (mostTicks - 1)) + 1;
  const share = Math.min(1, (mostTicks - 1) / rounds);
  const counts = { waves, rounds, drains, executions };
  return {
    ...counts,
    transitions: transitionsOf(counts),
    mostEvents: eventsOf(share * rounds, share * drains, executions > 1),
    requests: requestsOf(size, counts, drainsOfWave),
  };
}

function nodesAtOnce({ nodes, maxUnavailable }: Size): number {
  return typeof maxUnavailable === "number"
    ? maxUnavailable
    : Math.ceil((nodes * Number.parseInt(maxUnavailable, 10)) / 100);
}

type Counts = Pick<Paper, "waves" | "rounds" | "drains" | "executions">;

/** A round enters 5 states, 6 where it drains; an execution 3 before its rounds and 2 after; a hand-over 2 and the end 3. */
function transitionsOf({ rounds, drains, executions }: Counts): number {
  return 5 * rounds + drains + 5 * executions + 2 * (executions - 1) + 3;
}

/** A Task leaves 5 events, any other state 2, an execution itself 2. */
function eventsOf(rounds: number, drains: number, handsOver: boolean): number {
  const [task, other] = [5, 2];
  const round = task + 4 * other;
  const beforeRounds = 1 + task + 2 * other;
  const afterRounds = task + other + task + (handsOver ? other : 2 * other) + 1;
  return Math.round(rounds * round + drains * task + beforeRounds + afterRounds);
}

function requestsOf(size: Size, { waves, rounds, drains, executions }: Counts, drainsOfWave: number): number {
  const { nodes, pods } = size;
  const pages = Math.ceil(nodes / pageSize);
  // A look lists pools, Nodes and BootcNodes: in each round, and in each execution's last step.
  const looksAtAll = (rounds + executions) * (1 + 2 * pages);
  // Where it drains, once more, but of the Nodes only those that are cordoned.
  const looksAtCordoned = drains * (1 + pages + Math.ceil(nodesAtOnce(size) / pageSize));
  // ask, take-slot, cordon, approve, uncordon, free-slot, and what is remembered; 4 Events; a list of its pods in each round.
  const perNode = 7 + 4 + drainsOfWave + pods;
  // Read and written, each: two a wave, and as nodes are asked, stage, and have staged; the claim, and its end.
  const ofPool = 2 * (2 * waves + 3 + executions + 1);
  return looksAtAll + looksAtCordoned + nodes * perNode + ofPool;
}
