import { type LintedState, type Rule, statesOf, textOf } from "./definition.ts";

/** The names of what a Lambda is given, and of what it answers always. */
export interface Fields {
  readonly takes: readonly string[];
  readonly answers: readonly string[];
}

/** A Task gives its Lambda every field that the contract names and no other, and keeps just what the Lambda answers. */
export function fieldsAsAgreed(contract: Readonly<Record<string, Fields>>): Rule {
  return (machine) => statesOf(machine, "Task").flatMap(([name, state]) => problemsOf(name, state, contract[name]));
}

function problemsOf(name: string, state: LintedState, agreed: Fields | undefined): readonly string[] {
  if (agreed === undefined) return [`${name}: no contract`];
  const { Payload: payload } = (state["Parameters"] ?? {}) as { readonly Payload?: object };
  const selected = Object.entries(state["ResultSelector"] ?? {});
  return [
    ...difference(agreed.takes, pathsIn(payload)).map((field) => `${name}: ${field} is not given`),
    ...difference(pathsIn(payload), agreed.takes).map((field) => `${name}: ${field} is not asked for`),
    ...difference(agreed.answers, pathsIn(state["ResultSelector"])).map((field) => `${name}: ${field} is not kept`),
    ...selected
      .filter(([key, path]) => !agreed.answers.some((field) => key === `${field}.$` && path === `$.Payload.${field}`))
      .map(([key, path]) => `${name}: ${key} is ${textOf(path)}, which is not answered`),
  ];
}

/** Names of the fields that are filled by a path; one that is written out stands with its value. */
function pathsIn(template: unknown): readonly string[] {
  return Object.entries(template ?? {}).map(([key, value]) =>
    key.endsWith(".$") ? key.slice(0, -2) : `${key}: ${textOf(value)}`,
  );
}

function difference(all: readonly string[], known: readonly string[]): readonly string[] {
  return all.filter((one) => !known.includes(one));
}
