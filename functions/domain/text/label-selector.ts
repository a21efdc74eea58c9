/** A label selector of Kubernetes, as written. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

type Expression = NonNullable<LabelSelector["matchExpressions"]>[number];
type Labels = Readonly<Record<string, string>>;

type Test = (value: string | undefined, values: readonly string[]) => boolean;

const tests: ReadonlyMap<string, Test> = new Map<string, Test>([
  ["In", (value, values) => value !== undefined && values.includes(value)],
  // An object without the label is not in the set either.
  ["NotIn", (value, values) => value === undefined || !values.includes(value)],
  ["Exists", (value) => value !== undefined],
  ["DoesNotExist", (value) => value === undefined],
]);

/** Reports whether labels meet every requirement; an empty selector matches all, an invalid one none. */
export function matchesSelector({ matchLabels = {}, matchExpressions = [] }: LabelSelector, labels: Labels): boolean {
  const label = (key: string) => (Object.hasOwn(labels, key) ? labels[key] : undefined);
  return (
    Object.entries(matchLabels).every(([key, value]) => label(key) === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => tests.get(operator)?.(label(key), values) ?? false)
  );
}

/** Returns why Kubernetes would reject a selector; null if it would not. */
export function invalidSelectorReason({ matchExpressions = [] }: LabelSelector): string | null {
  return matchExpressions.map(invalidExpressionReason).find((problem) => problem !== null) ?? null;
}

function invalidExpressionReason({ key, operator, values = [] }: Expression): string | null {
  if (!tests.has(operator)) {
    return `"${operator}" is not an operator: use ${[...tests.keys()].join(", ")}`;
  }
  const takesValues = operator === "In" || operator === "NotIn";
  if (takesValues === values.length > 0) return null;
  return `${operator} of "${key}" ${takesValues ? "needs values" : "takes no values"}`;
}
