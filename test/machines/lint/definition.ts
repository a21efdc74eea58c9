/** A state as its file writes it; nothing about it is believed before the lint has looked. */
export interface LintedState {
  readonly Type: string;
  readonly [field: string]: unknown;
}

export interface LintedMachine {
  readonly StartAt: string;
  readonly States: Readonly<Record<string, LintedState>>;
  readonly [field: string]: unknown;
}

/** One sentence for each thing that is not as design.md's list of features has it. */
export type Rule = (machine: LintedMachine) => readonly string[];

export function statesOf(machine: LintedMachine, type: string): readonly (readonly [string, LintedState])[] {
  return Object.entries(machine.States).filter(([, state]) => state.Type === type);
}

export function recordsIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? (value as Record<string, unknown>[]) : [];
}

/** How a value reads in a message. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
}

export function stringsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
