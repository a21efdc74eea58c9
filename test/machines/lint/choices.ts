import { type LintedMachine, type LintedState, recordsIn, statesOf, textOf } from "./definition.ts";

/** The values of `kind` that the Lambda of each Task returns. */
export type Kinds = Readonly<Record<string, readonly string[]>>;

const comparisons = new Set([
  "BooleanEquals",
  "StringEquals",
  "NumericEquals",
  "NumericGreaterThan",
  "NumericGreaterThanEquals",
  "NumericLessThan",
  "NumericLessThanEquals",
]);

/**
 * A Choice compares booleans, numbers, values of the input (`inputs`, by variable, or by the Choice and it), or the kinds that the Task before it
 * returns. It always has a Default.
 */
export function validChoices(kinds: Kinds, inputs: Kinds): (machine: LintedMachine) => readonly string[] {
  return (machine) =>
    statesOf(machine, "Choice").flatMap(([name, state]) => [
      ...(typeof state["Default"] === "string" ? [] : [`${name}: no Default`]),
      ...recordsIn(state["Choices"]).flatMap((rule) =>
        problemsOfRule(name, rule, tasksBefore(machine, name), { kinds, inputs }),
      ),
    ]);
}

type NamedState = readonly [string, LintedState];

function tasksBefore(machine: LintedMachine, choice: string): readonly NamedState[] {
  return statesOf(machine, "Task").filter(([, state]) => state["Next"] === choice);
}

function problemsOfRule(
  name: string,
  rule: Readonly<Record<string, unknown>>,
  before: readonly NamedState[],
  { kinds, inputs }: { readonly kinds: Kinds; readonly inputs: Kinds },
): readonly string[] {
  const { Variable: variable, Next: _next, Comment: _comment, ...comparison } = rule;
  const [operator = "nothing", ...more] = Object.keys(comparison);
  if (!comparisons.has(operator) || more.length > 0) {
    return [`${name}: compares by ${[operator, ...more].join(" and ")}`];
  }
  if (operator !== "StringEquals") return [];
  const value = textOf(comparison[operator]);
  const values = inputs[`${name} ${textOf(variable)}`] ?? inputs[textOf(variable)];
  if (values !== undefined) return values.includes(value) ? [] : [`${name}: ${textOf(variable)} is never "${value}"`];
  const producers = before.filter(([, task]) => `${textOf(task["ResultPath"])}.kind` === variable);
  if (producers.length === 0) return [`${name}: ${textOf(variable)} is not the kind that the Task before it returns`];
  return producers
    .filter(([task]) => kinds[task]?.includes(value) !== true)
    .map(([task]) => `${name}: ${task} never returns "${value}"`);
}
