import { describe, expect, test } from "vitest";
import { handler, recordCheck } from "../../functions/handlers/record-check.ts";
import type { RecordCheckInput } from "../../functions/ports/checks.ts";
import { fakePorts } from "../support/fake-ports.ts";
import { target, workload } from "../support/workloads.ts";
import { refusalBy } from "./refusing.ts";

const input: RecordCheckInput = {
  cluster: "production",
  workload: workload().ref,
  resourceVersion: "7",
  decision: { kind: "problem", problems: ["schedule: what?"] },
};
const hold = { kind: "hold", reason: "same-digest", detail: "as before", version: null, image: null };
const update: RecordCheckInput = { ...input, decision: { kind: "update", version: "1.1.0", image: target } };

test.for([
  { what: "a problem", asked: input, kind: "written", told: ["Update Held"] },
  { what: "an update", asked: update, kind: "written", told: ["Update Available"] },
  { what: "what was decided on an older state", asked: { ...input, resourceVersion: "6" }, kind: "changed", told: [] },
  { what: "an update on an older state", asked: { ...update, resourceVersion: "6" }, kind: "changed", told: [] },
  {
    what: "an object that is gone",
    asked: { ...input, workload: { ...input.workload, uid: "u-9" } },
    kind: "changed",
    told: [],
  },
])("$what is $kind", async ({ asked, kind, told }) => {
  const ports = fakePorts({ workloads: [workload()] });
  expect(await recordCheck(ports, asked)).toMatchObject({
    kind,
    reason: expect.stringContaining("Deployment shop/app"),
  });
  expect(ports.published.map(({ type }) => type)).toEqual(told);
});

test("what was recorded is not recorded again", async () => {
  const known = workload({ announced: { held: null, problem: "schedule: what?" } });
  const ports = fakePorts({ workloads: [known] });
  expect(await recordCheck(ports, input)).toMatchObject({ kind: "nothing-new" });
  expect(ports.cluster.get()).toEqual(known);
});

describe("invoked with what it cannot work on, it says so", () => {
  test.for([
    { asked: { ...input, resourceVersion: undefined }, says: "resourceVersion must be a text" },
    {
      asked: { ...input, decision: { ...hold, digests: { last: "app:sha256:aa" } } },
      says: "decision.digests.last must have texts by name",
    },
    { asked: { ...input, decision: "update" }, says: "decision must be an object" },
    { asked: { ...input, decision: { kind: "adopt" } }, says: "decision.kind must be one of hold, problem, update" },
    { asked: { ...update, decision: { kind: "update", version: "1.1.0" } }, says: "decision.image must be a text" },
    {
      asked: { ...input, decision: { kind: "problem", problems: "no" } },
      says: "decision.problems must be a list of texts",
    },
  ])("$says", async ({ asked, says }) => {
    const message = expect.stringContaining(says) as string;
    expect(await refusalBy(handler, asked)).toMatchObject({ name: "InputInvalid", message });
  });
});
