import { setTimeout as sleepMs } from "node:timers/promises";
import type { PollBudget } from "../../domain/budget/poll-budget.ts";
import type { Ports } from "../../contract/ports.ts";
import type { Gate } from "../../domain/gates/gate.ts";
import { withResumedBackOff } from "../../domain/workload/update/back-off.ts";
import type { Decision, Hold } from "../../domain/workload/decision/decision.ts";
import { isQuarantined } from "../../domain/workload/update/quarantine.ts";
import type { Workload } from "../../domain/workload/workload.ts";
import { type CheckRecorder, maxChecks } from "../../ports/check-recorder.ts";
import { Conflict } from "../../ports/errors.ts";
import { retryOnConflict } from "../retry-on-conflict.ts";
import { type ApplyPorts, type PollAction, applyDecision } from "./apply-decision.ts";
import { throwIfPastDeadline } from "./deadline.ts";
import type { StartLimiter } from "./start-limiter.ts";
import { createEvaluator } from "./evaluate/create-evaluator.ts";

/** The decision about one workload and the action that followed, or the error that prevented it. */
export type WorkloadResult =
  | { readonly workload: Workload; readonly decision: Decision; readonly action: PollAction }
  | { readonly workload: Workload; readonly error: Error };

/** What processing a workload needs of `Ports`. */
export type ProcessPorts = Pick<
  Ports,
  "cluster" | "registry" | "executions" | "checkRecorder" | "metricProvider" | "verifier" | "now"
> &
  Partial<Pick<Ports, "notificationTargets" | "limits">>;

const maxAttempts = 4;

/** What the workloads of a poll share. */
interface ProcessorOptions {
  readonly writes: WriteQueue;
  readonly budget: PollBudget;
  readonly signal: AbortSignal;
  readonly haltGate: Gate;
  readonly starts: Pick<StartLimiter, "request" | "fail">;
}

/**
 * Returns a function that evaluates one workload and applies the decision. Controllers write to their workloads all the time: a
 * workload that changed since it was listed is read and evaluated again. The function never throws. It returns null if the
 * deadline passed before anything was done.
 */
export function createWorkloadProcessor(
  ports: ApplyPorts & Omit<ProcessPorts, "executions">,
  { writes, budget, signal, haltGate, starts }: ProcessorOptions,
): (workload: Workload) => Promise<WorkloadResult | null> {
  const evaluate = createEvaluator(ports, signal, budget, () => [haltGate]);

  async function evaluateAndApply(current: Workload): Promise<WorkloadResult> {
    const workload = withResumedBackOff(current, ports.now());
    const decision = await limitStart(workload, await evaluate(workload));
    const recorded =
      decision.kind === "adopt"
        ? "none"
        : await writes.record(current, () => ports.checkRecorder.record(current, decision));
    const action = await writes.start(workload, () => applyDecision(ports, workload, decision, recorded));
    if (typeof action !== "string") {
      await writes.record(current, () => ports.checkRecorder.record(current, action));
      return { workload, decision: action, action: "recorded" };
    }
    if (decision.kind !== "request") return { workload, decision, action };
    const answered = await readAgain(workload);
    // An older CRD drops the answer.
    if (answered.request?.token === decision.token)
      throw new Error(
        `${describe(workload)}: the answer to a request was not stored; install the CRDs of this version`,
      );
    if (isQuarantined(answered, ports.now())) return { workload, decision, action };
    return evaluateAndApply(answered);
  }

  /** What a person asked for does not wait for a place. */
  async function limitStart(workload: Workload, decision: Decision): Promise<Decision> {
    if (decision.kind !== "update" || decision.isRequested || workload.inFlight !== null) return decision;
    return (await starts.request(workload, decision)) ?? decision;
  }

  /** What is not recorded, the next poll finds again. */
  async function recordFailure(workload: Workload, { name }: Error): Promise<void> {
    const held = starts.fail(workload, name);
    if (held === null) return;
    const write = (current: Workload) => writes.record(current, () => ports.checkRecorder.record(current, held));
    await retryOnConflict({ attempts: 2, current: workload, read: () => readAgain(workload), write }).catch(
      () => undefined,
    );
  }

  async function readAgain({ ref }: Workload): Promise<Workload> {
    const current = await writes.run({ ref }, () => ports.cluster.read(ref));
    if (current === null) throw new Conflict(`${describe({ ref })} was deleted or recreated`);
    return current;
  }

  return async (workload) => {
    try {
      const read = () => readAgain(workload);
      return await retryOnConflict({ attempts: maxAttempts, current: workload, read, write: evaluateAndApply });
    } catch (error) {
      if (signal.aborted) return null;
      await recordFailure(workload, error as Error);
      return { workload, error: error as Error };
    }
  };
}

function describe({ ref }: Pick<Workload, "ref">): string {
  return `${ref.kind} ${ref.namespace}/${ref.name}`;
}

/** How many starts and reads before a retry run concurrently. */
const maxConcurrentWrites = 32;

/** How many records wait for the recorder, which bounds its writes itself: enough to fill its batches. */
const maxConcurrentRecords = 4 * maxChecks;

/** How long started work may take after the deadline. The remaining reserve is for the lease and the report. */
export const drainTimeoutMs = 20_000;

export interface WriteQueue {
  /** Queues and runs `work`. Throws `DeadlineExceeded` if the deadline passes before it starts, and what `work` throws. */
  run<Result>(workload: Pick<Workload, "ref">, work: () => Promise<Result>): Promise<Result>;
  /** The same for a call of the recorder. Throws `BudgetExceeded` if its namespace has written all it may. */
  record(workload: Pick<Workload, "ref">, work: () => Promise<Recorded>): Promise<Recorded>;
  /** The same for what may start an execution. */
  start(workload: Pick<Workload, "ref">, work: () => Promise<PollAction | Hold>): Promise<PollAction | Hold>;
  /** Resolves if all started work has ended, and at the latest after `drainTimeoutMs`. */
  drain(): Promise<unknown>;
}

type Recorded = Awaited<ReturnType<CheckRecorder["record"]>>;

function isStarted(action: PollAction | Hold): boolean {
  return action === "started" || action === "adopted";
}

export function createWriteQueue(budget: Pick<PollBudget, "createQueue" | "cause">, signal: AbortSignal): WriteQueue {
  const others = budget.createQueue(maxConcurrentWrites);
  const records = budget.createQueue(maxConcurrentRecords);
  const started = new Set<Promise<unknown>>();

  async function track<Result>(work: () => Promise<Result>): Promise<Result> {
    throwIfPastDeadline(signal);
    const result = work();
    started.add(result);
    try {
      return await result;
    } finally {
      started.delete(result);
    }
  }

  return {
    run: ({ ref }, work) => others.run(ref.namespace, () => track(work)),
    record: ({ ref: { namespace } }, work) =>
      records.run(namespace, () =>
        budget.cause(
          namespace,
          "records",
          () => track(work),
          (done) => done === "recorded",
        ),
      ),
    start: ({ ref: { namespace } }, work) =>
      others.run(namespace, () => budget.cause(namespace, "executions", () => track(work), isStarted)),
    drain: () => Promise.race([Promise.allSettled(started), sleepMs(drainTimeoutMs, undefined, { ref: false })]),
  };
}
