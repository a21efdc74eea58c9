/** A state as it is in the file, before any check. */
export interface LintedState {
  readonly Type: string;
  readonly [field: string]: unknown;
}

export interface LintedMachine {
  readonly StartAt: string;
  readonly States: Readonly<Record<string, LintedState>>;
  readonly [field: string]: unknown;
}

/** Returns a message for each violation. */
export type Rule = (machine: LintedMachine) => readonly string[];

/** Returns the states of this type, also those of the children of a Map. */
export function statesOf(machine: LintedMachine, type: string): readonly (readonly [string, LintedState])[] {
  return Object.entries(machine.States).flatMap(([name, state]) => {
    const child = state["ItemProcessor"] as LintedMachine | undefined;
    const own = state.Type === type ? [[name, state] as const] : [];
    return child === undefined ? own : [...own, ...statesOf(child, type)];
  });
}

export function recordsIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? (value as Record<string, unknown>[]) : [];
}

/** Formats a value for a message. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
}

export function stringsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
