import { expect, test } from "vitest";
import {
  type LabelSelector,
  invalidSelectorReason,
  matchesSelector,
} from "../../../functions/domain/text/label-selector.ts";

const labels = { role: "worker", zone: "a" };
const expression = (operator: string, key: string, ...values: string[]): LabelSelector => ({
  matchExpressions: [values.length === 0 ? { key, operator } : { key, operator, values }],
});

test.for<[string, LabelSelector, boolean]>([
  ["nothing", {}, true],
  ["an equal label", { matchLabels: { role: "worker" } }, true],
  ["another value", { matchLabels: { role: "infra" } }, false],
  ["one of two labels", { matchLabels: { role: "worker", disk: "ssd" } }, false],
  ["a label of every object", { matchLabels: { toString: "x" } }, false],
  ["In", expression("In", "zone", "a", "b"), true],
  ["In, of others", expression("In", "zone", "b"), false],
  ["In, of a missing label", expression("In", "disk", "ssd"), false],
  ["NotIn", expression("NotIn", "zone", "b"), true],
  ["NotIn, of a missing label", expression("NotIn", "disk", "ssd"), true],
  ["NotIn, of its own value", expression("NotIn", "zone", "a"), false],
  ["Exists", expression("Exists", "zone"), true],
  ["Exists, of a missing label", expression("Exists", "constructor"), false],
  ["DoesNotExist", expression("DoesNotExist", "disk"), true],
  ["DoesNotExist, of a label", expression("DoesNotExist", "zone"), false],
  ["an unknown operator", expression("Near", "zone", "a"), false],
  ["labels and expressions", { matchLabels: { role: "worker" }, ...expression("In", "zone", "b") }, false],
])("%s", ([, selector, isSelected]) => {
  expect(matchesSelector(selector, labels)).toBe(isSelected);
});

test.for<[string, LabelSelector, RegExp | null]>([
  ["nothing", {}, null],
  ["In with values", expression("In", "zone", "a"), null],
  ["Exists", expression("Exists", "zone"), null],
  ["In without values", expression("In", "zone"), /In of "zone" needs values/],
  ["Exists with values", expression("Exists", "zone", "a"), /takes no values/],
  [
    "an operator of every object",
    expression("toString", "zone"),
    /"toString" is not an operator: use In, NotIn, Exists/,
  ],
])("invalidSelectorReason of %s", ([, selector, problem]) => {
  expect(invalidSelectorReason(selector) ?? "none").toMatch(problem ?? /^none$/);
});
