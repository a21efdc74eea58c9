import { expect, test } from "vitest";
import { versioningProblems } from "../../../../functions/domain/workload/decision/versioning-problems.ts";
import { rawPolicy } from "../../../support/raw-policy.ts";
import { workload } from "../../../support/workloads.ts";

const written = { runs: "1.25.3-alpine3.20", constraint: ">=1.0.0-0" };

test.for([
  { ...written, count: 1 },
  { ...written, constraint: "^1.2-alpine", count: 1 },
  { ...written, constraint: "<1 || ^1-0", count: 1 },
  { ...written, constraint: "^1", count: 0 },
  { ...written, constraint: ">=1.0.0-rc.1", count: 0 },
  { ...written, constraint: null, count: 0 },
  { ...written, constraint: "one", count: 0 },
  { ...written, runs: "1.25.3", count: 0 },
  { ...written, runs: "1.25.3-rc.1", count: 0 },
  { ...written, runs: "latest", count: 0 },
  { ...written, runs: "17-3.5", count: 1 },
  { ...written, runs: null, count: 0 },
  { ...written, versioning: "container" as const, count: 0 },
  { ...written, versioning: "semver" as const, count: 0 },
])(
  "$runs with $constraint and versioning $versioning has $count problems",
  ({ runs, constraint, count, ...policy }) => {
    const image = runs === null ? null : `app:${runs}`;
    const { versioning = null } = policy as { versioning?: "semver" | "container" };
    const subject = workload({ image, rollout: null, policy: { versionConstraint: constraint, versioning } });
    expect(versioningProblems(subject)).toHaveLength(count);
  },
);

test.for([
  {
    versioning: "semver" as const,
    texts: ["pawl.dev/variant: a tag of versioning semver has no variant; remove one of them"],
  },
  { versioning: "container" as const, texts: [] },
  { versioning: null, texts: [] },
])("a variant with versioning $versioning: $texts", ({ versioning, texts }) => {
  const subject = workload({ policy: { versioning, variant: "alpine*" } });
  expect(versioningProblems(subject).map(({ text }) => text)).toEqual(texts);
});

test("names the field, the variant and both choices", () => {
  const policy = { versionConstraint: ">=1.0.0-0" };
  const raw = rawPolicy({ versionConstraint: ">=1.0.0-0" });
  const subject = workload({ image: "app:1.25.3-alpine", policy, rawPolicy: raw });
  expect(versioningProblems(subject)).toEqual([
    {
      field: raw["versionConstraint"]?.place,
      code: "InvalidValue",
      text: expect.stringMatching(
        /^spec.*versionConstraint ">=1\.0\.0-0": it names a pre-release, and the running tag 1\.25\.3-alpine has the variant alpine, which is none; set pawl\.dev\/versioning to container .*, or to semver /,
      ),
    },
  ]);
});
