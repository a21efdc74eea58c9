import { expect, test } from "vitest";
import { optInProblems, readOptIn } from "../../../../functions/domain/workload/policy/opt-in.ts";
import { readAnnotations } from "../../../../functions/domain/workload/policy/policy-table.ts";

const byTag = "pawl.dev/auto-update";
const byConfig = "pawl.dev/restart-on-config-change";
const byDigest = "image-updater.eznix86.github.io/enabled";

/** `problems` are the annotations that they name, in order. */
test.for([
  { from: {}, recorded: "no", unrecorded: "no", problems: [] },
  { from: { [byTag]: "true" }, recorded: "yes", unrecorded: "yes", problems: [] },
  { from: { [byTag]: "false" }, recorded: "no", unrecorded: "no", problems: [] },
  { from: { [byTag]: "yes" }, recorded: "unclear", unrecorded: "unclear", problems: [byTag] },
  { from: { [byTag]: "false", [byConfig]: "true" }, recorded: "yes", unrecorded: "yes", problems: [] },
  { from: { [byTag]: "true", [byConfig]: "yes" }, recorded: "unclear", unrecorded: "unclear", problems: [byConfig] },
  { from: { [byTag]: "", [byConfig]: "" }, recorded: "unclear", unrecorded: "unclear", problems: [byTag, byConfig] },
  { from: { [byDigest]: "true" }, recorded: "yes", unrecorded: "yes", problems: [] },
  { from: { [byDigest]: "false" }, recorded: "no", unrecorded: "no", problems: [] },
  { from: { [byDigest]: "True" }, recorded: "unclear", unrecorded: "no", problems: [byDigest] },
  { from: { [byDigest]: "True", [byTag]: "true" }, recorded: "yes", unrecorded: "yes", problems: [] },
  {
    from: { [byDigest]: "True", [byTag]: "1" },
    recorded: "unclear",
    unrecorded: "unclear",
    problems: [byTag, byDigest],
  },
  { from: { "pawl.dev/auto-updat": "true" }, recorded: "unclear", unrecorded: "no", problems: [] },
  { from: { "pawl.dev/canray": "true" }, recorded: "no", unrecorded: "no", problems: [] },
  { from: { "pawl.dev/owner-of-this-service": "true" }, recorded: "no", unrecorded: "no", problems: [] },
])("$from: $recorded with a record, $unrecorded without", ({ from, recorded, unrecorded, problems }) => {
  expect([true, false].map((isRecorded) => readOptIn(readAnnotations(from), from, isRecorded))).toEqual([
    recorded,
    unrecorded,
  ]);
  const reported = optInProblems(readAnnotations(from), readOptIn(readAnnotations(from), from, true));
  expect(reported.map((problem) => problem.field)).toEqual(problems);
});

test("a long value is truncated", () => {
  const [problem] = optInProblems(readAnnotations({ [byTag]: `true (see ${"OPS-1234 ".repeat(1000)})` }), "unclear");
  expect(problem?.text).toBe(`${byTag} "true (see OPS-1234 OPS-1234 OPS…": is neither "true" nor "false"`);
});
