import { expect, test } from "vitest";
import { countFailure } from "../../../../functions/domain/workload/update/count-failure.ts";
import { restartTarget } from "../../../support/digest-workloads.ts";
import { image, updateTarget, workload } from "../../../support/workloads.ts";

const asked = { kind: "restart", image, request: "742d31" } as const;

test.for([
  { of: "an update", target: updateTarget, failedVersions: ["1.1.0"] },
  { of: "a restart by digest", target: restartTarget, failedVersions: [`prod@${restartTarget.digest}`] },
  { of: "a restart that a person asked for", target: asked, failedVersions: [] },
  {
    of: "an image without a tag and a digest",
    target: { kind: "image", image: "shop/web" } as const,
    failedVersions: [],
  },
])("$of is counted, and its own version is blamed: $failedVersions", ({ target, failedVersions }) => {
  const counted = { rollbackCount: 1, circuitOpen: false, failedVersions };
  expect(countFailure(workload(), target, 1)).toEqual(counted);
  expect(countFailure(workload({ updateRecord: { failedVersions } }), target, 1)).toEqual(counted);
});

test.for([
  { failures: 1, before: 1, circuitOpen: false },
  { failures: 1, before: 2, circuitOpen: true },
  { failures: 0, before: 3, circuitOpen: false },
] as const)("$failures more than $before of 3 failures opens the circuit: $circuitOpen", (one) => {
  const { failures, before, circuitOpen } = one;
  const found = workload({ updateRecord: { rollbackCount: before }, policy: { maxRollbacks: 3 } });
  expect(countFailure(found, updateTarget, failures)).toMatchObject({ circuitOpen, rollbackCount: before + failures });
});
