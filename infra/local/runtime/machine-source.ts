import type { Ports } from "../../../functions/contract/ports.ts";
import { retryStep } from "../../../functions/workflows/retry-on-conflict.ts";
import { readDefinition } from "../../read-definition.ts";
import type { MachineSource } from "../step-functions/machine.ts";

/** The task of any handler. */
type AnyTask = (ports: Ports, input: never) => Promise<unknown>;

/** Returns a new copy of the definition of this name, as in the partition of commercial regions. */
export function readLocalDefinition(machine: string): object {
  return JSON.parse(readDefinition(machine).replaceAll("${Partition}", "aws")) as object;
}

/**
 * Creates the source of a machine whose states call `tasks`. `ports` is called at each step. `readPayload` returns the input of a task:
 * by default the payload is that.
 */
export function createMachineSource(
  machine: string,
  tasks: Readonly<Record<string, AnyTask>>,
  ports: () => Ports,
  readPayload: (payload: never) => unknown = (payload) => payload,
): MachineSource {
  const bound = Object.entries(tasks).map(([name, task]) => [
    name,
    (payload: unknown) => retryStep(() => task(ports(), readPayload(payload as never) as never)),
  ]);
  return { definition: readLocalDefinition(machine), tasks: Object.fromEntries(bound) };
}
