import { type LintedMachine, statesOf } from "./definition.ts";

/** Returns the file of a Task: `check-readiness.ts` for `CheckReadiness`. */
export function handlerFileOf(state: string): string {
  return `${state.replaceAll(/(?<!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase()}.ts`;
}

/** Checks that every Task has its file among `files`, and every file its Task. */
export function handlerFiles(machines: readonly LintedMachine[], files: readonly string[]): readonly string[] {
  const expected = machines.flatMap((machine) => statesOf(machine, "Task").map(([name]) => handlerFileOf(name)));
  return [
    ...expected.filter((file) => !files.includes(file)).map((file) => `no handler ${file}`),
    ...files.filter((file) => !expected.includes(file)).map((file) => `no Task for ${file}`),
  ];
}
