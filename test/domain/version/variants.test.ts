import { expect, test } from "vitest";
import { matchesVariant, parseVariants } from "../../../functions/domain/version/variants.ts";

test.for([
  { globs: "alpine*", variant: "alpine3.20", matches: true },
  { globs: "alpine*", variant: "slim-alpine", matches: false },
  { globs: "*alpine", variant: "slim-alpine", matches: true },
  { globs: "*-b?okworm", variant: "slim-bookworm", matches: true },
  { globs: "alpine3.2?", variant: "alpine3.2", matches: false },
  { globs: "alpine", variant: "alpine", matches: true },
  { globs: "alpine", variant: "alpine3", matches: false },
  { globs: "alpine**", variant: "alpine", matches: true },
  { globs: "a*b*c", variant: "abxbxc", matches: true },
  { globs: "a*b*c", variant: "abxbx", matches: false },
  { globs: "slim, alpine", variant: "alpine", matches: true },
  { globs: "*", variant: "", matches: true },
  { globs: "?*", variant: "", matches: false },
])("$globs matches $variant: $matches", ({ globs, variant, matches }) => {
  const variants = parseVariants(globs);
  if (variants.kind === "invalid") throw new Error(variants.reason);
  expect(matchesVariant(variants, variant)).toBe(matches);
});

test("a glob of many stars takes no time", () => {
  const variants = parseVariants("*a".repeat(500));
  if (variants.kind === "invalid") throw new Error(variants.reason);
  const start = performance.now();
  expect(matchesVariant(variants, "a".repeat(127))).toBe(false);
  expect(performance.now() - start).toBeLessThan(2000);
});

test.for(["alp|ne", "a, (b)", " , ", ""])("%s is invalid", (text) => {
  expect(parseVariants(text)).toMatchObject({ kind: "invalid", reason: expect.stringContaining("is not a variant") });
});
