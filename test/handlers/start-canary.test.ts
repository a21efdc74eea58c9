import { describe, expect, test } from "vitest";
import { measure, startAnalysis } from "../../functions/domain/analysis/measure.ts";
import { startCanary } from "../../functions/handlers/start-canary.ts";
import { once } from "../support/fake-ports.ts";
import {
  after,
  canaryInFlight,
  canarying,
  canaryPods,
  image,
  inFlight,
  noon,
  target,
  updating,
  workload,
} from "../support/workloads.ts";
import { canaryStep } from "./canary-steps.ts";
import { around, expectSelectable, recreated, writesNothing } from "./steps.ts";

const policy = { canary: { unit: "replicas", amount: 1 } } as const;
const resting = workload({ policy });

test("claims the workload, runs the target on the canary alone and tells how large it is", async () => {
  const ports = around(workload({ policy, verdict: "abort" }));
  const answer = await startCanary(ports, canaryStep);
  expect(answer).toMatchObject({ kind: "started", waitSeconds: 15 });
  expect(ports.cluster.get()).toMatchObject({
    image,
    rollout: { image },
    inFlight: canaryInFlight,
    canary: { image: target, desiredReplicas: 1, readyReplicas: 1 },
    verdict: null,
    bookkeeping: { currentVersion: "1.0.0", availableVersion: "1.1.0", lastUpdate: noon },
  });
  expect(ports.cluster.events()).toMatchObject([
    { reason: "AutoUpdateStarting", message: expect.stringContaining("with a canary of 1 ") },
  ]);
  expect(ports.published).toMatchObject([{ type: "Update Started", version: "1.1.0" }]);
  expectSelectable("StartCanary", answer);
});

test("repeated it keeps its start and what was measured", async () => {
  const outcome = { verdict: "pass", value: 0.1, note: null } as const;
  const analysis = measure(startAnalysis(noon), "errors", outcome, noon);
  const ports = around(canarying({ analysis }), { now: after(5) });
  expect(await startCanary(ports, canaryStep)).toMatchObject({ kind: "started" });
  expect(ports.cluster.get()).toMatchObject({ inFlight: canaryInFlight, analysis, canary: canaryPodsNow });
});

const canaryPodsNow = { image: canaryPods.image, desiredReplicas: canaryPods.desiredReplicas };

describe("touches nothing where", () => {
  test.for([
    { when: "it is gone", seen: null, reason: "gone" },
    { when: "another has taken its name", seen: recreated(resting), reason: "gone" },
    {
      when: "another execution was there first",
      seen: canarying({ inFlight: { ...canaryInFlight, execution: "e-2" } }),
      reason: "held by e-2",
    },
    {
      when: "a person set the marks by hand",
      seen: updating({ policy, inFlight: { ...inFlight, execution: null } }),
      reason: "held by a person",
    },
    { when: "a person changed the image since", seen: canarying({ image: "app:hotfix" }), reason: "was changed to" },
    { when: "no canary is wanted any more", seen: workload(), reason: "pawl.dev/canary was taken away" },
    { when: "updates are paused", seen: workload({ policy: { ...policy, paused: true } }), reason: "paused" },
    { when: "it was scaled to nothing", seen: scaledTo(0), reason: "no replicas to make a canary of" },
    {
      when: "the circuit was opened meanwhile",
      seen: workload({ policy, bookkeeping: { circuitOpen: true } }),
      reason: "circuit is open",
    },
    {
      when: "the version has failed meanwhile",
      seen: workload({ policy, bookkeeping: { failedVersions: ["1.1.0"] } }),
      reason: "has failed before",
    },
  ])("$when", async ({ seen, reason }) => {
    const answer = await startCanary(around(seen, { atMoment: writesNothing }), canaryStep);
    expect(answer).toMatchObject({ kind: "superseded", reason: expect.stringContaining(reason) });
    expectSelectable("StartCanary", answer);
  });
});

function scaledTo(desiredReplicas: number) {
  return { ...resting, rollout: resting.rollout && { ...resting.rollout, desiredReplicas } };
}

test("a change between reading and writing is a Conflict, and nothing is written", async () => {
  const ports = around(resting, { atMoment: once("before change", () => ports.cluster.put(resting)) });
  await expect(startCanary(ports, canaryStep)).rejects.toMatchObject({ name: "Conflict" });
  expect(ports.cluster.get()).toMatchObject({ inFlight: null, canary: null });
  expect(ports.published).toEqual([]);
});
