import { Logger } from "@aws-lambda-powertools/logger";
import type { TaskInput, TaskName, TaskOutput } from "./contract.ts";
import type { Cluster } from "./ports/cluster.ts";
import type { Events } from "./ports/events.ts";
import type { Executions } from "./ports/executions.ts";
import type { Registry } from "./ports/registry.ts";
import { portsFromEnvironment } from "./wiring.ts";

/** Everything outside that a task may need, for the one cluster that it works on. */
export interface Ports {
  readonly cluster: Cluster;
  readonly registry: Registry;
  readonly executions: Executions;
  readonly events: Events;
  readonly now: () => Date;
}

/** One step of the machine: what it does, apart from where it runs. */
export type Task<Name extends TaskName> = (ports: Ports, input: TaskInput<Name>) => Promise<TaskOutput<Name>>;

const logger = new Logger({ serviceName: "pawl" });

/** Wraps a task as a Lambda. Ports are built at the first call and kept while the function is warm. */
export function lambda<Input extends { readonly cluster: string }, Output>(
  task: (ports: Ports, input: Input) => Promise<Output>,
): (input: Input) => Promise<Output> {
  return async (input) => {
    const about = aboutOf(input, task.name);
    try {
      const outcome = await task(await portsFromEnvironment(process.env, input.cluster), input);
      logger.info("done", { ...about, outcome });
      return outcome;
    } catch (error) {
      logger.error("failed", { ...about, error: error as Error });
      throw error;
    }
  };
}

/** What every log line carries, so that one search finds all that an execution did. */
function aboutOf(input: object & { cluster: string }, task: string) {
  const { workload, execution } = input as { workload?: unknown; execution?: unknown };
  return {
    task,
    cluster: input.cluster,
    ...(workload === undefined ? {} : { workload }),
    ...(execution === undefined ? {} : { execution }),
  };
}
