import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { LintedMachine } from "./lint/definition.ts";

const root = join(import.meta.dirname, "..", "..");
const suffix = ".asl.json";

/** Names of all machines, as their files are named. */
export const machineNames = readdirSync(join(root, "state-machines"))
  .filter((file) => file.endsWith(suffix))
  .map((file) => file.slice(0, -suffix.length));

/** The machine's file, read anew at each call: asl-validator writes into what it is given. */
export function readMachine(name: string): LintedMachine {
  return JSON.parse(readFileSync(join(root, "state-machines", `${name}${suffix}`), "utf8")) as LintedMachine;
}

/** The schedule calls the poll, and the poll has what it found recorded. */
const outsideMachines = new Set(["poll.ts", "record-check.ts", "record-pool.ts"]);

/** The files of all handlers that machines call. */
export const handlerFileNames = readdirSync(join(root, "functions", "handlers")).filter(
  (file) => !outsideMachines.has(file),
);
