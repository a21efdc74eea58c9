import { Logger } from "@aws-lambda-powertools/logger";
import type { TaskInput, TaskName, TaskOutput, UpdateInput } from "./contract.ts";
import { assertInput, poolStepInput, type Rule, stepInput } from "./input.ts";
import { measureStep } from "./measuring.ts";
import type { PoolInput, PoolTaskInput, PoolTaskName, PoolTaskOutput } from "./pool-contract.ts";
import type { Checks } from "./ports/checks.ts";
import type { Cluster } from "./ports/cluster.ts";
import type { Commands } from "./ports/commands.ts";
import type { Events } from "./ports/events.ts";
import type { Executions } from "./ports/executions.ts";
import type { Metrics } from "./ports/metrics.ts";
import type { MetricSources } from "./ports/metric-source.ts";
import type { NodePools } from "./ports/node-pools.ts";
import type { PoolChecks } from "./ports/pool-checks.ts";
import type { Polls } from "./ports/polls.ts";
import type { Registry } from "./ports/registry.ts";
import { portsFromEnvironment } from "./wiring.ts";

/** Everything outside that a task may need, for the one cluster that it works on. */
export interface Ports {
  readonly cluster: Cluster;
  readonly registry: Registry;
  readonly executions: Executions<UpdateInput>;
  readonly nodePools: NodePools;
  readonly poolExecutions: Executions<PoolInput>;
  readonly poolChecks: PoolChecks;
  readonly commands: Commands;
  /** Whether polls look at the cluster's node pools too. */
  readonly looksAtNodePools: boolean;
  /** How long what a pool's tag stands for is taken for granted. */
  readonly tagResolutionSeconds: number;
  readonly metricSource: MetricSources;
  readonly events: Events;
  readonly checks: Checks;
  readonly polls: Polls;
  readonly metrics: Metrics;
  readonly now: () => Date;
}

/** What a task may know of the function that runs it. */
export interface Invocation {
  /** Aborted while there is still time to put down what was done. */
  readonly outOfTime: AbortSignal;
  /** Writes a line to the function's log. */
  readonly warn: (message: string, about: object) => void;
}

/** What Lambda tells a function besides its input, as far as it is used. */
export interface LambdaContext {
  getRemainingTimeInMillis(): number;
}

/** One step of the machine: what it does, apart from where it runs. */
export type Task<Name extends TaskName> = (ports: Ports, input: TaskInput<Name>) => Promise<TaskOutput<Name>>;

/** One step of the machine of node pools. One that writes a lot stops when time is up, and goes on at the next step. */
export type PoolTask<Name extends PoolTaskName> = (
  ports: Ports,
  input: PoolTaskInput<Name>,
  invocation?: Partial<Invocation>,
) => Promise<PoolTaskOutput<Name>>;

const logger = new Logger({ serviceName: process.env["POWERTOOLS_SERVICE_NAME"] || "pawl" });

/** Wraps a step of the machine as a Lambda. How long a step may take is the machine's to say. */
export function lambda<Name extends TaskName>(task: Task<Name>): (input: TaskInput<Name>) => Promise<TaskOutput<Name>> {
  const step = lambdaOf(stepInput, task);
  return (input) => step(input);
}

/** Wraps a step of the machine of node pools as a Lambda. */
export function poolLambda<Name extends PoolTaskName>(
  task: PoolTask<Name>,
): (input: PoolTaskInput<Name>, context?: LambdaContext) => Promise<PoolTaskOutput<Name>> {
  return lambdaOf(poolStepInput, task);
}

/**
 * Wraps a task as a Lambda whose input keeps to `rule`. Ports are built at the first call and kept while the function is
 * warm. Every call leaves one line in the log, and its metrics.
 */
export function lambdaOf<Input extends { readonly cluster: string }, Output>(
  rule: Rule,
  task: (ports: Ports, input: Input, invocation: Invocation) => Promise<Output>,
): (input: Input, context?: LambdaContext) => Promise<Output> {
  return async (input, context) => {
    const about = { task: task.name, ...aboutOf(input) };
    try {
      assertInput(rule, input);
      const invocation = invocationOf(context, about);
      const withPorts = (ports: Ports) => task(ports, input, invocation);
      const outcome = await measured(withPorts, await portsFromEnvironment(process.env, input.cluster), input);
      logger.info("done", { ...about, outcome });
      return outcome;
    } catch (error) {
      logger.error("failed", { ...about, error: error as Error });
      throw error;
    }
  };
}

/** What is kept back of a function's time, at most; of a short one 15 %. */
const reserveMs = 45_000;

function invocationOf(context: LambdaContext | undefined, about: object): Invocation {
  const remainingMs = context?.getRemainingTimeInMillis() ?? Number.POSITIVE_INFINITY;
  const ms = Math.max(0, Math.floor(remainingMs - Math.min(reserveMs, remainingMs * 0.15)));
  return {
    outOfTime: Number.isFinite(ms) ? AbortSignal.timeout(ms) : new AbortController().signal,
    warn: (message, more) => logger.warn(message, { ...about, ...more }),
  };
}

async function measured<Output>(
  task: (ports: Ports) => Promise<Output>,
  ports: Ports,
  input: { readonly cluster: string },
): Promise<Output> {
  try {
    const outcome = await task(ports);
    measureStep(ports.metrics, input, outcome);
    return outcome;
  } catch (error) {
    ports.metrics.record("pawl_errors_total", 1, { error: error instanceof Error ? error.name : "unknown" });
    throw error;
  } finally {
    ports.metrics.flush();
  }
}

/** What every log line carries, so that one search finds all that an execution, or a push to a repository, did. */
function aboutOf(event: unknown) {
  const told: Readonly<Record<string, unknown>> = typeof event === "object" && event !== null ? { ...event } : {};
  const wanted = ["cluster", "workload", "pool", "execution", "repository", "tag"].filter(
    (name) => told[name] !== undefined,
  );
  return Object.fromEntries(wanted.map((name) => [name, told[name]]));
}
