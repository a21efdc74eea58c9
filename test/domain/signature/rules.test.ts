import { describe, expect, test } from "vitest";
import { type ImageReference, parseImageReference } from "../../../functions/domain/image/reference.ts";
import { isEnforced, isRefused } from "../../../functions/domain/signature/outcome.ts";
import { type RuleScope, rulesFor } from "../../../functions/domain/signature/rule.ts";
import { parseJson } from "../../../functions/domain/text/parse-json.ts";

const rule: RuleScope = { repositories: ["ghcr.io/shop", "*.azurecr.io"], namespaces: ["shop"], mode: "enforce" };

test.for([
  { image: "ghcr.io/shop/web:1.0.0", namespace: "shop", matches: true },
  { image: "ghcr.io/shop:1.0.0", namespace: "shop", matches: true },
  { image: "ghcr.io/shop2/web:1.0.0", namespace: "shop", matches: false },
  { image: "x.azurecr.io/web:1.0.0", namespace: "shop", matches: true },
  { image: "ghcr.io/shop/web:1.0.0", namespace: "default", matches: false },
])("a rule for ghcr.io/shop in shop is for $image in $namespace: $matches", ({ image, namespace, matches }) => {
  const found = rulesFor([rule], parseImageReference(image) as ImageReference, namespace);
  expect(found).toEqual(matches ? [rule] : []);
});

test("a rule without namespaces is for all of them", () => {
  const all = { ...rule, namespaces: null };
  expect(rulesFor([all], parseImageReference("ghcr.io/shop/web:1") as ImageReference, "default")).toEqual([all]);
});

describe.for([
  { kind: "disabled", refused: false, enforced: false },
  { kind: "unmatched", refused: false, enforced: false },
  { kind: "warned", refused: false, enforced: false },
  { kind: "verified", refused: false, enforced: true },
  { kind: "unverified", refused: true, enforced: true },
  { kind: "unknown", refused: true, enforced: true },
] as const)("what is $kind", ({ kind, refused, enforced }) => {
  test(`is refused: ${refused}; only it may be written: ${enforced}`, () => {
    expect([isRefused({ kind }), isEnforced({ kind })]).toEqual([refused, enforced]);
  });
});

test("an execution of a version before it has no verification, and is neither", () => {
  expect([isRefused(undefined), isEnforced(undefined)]).toEqual([false, false]);
});

test.for([
  { text: `{"a":1}`, value: { a: 1 } },
  { text: "{", value: null },
])("the JSON $text", ({ text, value }) => {
  expect(parseJson(text)).toEqual(value);
});
