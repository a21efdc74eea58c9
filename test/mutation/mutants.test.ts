import { expect, test } from "vitest";
import { applyMutant, mutantsOf } from "./mutants.ts";

test.for([
  { source: "const a = b > 0;", mutants: ["const a = b >= 0;", "const a = b > 1;"] },
  { source: "const a = b && c;", mutants: ["const a = b || c;"] },
  { source: "const a = b ?? c;", mutants: ["const a = b;"] },
  { source: "const a = b ? c : d;", mutants: ["const a = !(b) ? c : d;"] },
  { source: "if (a === b) c();", mutants: ["if (!(a === b)) c();", "if (a !== b) c();"] },
  { source: "const a = { b: true } as const;", mutants: ["const a = { b: false } as const;"] },
  { source: "const a = b in c;", mutants: [] },
  { source: 'const a = "1 < 2";', mutants: [] },
  { source: "type A<B> = B extends true ? 1 : 2;", mutants: [] },
  { source: "function a(b: 1 | 2): true {}", mutants: [] },
])("the mutants of $source", ({ source, mutants }) => {
  expect(mutantsOf(source).map((mutant) => applyMutant(source, mutant))).toEqual(mutants);
});

test("a mutant has its line", () => {
  expect(mutantsOf("\n\nconst a = b < c;").map(({ line }) => line)).toEqual([3]);
});
