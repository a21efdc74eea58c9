import { describe, expect, test } from "vitest";
import { handler, recordCheck } from "../../functions/handlers/record-check.ts";
import type { RecordCheckInput } from "../../functions/ports/check-recorder.ts";
import { fakePorts } from "../support/fake-ports.ts";
import { target, workload } from "../support/workloads.ts";
import { handlerError } from "./handler-error.ts";

const input: RecordCheckInput = {
  cluster: "production",
  workload: workload().ref,
  resourceVersion: "7",
  decision: { kind: "problem", problems: ["schedule: what?"] },
};
const hold = { kind: "hold", reason: "same-digest", detail: "as before", version: null, image: null };
const update: RecordCheckInput = { ...input, decision: { kind: "update", version: "1.1.0", image: target } };

test.for([
  { when: "a problem", request: input, kind: "written", expected: ["Update Held"] },
  { when: "an update", request: update, kind: "written", expected: ["Update Available"] },
  {
    when: "a decision about an older state",
    request: { ...input, resourceVersion: "6" },
    kind: "changed",
    expected: [],
  },
  { when: "an update on an older state", request: { ...update, resourceVersion: "6" }, kind: "changed", expected: [] },
  {
    when: "a deleted object",
    request: { ...input, workload: { ...input.workload, uid: "u-9" } },
    kind: "changed",
    expected: [],
  },
])("$when: $kind", async ({ request, kind, expected }) => {
  const ports = fakePorts({ workloads: [workload()] });
  expect(await recordCheck(ports, request)).toMatchObject({
    kind,
    reason: expect.stringContaining("Deployment shop/app"),
  });
  expect(ports.published.map(({ type }) => type)).toEqual(expected);
});

test("a recorded decision is not recorded again", async () => {
  const known = workload({ lastReported: { held: null, problem: "schedule: what?" } });
  const ports = fakePorts({ workloads: [known] });
  expect(await recordCheck(ports, input)).toMatchObject({ kind: "nothing-new" });
  expect(ports.cluster.get()).toEqual(known);
});

describe("rejects invalid input", () => {
  test.for([
    {
      request: { ...input, resourceVersion: undefined },
      message: "resourceVersion: is missing; use a non-empty string",
    },
    {
      request: { ...input, decision: { ...hold, digests: { deployed: "app:sha256:aa" } } },
      message: 'decision.digests.deployed: "app:sha256:aa" is not an object',
    },
    { request: { ...input, decision: "update" }, message: 'decision: "update" is not an object' },
    {
      request: { ...input, decision: { kind: "adopt" } },
      message: 'decision.kind: "adopt" is not one of hold, problem, update',
    },
    {
      request: { ...update, decision: { kind: "update", version: "1.1.0" } },
      message: "decision.image: is missing; use a non-empty string",
    },
    {
      request: { ...input, decision: { kind: "problem", problems: "no" } },
      message: 'decision.problems: "no" is not a list',
    },
  ])("$message", async ({ request, message }) => {
    const error = await handlerError(handler, request);
    expect(error).toMatchObject({ name: "InputInvalid", message: expect.stringContaining(message) as string });
  });
});
