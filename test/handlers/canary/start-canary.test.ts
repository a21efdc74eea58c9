import { describe, expect, test } from "vitest";
import { measure, startAnalysis } from "../../../functions/domain/analysis/measure.ts";
import { startCanary } from "../../../functions/handlers/start-canary.ts";
import { once } from "../../support/fake-ports.ts";
import {
  after,
  canaryInFlight,
  canaryWorkload,
  canaryPods,
  image,
  inFlight,
  noon,
  target,
  updatingWorkload,
  workload,
} from "../../support/workloads.ts";
import { canaryStep } from "./canary-steps.ts";
import { around, expectSelectable, withNewUid, writesNothing } from "../steps.ts";

const policy = { canary: { unit: "replicas", amount: 1 } } as const;
const idle = workload({ policy });

test("claims the workload, runs the target on the canary only, and emits its size", async () => {
  const ports = around(workload({ policy, verdict: "abort" }));
  const result = await startCanary(ports, canaryStep);
  expect(result).toMatchObject({ kind: "started", waitSeconds: 15 });
  expect(ports.cluster.get()).toMatchObject({
    image,
    rollout: { image },
    inFlight: canaryInFlight,
    canary: { image: target, desiredReplicas: 1, readyReplicas: 1 },
    verdict: null,
    updateRecord: { currentVersion: "1.0.0", candidateVersion: "1.1.0", lastUpdate: noon },
  });
  expect(ports.cluster.events()).toMatchObject([
    { reason: "AutoUpdateStarting", message: expect.stringContaining("with a canary of 1 ") },
  ]);
  expect(ports.published).toMatchObject([{ type: "Update Started", version: "1.1.0" }]);
  expectSelectable("StartCanary", result);
});

test("repeated, it keeps its start time and measurements", async () => {
  const outcome = { verdict: "pass", value: 0.1, note: null } as const;
  const analysis = measure(startAnalysis(noon), "errors", outcome, noon);
  const ports = around(canaryWorkload({ analysis }), { now: after(5) });
  expect(await startCanary(ports, canaryStep)).toMatchObject({ kind: "started" });
  expect(ports.cluster.get()).toMatchObject({ inFlight: canaryInFlight, analysis, canary: canaryPodsNow });
});

const canaryPodsNow = { image: canaryPods.image, desiredReplicas: canaryPods.desiredReplicas };

describe("writes nothing if", () => {
  test.for([
    { when: "the workload is deleted", initial: null, reason: "not found" },
    { when: "the workload is recreated", initial: withNewUid(idle), reason: "not found" },
    {
      when: "another execution holds the claim",
      initial: canaryWorkload({ inFlight: { ...canaryInFlight, execution: "e-2" } }),
      reason: "held by e-2",
    },
    {
      when: "the annotations are set manually",
      initial: updatingWorkload({ policy, inFlight: { ...inFlight, execution: null } }),
      reason: "held by a manual update",
    },
    {
      when: "the image is changed manually since",
      initial: canaryWorkload({ image: "app:hotfix" }),
      reason: "was changed to",
    },
    { when: "the canary is no longer configured", initial: workload(), reason: "pawl.dev/canary was removed" },
    { when: "updates are paused", initial: workload({ policy: { ...policy, paused: true } }), reason: "paused" },
    { when: "it is scaled to 0", initial: scaledTo(0), reason: "there are no replicas to run a canary on" },
    {
      when: "the circuit has opened in the meantime",
      initial: workload({ policy, updateRecord: { circuitOpen: true } }),
      reason: "circuit is open",
    },
    {
      when: "the version has failed in the meantime",
      initial: workload({ policy, updateRecord: { failedVersions: ["1.1.0"] } }),
      reason: "has failed before",
    },
  ])("$when", async ({ initial, reason }) => {
    const result = await startCanary(around(initial, { atMoment: writesNothing }), canaryStep);
    expect(result).toMatchObject({ kind: "superseded", reason: expect.stringContaining(reason) });
    expectSelectable("StartCanary", result);
  });
});

function scaledTo(desiredReplicas: number) {
  return { ...idle, rollout: idle.rollout && { ...idle.rollout, desiredReplicas } };
}

test("a change between read and write is a Conflict, and nothing is written", async () => {
  const ports = around(idle, { atMoment: once("before change", () => ports.cluster.put(idle)) });
  await expect(startCanary(ports, canaryStep)).rejects.toMatchObject({ name: "Conflict" });
  expect(ports.cluster.get()).toMatchObject({ inFlight: null, canary: null });
  expect(ports.published).toEqual([]);
});
