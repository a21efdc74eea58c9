import { expect, test } from "vitest";
import { type LabelSelector, problemOfSelector, selects } from "../../functions/domain/label-selector.ts";

const labels = { role: "worker", zone: "a" };
const where = (operator: string, key: string, ...values: string[]): LabelSelector => ({
  matchExpressions: [values.length === 0 ? { key, operator } : { key, operator, values }],
});

test.for<[string, LabelSelector, boolean]>([
  ["nothing", {}, true],
  ["an equal label", { matchLabels: { role: "worker" } }, true],
  ["another value", { matchLabels: { role: "infra" } }, false],
  ["one of two labels", { matchLabels: { role: "worker", disk: "ssd" } }, false],
  ["a label of every object", { matchLabels: { toString: "x" } }, false],
  ["In", where("In", "zone", "a", "b"), true],
  ["In, of others", where("In", "zone", "b"), false],
  ["In, of a missing label", where("In", "disk", "ssd"), false],
  ["NotIn", where("NotIn", "zone", "b"), true],
  ["NotIn, of a missing label", where("NotIn", "disk", "ssd"), true],
  ["NotIn, of its own value", where("NotIn", "zone", "a"), false],
  ["Exists", where("Exists", "zone"), true],
  ["Exists, of a missing label", where("Exists", "constructor"), false],
  ["DoesNotExist", where("DoesNotExist", "disk"), true],
  ["DoesNotExist, of a label", where("DoesNotExist", "zone"), false],
  ["an unknown operator", where("Near", "zone", "a"), false],
  ["labels and expressions", { matchLabels: { role: "worker" }, ...where("In", "zone", "b") }, false],
])("%s", ([, selector, isSelected]) => {
  expect(selects(selector, labels)).toBe(isSelected);
});

test.for<[string, LabelSelector, RegExp | null]>([
  ["nothing", {}, null],
  ["In with values", where("In", "zone", "a"), null],
  ["Exists", where("Exists", "zone"), null],
  ["In without values", where("In", "zone"), /In of "zone" needs values/],
  ["Exists with values", where("Exists", "zone", "a"), /takes no values/],
  ["an operator of every object", where("toString", "zone"), /"toString" is not an operator: In, NotIn, Exists/],
])("the problem of %s", ([, selector, problem]) => {
  expect(problemOfSelector(selector) ?? "none").toMatch(problem ?? /^none$/);
});
