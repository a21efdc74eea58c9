import { type ParseError, invalid } from "../text/parse-error.ts";
import type { Comparison } from "./comparison/comparison.ts";

const operators = ["<", "<=", ">", ">=", "==", "!="] as const;
type Operator = (typeof operators)[number];

interface Relation {
  readonly operator: Operator;
  readonly operand: number;
}

/** Comparisons of a measured value with constants: an OR of ANDs. */
export interface MetricCondition {
  readonly kind: "condition";
  readonly text: string;
  readonly anyOf: readonly (readonly Relation[])[];
}

const relation = /^result\s*(<=|>=|==|!=|<|>)\s*([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?)$/;
const syntaxProblem =
  "is not a condition; use result < 0.01, with <, <=, >, >=, == or !=, and && or || between several";

/** How the value of a metric is judged. At least one of them is set; see `judge`. */
export interface Criterion {
  readonly success: MetricCondition | null;
  readonly failure: MetricCondition | null;
  /** How the value is compared with that of the stable pods; null compares with none. */
  readonly comparison: Comparison | null;
}

/** Parses `result < 0.01`, `result >= 0.9 && result <= 1`, `result < 1 || result > 5`; && binds closer than ||. */
export function parseCondition(text: string): MetricCondition | ParseError {
  const anyOf: Relation[][] = [];
  for (const alternative of text.split("||")) {
    const allOf: Relation[] = [];
    for (const part of alternative.split("&&")) {
      const parsed = parseRelation(part.trim());
      if (parsed === null) return invalid(part.trim() || text, syntaxProblem);
      allOf.push(parsed);
    }
    anyOf.push(allOf);
  }
  return { kind: "condition", text: text.trim(), anyOf };
}

/** Returns the condition of a threshold: a higher value fails. */
export function above(threshold: number): MetricCondition {
  return { kind: "condition", text: `result > ${threshold}`, anyOf: [[{ operator: ">", operand: threshold }]] };
}

/** Reports whether a finite value meets the condition. */
export function meets(value: number, { anyOf }: MetricCondition): boolean {
  return anyOf.some((allOf) => allOf.every(({ operator, operand }) => compare[operator](value, operand)));
}

const compare = {
  "<": (value, operand) => value < operand,
  "<=": (value, operand) => value <= operand,
  ">": (value, operand) => value > operand,
  ">=": (value, operand) => value >= operand,
  "==": (value, operand) => value === operand,
  "!=": (value, operand) => value !== operand,
} satisfies Record<Operator, (value: number, operand: number) => boolean>;

function parseRelation(text: string): Relation | null {
  const [, found, number] = relation.exec(text) ?? [];
  const operator = operators.find((known) => known === found);
  const operand = Number(number);
  return operator === undefined || !Number.isFinite(operand) ? null : { operator, operand };
}
