/** A function was invoked with something that it cannot work on. Says every field that is wrong. */
export class InputInvalid extends Error {
  override readonly name = "InputInvalid";
}

/** Says what is wrong with the value of a field; null where nothing is. */
export type Rule = (value: unknown, path: string) => string | null;

export const text: Rule = (value, path) =>
  typeof value === "string" && value !== "" ? null : `${path} must be a text that is not empty`;

/** Also an empty one. */
export const anyText: Rule = (value, path) => (typeof value === "string" ? null : `${path} must be a text`);

export const flag: Rule = (value, path) => (typeof value === "boolean" ? null : `${path} must be true or false`);

export const listOfTexts: Rule = (value, path) =>
  Array.isArray(value) && value.every((one) => typeof one === "string") ? null : `${path} must be a list of texts`;

/** Texts by name. */
export const textsByName: Rule = (value, path) =>
  typeof value === "object" && value !== null && Object.values(value).every((one) => typeof one === "string")
    ? null
    : `${path} must have texts by name`;

export function oneOf(allowed: readonly string[]): Rule {
  return (value, path) =>
    typeof value === "string" && allowed.includes(value) ? null : `${path} must be one of ${allowed.join(", ")}`;
}

/** May be left out, or null. */
export function nullable(rule: Rule): Rule {
  return (value, path) => (value === undefined || value === null ? null : rule(value, path));
}

/** An object with these fields; others are left alone, because a newer machine may send more than this version knows. */
export function fields(rules: Readonly<Record<string, Rule>>): Rule {
  return (value, path) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return `${path} must be an object`;
    const own: Readonly<Record<string, unknown>> = { ...value };
    const problems = Object.entries(rules).flatMap(([name, rule]) => {
      const problem = rule(own[name], path === "input" ? name : `${path}.${name}`);
      return problem === null ? [] : [problem];
    });
    return problems.length === 0 ? null : problems.join("; ");
  };
}

/** An object that keeps to the rule of its `kind`. */
export function byKind(rules: Readonly<Record<string, Rule>>): Rule {
  const withKind = fields({ kind: oneOf(Object.keys(rules)) });
  return (value, path) => {
    const { kind = "" }: { readonly kind?: string } = typeof value === "object" && value !== null ? value : {};
    return withKind(value, path) ?? rules[kind]?.(value, path) ?? null;
  };
}

export const workloadRef: Rule = fields({ apiVersion: text, kind: text, namespace: text, name: text, uid: text });

/** Of a step of the machine. */
export const stepInput: Rule = fields({
  cluster: text,
  workload: workloadRef,
  image: text,
  digests: nullable(anyText),
  execution: text,
  recovering: flag,
});

export const poolRef: Rule = fields({ name: text, uid: text });

/** Of a step of the machine of node pools. */
export const poolStepInput: Rule = fields({
  cluster: text,
  pool: poolRef,
  after: anyText,
  recovering: flag,
  execution: text,
});

/** Throws `InputInvalid` with everything that is wrong. */
export function assertInput(rule: Rule, input: unknown): void {
  const problem = rule(input, "input");
  if (problem !== null) throw new InputInvalid(problem);
}
