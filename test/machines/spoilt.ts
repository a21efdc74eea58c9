import { expect, test } from "vitest";
import { readMachine } from "./asl-files.ts";
import type { LintedMachine, Rule } from "./lint/definition.ts";

interface Bad {
  readonly name: string;
  /** The state that is spoilt; left out, it is the machine itself. */
  readonly state?: string;
  readonly spoilt: Readonly<Record<string, unknown>>;
  readonly says: string;
}

function spoil({ state, spoilt }: Bad): LintedMachine {
  const good = readMachine("workload-update");
  if (state === undefined) return { ...good, ...spoilt };
  return { ...good, States: { ...good.States, [state]: { Type: "Pass", ...good.States[state], ...spoilt } } };
}

/** Tests that a rule says just this of each bad machine: `workload-update`, spoilt in one thing. */
export function rejects(rule: Rule, bad: readonly Bad[]): void {
  test.for(bad)("$name", (one) => {
    expect(rule(spoil(one))).toEqual([one.says]);
  });
}
