import { expect, test } from "vitest";
import { policyGates } from "../../../functions/domain/gates/policy-gates.ts";
import { workload } from "../../support/workloads.ts";

const rule = { kind: "Deployment", namespace: "shop", name: "api" };

test.for([
  { policy: {}, gates: [] },
  { policy: { minimumReleaseAgeSeconds: 0, isVerifyRequired: false }, gates: ["minimumAge"] },
  { policy: { schedule: "0 3 * * *", approval: { count: 1 } }, gates: ["schedule", "approval"] },
  {
    policy: { windows: [{}], after: [rule], scan: {}, isVerifyRequired: true },
    gates: ["windows", "after", "scan", "signature"],
  },
])("the gates of a policy are $gates", ({ policy, gates }) => {
  expect(policyGates({ ...workload().policy, ...(policy as object) })).toEqual(gates);
});
