import type { GenericSchema } from "valibot";
import {
  type PoolTaskInput,
  type PoolTaskName,
  type PoolTaskOutput,
  poolStepInput,
} from "../contract/node-pool-rollout.ts";
import type { Ports } from "../contract/ports.ts";
import type { Invocation, PoolTask, Task } from "../contract/task.ts";
import { assertInput } from "../contract/validate.ts";
import { stepInput, type TaskEvent, type TaskName, type TaskOutput } from "../contract/workload-update.ts";
import { toTaskInput } from "../contract/step-input.ts";
import { summarizeList } from "../domain/text/summarize-list.ts";
import type { Metrics } from "../ports/metrics.ts";
import { guardTask } from "../workflows/workload-update/guard-writes.ts";
import { retryStep } from "../workflows/retry-on-conflict.ts";
import { portsFromEnvironment } from "./compose-ports.ts";
import { logger } from "./logger.ts";

/** The part of the Lambda context that is used. */
export interface LambdaContext {
  getRemainingTimeInMillis(): number;
}

/** A function with the name that the log has. A bundler may rename the function, and keeps the key. */
type Named<Function> = Readonly<Record<string, Function>>;

/** Wraps a step of `workload-update` as a Lambda handler. The machine sets the timeout of each step. */
export function lambda<Name extends TaskName>(
  named: Named<Task<Name>>,
): (event: TaskEvent<Name>) => Promise<TaskOutput<Name>> {
  const [name, task] = onlyEntry(named);
  const step = createHandler(stepInput, { [name]: guardTask(task) });
  return (event) => step(toTaskInput(event));
}

/** Wraps a step of `node-pool-rollout` as a Lambda handler. */
export function poolLambda<Name extends PoolTaskName>(
  named: Named<PoolTask<Name>>,
): (input: PoolTaskInput<Name>, context?: LambdaContext) => Promise<PoolTaskOutput<Name>> {
  return createHandler(poolStepInput, named);
}

/**
 * Wraps a task as a Lambda handler whose input matches `schema`. The client of the cluster loads with the handler, because nearly every function
 * needs it, and Lambda gives a whole CPU until a handler is imported. The first invocation builds the ports, which are kept while the function
 * is warm. Every invocation writes one log line and its metrics.
 */
export function createHandler<Input extends { readonly cluster: string }, Output>(
  schema: GenericSchema,
  named: Named<(ports: Ports, input: Input, invocation: Invocation) => Promise<Output>>,
): (input: Input, context?: LambdaContext) => Promise<Output> {
  const [name, task] = onlyEntry(named);
  return async (input, lambdaContext) => {
    logger.resetKeys();
    logger.appendKeys({ task: name, ...logContext(input) });
    try {
      assertInput(schema, input);
      const invocation = createInvocation(lambdaContext);
      const withPorts = (ports: Ports) => task(ports, input, invocation);
      const outcome = await runWithMetrics(withPorts, await portsFromEnvironment(process.env, input.cluster), input);
      logger.info("task completed", { outcome });
      return outcome;
    } catch (error) {
      logger.error("task failed", { error: error as Error });
      throw error;
    }
  };
}

function onlyEntry<Function>(named: Named<Function>): [string, Function] {
  return Object.entries(named)[0] as [string, Function];
}

/** Time kept for recording results after the deadline: 15 % of the timeout, at most this. */
const maxReserveMs = 45_000;

/** Returns after how many milliseconds a function with this time starts nothing more. */
export function deadlineMs(remainingMs: number): number {
  return Math.max(0, Math.floor(remainingMs - Math.min(maxReserveMs, remainingMs * 0.15)));
}

function createInvocation(lambdaContext: LambdaContext | undefined): Invocation {
  const remainingMs = lambdaContext?.getRemainingTimeInMillis() ?? Number.POSITIVE_INFINITY;
  const ms = deadlineMs(remainingMs);
  return {
    signal: Number.isFinite(ms) ? AbortSignal.timeout(ms) : new AbortController().signal,
    warn: (message, details) => logger.warn(message, { ...details }),
  };
}

async function runWithMetrics<Output>(
  task: (ports: Ports) => Promise<Output>,
  ports: Ports,
  input: { readonly cluster: string },
): Promise<Output> {
  try {
    const outcome = await retryStep(() => task(ports));
    recordStepMetrics(ports.metrics, input, outcome);
    return outcome;
  } catch (error) {
    ports.metrics.record("pawl_errors_total", 1, { error: error instanceof Error ? error.name : "unknown" });
    throw error;
  } finally {
    flush(ports.metrics);
  }
}

/** Writes the metrics. A failure is logged: no step depends on them. */
function flush(metrics: Metrics): void {
  try {
    metrics.flush();
  } catch (error) {
    logger.error("metrics lost", { error: error as Error });
  }
}

/** Returns the fields of every log line, so that one query finds everything about an execution or a push to a repository. */
function logContext(event: unknown) {
  const fields: Readonly<Record<string, unknown>> = typeof event === "object" && event !== null ? { ...event } : {};
  const names = ["cluster", "workload", "pool", "execution"].filter((name) => fields[name] !== undefined);
  const { pushes } = fields;
  return {
    ...Object.fromEntries(names.map((name) => [name, fields[name]])),
    ...(Array.isArray(pushes) ? { repositories: summarizeList(pushes.map((push) => String(push?.repository))) } : {}),
  };
}

/** The step results that end an update. */
const results = { recorded: "success", "rolled-back": "rollback", "circuit-tripped": "rollback" } satisfies Partial<
  Record<TaskOutput<TaskName>["kind"], "success" | "rollback">
>;

/** Counts an update that a step has ended. Functions that are not steps have no execution and are not counted. */
export function recordStepMetrics(metrics: Metrics, input: object, outcome: unknown): void {
  const kind = typeof outcome === "object" && outcome !== null && "kind" in outcome ? String(outcome.kind) : "";
  if (!("execution" in input) || !Object.hasOwn(results, kind)) return;
  metrics.record("claw_autoupdate_updates_total", 1, { result: results[kind as keyof typeof results] });
}
