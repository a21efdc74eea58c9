import { expect, test } from "vitest";
import { annotations } from "../../../../functions/domain/workload/policy/annotations.ts";
import {
  hasUnknownAnnotation,
  unknownAnnotationProblems,
} from "../../../../functions/domain/workload/policy/unknown-annotations.ts";

test.for([
  { name: "pawl.dev/canray", meant: "did you mean pawl.dev/canary?" },
  { name: "pawl.dev/auto-updat", meant: "did you mean pawl.dev/auto-update?" },
  { name: "pawl.dev/Schedule", meant: "did you mean pawl.dev/schedule?" },
  { name: "pawl.dev/max_rollbacks", meant: "did you mean pawl.dev/max-rollbacks?" },
  { name: "pawl.dev/containrs", meant: "did you mean pawl.dev/containers?" },
  { name: "pawl.dev/owner-of-this-service", meant: "remove it" },
  { name: "pawl.dev/toString", meant: "remove it" },
])("$name: $meant", ({ name, meant }) => {
  expect(unknownAnnotationProblems({ [name]: "x" })).toEqual([
    { field: name, code: "UnknownAnnotation", text: `${name}: is not an annotation of Pawl; ${meant}` },
  ]);
  expect(hasUnknownAnnotation({ [name]: "x" })).toBe(true);
});

test.for([
  ...Object.values(annotations),
  "example.com/canray",
  "canray",
  "other.pawl.dev/canray",
  "image-updater.eznix86.github.io/enabled",
])("%s is not reported", (name) => {
  expect(unknownAnnotationProblems({ [name]: "x" })).toEqual([]);
  expect(hasUnknownAnnotation({ [name]: "x" })).toBe(false);
});

test("of many, the first five are named", () => {
  const many = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`pawl.dev/other-setting-${index}`, ""]));
  const problems = unknownAnnotationProblems(many);
  expect(problems).toHaveLength(6);
  expect(problems.at(-1)?.text).toBe("2995 more annotations that Pawl does not know");
});
