import { setImmediate } from "node:timers/promises";
import { createPollBudget, type PollBudget } from "../../../domain/budget/poll-budget.ts";
import type { Ports } from "../../../contract/ports.ts";
import type { LimitSettings } from "../../../domain/budget/limits.ts";
import type { Gate } from "../../../domain/gates/gate.ts";
import { recordedGates } from "../../../domain/gates/recorded-gates.ts";
import type { Decision } from "../../../domain/workload/decision/decision.ts";
import { reportUnknownTargets } from "../../../domain/workload/policy/unknown-targets.ts";
import type { Workload } from "../../../domain/workload/workload.ts";
import type { NamedWorkload, Remember } from "../../../ports/cluster.ts";
import type { AnalysisPorts } from "../../read-analysis.ts";
import { noDeadline, throwIfPastDeadline } from "../deadline.ts";
import { evaluateWorkload } from "./evaluate-workload.ts";
import { memoizeVerifier } from "./verify-decision.ts";
import type { EvaluationPorts } from "./evaluation-ports.ts";
import { memoizeRegistry } from "./memoize-registry.ts";

/** Reads of a cluster besides its list of workloads. */
const maxConcurrentReads = 16;

/** Without the names of the targets of notifications, those that workloads name are not checked. */
export type EvaluatorPorts = Pick<Ports, "cluster" | "registry" | "verifier" | "now"> &
  Pick<AnalysisPorts, "metricProvider"> &
  Partial<Pick<Ports, "notificationTargets">>;

/**
 * Returns a function that decides about workloads. Registries are asked for each thing once, and the cluster once for the logins
 * of workloads with the same pull secrets, for its freezes, for the ConfigMaps of a namespace, and for the content of each that has changed. It throws
 * what the registry and the cluster throw, and `DeadlineExceeded` if the deadline passes before the cluster is read.
 */
export function createEvaluator(
  ports: EvaluatorPorts,
  signal: AbortSignal = noDeadline(),
  budget: PollBudget = openBudget(),
  polledGatesOf: (workload: Workload) => readonly Gate[] = recordedGates,
): (workload: Workload) => Promise<Decision> {
  const reads = budget.createQueue(maxConcurrentReads);
  const queued = <Read>({ ref }: Pick<Workload, "ref">, read: () => Promise<Read>): Promise<Read> =>
    reads.run(ref.namespace, async () => {
      throwIfPastDeadline(signal);
      return read();
    });
  const pullSecrets = once(
    ({ ref, pull }: Workload) => JSON.stringify([ref.namespace, pull]),
    (workload) => queued(workload, () => ports.cluster.pullSecrets(workload)),
  );
  const readFreeze = once(
    () => "",
    () => ports.cluster.readFreeze(),
  );
  const identityProblem = once(
    (of: "approvals" | "requests") => of,
    (of) => ports.cluster.identityProblem(of),
  );
  const readNamed = once(
    ({ cluster: peer = null, kind, namespace, name }: NamedWorkload) => `${peer ?? ""}/${kind}/${namespace}/${name}`,
    (named) => ports.cluster.readNamed(named),
  );
  const remember = createMemory();
  const cluster: EvaluationPorts["cluster"] = {
    name: ports.cluster.name,
    haltPeers: ports.cluster.haltPeers ?? [],
    pullSecrets,
    runningDigests: (workload) => queued(workload, () => ports.cluster.runningDigests(workload)),
    readConfig: ({ ref }, config) => queued({ ref }, () => ports.cluster.readConfig(ref.namespace, config, remember)),
    readAnalysis: (workload, name) => queued(workload, () => ports.cluster.readAnalysis(workload, name)),
    readFreeze: () => readFreeze(null),
    identityProblem,
    readNamed,
    jobProblem: (workload, spec) => queued(workload, () => ports.cluster.jobProblem(workload, spec)),
  };
  const { metricProvider } = ports;
  const verifier = memoizeVerifier(ports.verifier);
  const evaluation = { cluster, registry: memoizeRegistry(ports.registry), verifier, metricProvider, budget };
  const { notificationTargets = null } = ports;
  return async (workload) => {
    const decision = await evaluateWorkload(evaluation, workload, ports.now(), polledGatesOf(workload));
    return notificationTargets === null ? decision : reportUnknownTargets(workload, decision, notificationTargets);
  };
}

/** Opens the budget of one poll. */
export function openBudget(settings?: LimitSettings): PollBudget {
  return createPollBudget({
    clock: () => performance.now(),
    cpuClock: threadMilliseconds,
    pause: () => setImmediate(),
    ...(settings === undefined ? {} : { settings }),
  });
}

/** The CPU time of this thread. Node.js 22 does not know it. */
function threadMilliseconds(): number {
  if (typeof process.threadCpuUsage !== "function") return performance.now();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Returns a function that reads once for each key. */
function once<Of, Result>(keyOf: (of: Of) => string, read: (of: Of) => Promise<Result>): (of: Of) => Promise<Result> {
  const results = new Map<string, Promise<Result>>();
  return (of) => {
    const key = keyOf(of);
    const result = results.get(key) ?? read(of);
    results.set(key, result);
    return result;
  };
}

/** Returns a memory of the configuration that was read. A failure is not remembered: a kubeconfig may have been rotated. */
function createMemory(): Remember {
  const results = new Map<string, Promise<unknown>>();
  return <Result>(key: string, read: () => Promise<Result>) => {
    const result = (results.get(key) as Promise<Result> | undefined) ?? read();
    results.set(key, result);
    result.catch(() => results.delete(key));
    return result;
  };
}
