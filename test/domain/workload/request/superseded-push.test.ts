import { expect, test } from "vitest";
import { decideWithoutTags } from "../../../../functions/domain/workload/decision/decide.ts";
import type { Hold } from "../../../../functions/domain/workload/decision/decision.ts";
import { recordCheck } from "../../../../functions/domain/workload/record/record-check.ts";
import { withdrawalChange } from "../../../../functions/domain/workload/update/claim.ts";
import { decide } from "../../../support/workloads/decide.ts";
import {
  canaryInFlight,
  canaryWorkload,
  inFlight,
  noon,
  updatingWorkload,
  workload,
  imageTarget,
} from "../../../support/workloads.ts";

const app = "registry.example/shop/app";
const pushed = { target: imageTarget(`${app}:1.0.0`), previousImage: `${app}:1.3.0` };
const parts = { image: `${app}:1.1.0`, source: `${app}:1.1.0`, updateRecord: { currentVersion: "1.3.0" } };

test("a person who pushed an older version and then set another one keeps that one", () => {
  const initial = updatingWorkload({ ...parts, inFlight: { ...inFlight, ...pushed } });
  const { change } = recordCheck(initial, decideWithoutTags(initial, noon) as Hold, noon);
  const after = workload({ ...parts, updateRecord: { ...parts.updateRecord, ...change?.updateRecord } });
  expect(decide(after, ["1.0.0", "1.1.0", "1.3.0"], noon)).toMatchObject({ kind: "hold", reason: "manual-change" });
});

test("so does one whose pushed version ran as a canary", () => {
  const initial = canaryWorkload({ ...parts, inFlight: { ...canaryInFlight, ...pushed } });
  const change = withdrawalChange(initial, "e-1");
  expect(change).toMatchObject({ inFlight: null, canary: null });
  const after = workload({ ...parts, updateRecord: { ...parts.updateRecord, ...change?.updateRecord } });
  expect(decide(after, ["1.0.0", "1.1.0", "1.3.0"], noon)).toMatchObject({ kind: "hold", reason: "manual-change" });
});
