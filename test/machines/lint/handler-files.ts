import { type LintedMachine, statesOf } from "./definition.ts";

/** `CheckReadiness` is `check-readiness.ts`. */
export function handlerFileOf(state: string): string {
  return `${state.replaceAll(/(?<!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase()}.ts`;
}

/** Every Task of all machines has its file among `files`, and every file its Task. */
export function handlerFiles(machines: readonly LintedMachine[], files: readonly string[]): readonly string[] {
  const wanted = machines.flatMap((machine) => statesOf(machine, "Task").map(([name]) => handlerFileOf(name)));
  return [
    ...wanted.filter((file) => !files.includes(file)).map((file) => `no handler ${file}`),
    ...files.filter((file) => !wanted.includes(file)).map((file) => `no Task for ${file}`),
  ];
}
