import { type LintedState, type Rule, statesOf, textOf } from "./definition.ts";

/** The names of the input fields of a Lambda, and of the output fields that it always returns. */
export interface Fields {
  readonly input: readonly string[];
  readonly output: readonly string[];
}

/** A Task passes exactly the input fields of its contract, and selects exactly the output fields. */
export function contractFields(contract: Readonly<Record<string, Fields>>): Rule {
  return (machine) => statesOf(machine, "Task").flatMap(([name, state]) => problemsOf(name, state, contract[name]));
}

function problemsOf(name: string, state: LintedState, fields: Fields | undefined): readonly string[] {
  if (fields === undefined) return [`${name}: no contract`];
  const { Payload: payload } = (state["Parameters"] ?? {}) as { readonly Payload?: object };
  const selected = Object.entries(state["ResultSelector"] ?? {});
  return [
    ...difference(fields.input, pathsIn(payload)).map((field) => `${name}: ${field} is not passed`),
    ...difference(pathsIn(payload), fields.input).map((field) => `${name}: ${field} is not an input field`),
    ...difference(fields.output, pathsIn(state["ResultSelector"])).map((field) => `${name}: ${field} is not selected`),
    ...selected
      .filter(([key, path]) => !fields.output.some((field) => key === `${field}.$` && path === `$.Payload.${field}`))
      .map(([key, path]) => `${name}: ${key} is ${textOf(path)}, which is not an output field`),
  ];
}

/** Returns the names of the fields that are set by a path. A constant field is listed with its value. */
function pathsIn(template: unknown): readonly string[] {
  return Object.entries(template ?? {}).map(([key, value]) =>
    key.endsWith(".$") ? key.slice(0, -2) : `${key}: ${textOf(value)}`,
  );
}

function difference(all: readonly string[], known: readonly string[]): readonly string[] {
  return all.filter((one) => !known.includes(one));
}
