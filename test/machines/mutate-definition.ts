import { expect, test } from "vitest";
import { readMachine } from "./asl-files.ts";
import type { LintedMachine, Rule } from "./lint/definition.ts";

interface InvalidCase {
  readonly when: string;
  /** The changed state; absent for the machine itself. */
  readonly state?: string;
  readonly change: Readonly<Record<string, unknown>>;
  readonly message: string;
}

function mutate({ state, change }: InvalidCase): LintedMachine {
  const machine = readMachine("workload-update");
  if (state === undefined) return { ...machine, ...change };
  return { ...machine, States: { ...machine.States, [state]: { Type: "Pass", ...machine.States[state], ...change } } };
}

/** Tests that a rule returns only the message for each machine: `workload-update` with one change. */
export function testRejections(rule: Rule, bad: readonly InvalidCase[]): void {
  test.for(bad)("$when", (one) => {
    expect(rule(mutate(one))).toEqual([one.message]);
  });
}
