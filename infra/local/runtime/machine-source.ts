import { readFileSync } from "node:fs";
import type { Ports } from "../../../functions/contract/ports.ts";
import { retryStep } from "../../../functions/workflows/retry-on-conflict.ts";
import type { MachineSource } from "../step-functions/machine.ts";

/** The task of any handler. */
type AnyTask = (ports: Ports, input: never) => Promise<unknown>;

/** Reads the deployed ASL file of this name, as in the partition of commercial regions. */
export function readDefinition(machine: string): object {
  const file = new URL(`../../../state-machines/${machine}.asl.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8").replaceAll("${Partition}", "aws")) as object;
}

/** Creates the source of a machine whose states call `tasks`. `ports` is called at each step. */
export function createMachineSource(
  machine: string,
  tasks: Readonly<Record<string, AnyTask>>,
  ports: () => Ports,
): MachineSource {
  const bound = Object.entries(tasks).map(([name, task]) => [
    name,
    (payload: unknown) => retryStep(() => task(ports(), payload as never)),
  ]);
  return { definition: readDefinition(machine), tasks: Object.fromEntries(bound) };
}
