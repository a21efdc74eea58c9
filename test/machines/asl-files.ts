import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readLocalDefinition } from "../../infra/local/runtime/machine-source.ts";
import type { LintedMachine } from "./lint/definition.ts";

const root = join(import.meta.dirname, "..", "..");
const suffix = ".asl.yaml";

/** Uses features of AWS that the local engine does not have. */
export const fanOutMachine = "poll-fanout";

/** The names of all machines, from the names of their files. */
export const machineNames = readdirSync(join(root, "state-machines"))
  .filter((file) => file.endsWith(suffix))
  .map((file) => file.slice(0, -suffix.length));

/** Those that run in both engines. */
export const plainMachineNames = machineNames.filter((name) => name !== fanOutMachine);

/** Reads the definition of a machine in the partition `aws`. Each call returns a new object, because asl-validator modifies its input. */
export function readMachine(name: string): LintedMachine {
  return readLocalDefinition(name) as LintedMachine;
}

/** The poll invokes the recorders. */
const outsideMachines = new Set(["notify.ts", "record-check.ts", "record-pool.ts"]);

/** The files of all handlers that machines invoke. */
export const handlerFileNames = readdirSync(join(root, "functions", "handlers")).filter(
  (file) => !outsideMachines.has(file),
);
