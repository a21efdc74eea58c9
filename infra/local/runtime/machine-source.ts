import { readFileSync } from "node:fs";
import type { Ports } from "../../../functions/task.ts";
import type { MachineSource } from "../step-functions/machine.ts";

/** The task of a handler, whatever its input is. */
type AnyTask = (ports: Ports, input: never) => Promise<unknown>;

/** The ASL file of this name that is deployed, as it is. */
export function readDefinition(machine: string): object {
  const file = new URL(`../../../state-machines/${machine}.asl.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")) as object;
}

/** A machine with `tasks` behind its states; `ports` is asked at each step. */
export function machineSource(
  machine: string,
  tasks: Readonly<Record<string, AnyTask>>,
  ports: () => Ports,
): MachineSource {
  const bound = Object.entries(tasks).map(([name, task]) => [
    name,
    (payload: unknown) => task(ports(), payload as never),
  ]);
  return { definition: readDefinition(machine), tasks: Object.fromEntries(bound) };
}
