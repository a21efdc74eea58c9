import { describe, expect, test } from "vitest";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import { beginStep } from "../../../functions/domain/workload/canary/progress.ts";
import { parseCanarySteps } from "../../../functions/domain/workload/canary/steps.ts";
import { analyzeCanary } from "../../../functions/handlers/analyze-canary.ts";
import { applyUpdate } from "../../../functions/handlers/apply-update.ts";
import { checkCanary } from "../../../functions/handlers/check-canary.ts";
import { startCanary } from "../../../functions/handlers/start-canary.ts";
import {
  after,
  canaryPods,
  canaryWorkload,
  completeRollout,
  image,
  noon,
  ownRecord,
  policy,
  target,
} from "../../support/workloads.ts";
import { digest } from "../../support/digest-workloads.ts";
import { around, expectSelectable } from "../steps.ts";
import { checkStep } from "./canary-steps.ts";

const parsed = parseCanarySteps([{ size: 1 }, { size: 2 }]);
if (parsed.kind === "invalid") throw new Error("invalid steps");
const stepped = { ...policy, canary: { unit: "replicas", amount: 1 } as const, canarySteps: parsed.value };
const rollout = { ...completeRollout, image };
/** Ready at its first step of two, or at its last one. */
const first = canaryWorkload({ policy: stepped, canaryProgress: beginStep(stepped, 1, noon), rollout });
const last = canaryWorkload({ policy: { ...policy, canary: stepped.canary }, rollout });

const reason = "the image is not verified: no valid signature";
const unverified = { kind: "unverified", digest: null, reason: "no valid signature" } as const;
const refused = { ...checkStep, verification: unverified };
const verified = { kind: "verified", digest: digest(7), reason: "signed by key release.pub" } as const;
const allowed = { ...checkStep, verification: verified };

/** Returns a canary that sleeps since noon. */
function asleep(parts: Partial<Workload> = {}): Workload {
  const { inFlight } = first;
  if (inFlight?.phase !== "canary") throw new Error("no canary");
  return { ...first, inFlight: { ...inFlight, parked: { reason: "Unverified", since: noon } }, ...parts };
}

describe("a canary whose image is not verified any more sleeps for an hour", () => {
  test("before its next step", async () => {
    const ports = around(first, { now: after(5) });
    expect(await analyzeCanary(ports, refused)).toMatchObject({ kind: "next" });
    const result = await startCanary(ports, refused);
    expect(result).toMatchObject({ kind: "parked", waitSeconds: 3600, reason, step: /^1\/2/ });
    expectSelectable("StartCanary", result);
    expect(ports.cluster.get()).toMatchObject({
      inFlight: { parked: { reason: "Unverified", since: after(5) } },
      canary: canaryPods,
    });
  });

  test("before its promotion", async () => {
    const ports = around(last, { now: after(5) });
    expect(await analyzeCanary(ports, refused)).toMatchObject({ kind: "pass" });
    const result = await applyUpdate(ports, refused);
    expect(result).toMatchObject({ kind: "parked", waitSeconds: 3600, reason });
    expectSelectable("ApplyUpdate", result);
    expect(ports.cluster.get()).toMatchObject({
      image,
      inFlight: { phase: "canary", parked: { reason: "Unverified" } },
    });
  });

  test("a step that is repeated sleeps since then", async () => {
    const ports = around(asleep(), { now: after(5) });
    expect(await startCanary(ports, refused)).toMatchObject({ kind: "parked" });
    expect(ports.cluster.get().inFlight).toMatchObject({ parked: { since: noon } });
  });

  test.for(["started", "not-ready"])("a kind that cannot note that is asked about again: %s", async (kind) => {
    const ports = around({ ...first, ref: { ...first.ref, kind: "StatefulCanary" }, record: ownRecord });
    const result = kind === "started" ? await startCanary(ports, refused) : await applyUpdate(ports, refused);
    expect(result).toMatchObject({ kind, waitSeconds: 3600, reason });
    expect(ports.cluster.get().inFlight).not.toHaveProperty("parked");
  });
});

describe("when it wakes up", () => {
  test("it sleeps on without a write: a poll continues it", async () => {
    const ports = around(asleep(), { now: after(60) });
    const { record } = ports.cluster.get();
    const result = await checkCanary(ports, refused);
    expect(result).toMatchObject({ kind: "parked", waitSeconds: 3600, reason });
    expectSelectable("CheckCanary", result);
    expect(ports.cluster.get()).toMatchObject({ record, inFlight: { parked: { since: noon } } });
  });

  test("after a day its execution continues as new", async () => {
    const ports = around(asleep(), { now: after(25 * 60) });
    expect(await checkCanary(ports, refused)).toMatchObject({ kind: "continue" });
  });

  test("a person has promoted it: what is not verified is not written", async () => {
    const request = { verb: "promote", argument: "full", token: "t-1" };
    const ports = around(asleep({ request, verdict: "promote" }), { now: after(60) });
    expect(await checkCanary(ports, refused)).toMatchObject({ kind: "parked", reason });
    expect(await applyUpdate(ports, refused)).toMatchObject({ kind: "parked", reason });
    expect(ports.cluster.get().image).toBe(image);
  });

  test.for([
    { when: "a person has aborted it", parts: { verdict: "abort" as const }, kind: "expired" },
    { when: "a pod of it is not ready", parts: { canary: { ...canaryPods, readyReplicas: 0 } }, kind: "ready" },
  ])("it is checked if $when", async ({ parts, kind }) => {
    const analysis = { pause: null } as unknown as Workload["analysis"];
    const ports = around(asleep({ analysis, ...parts }), { now: after(60) });
    expect(await checkCanary(ports, refused)).toMatchObject({ kind });
  });

  test("it begins its next step once its image is verified", async () => {
    const ports = around(asleep(), { now: after(60) });
    expect(await checkCanary(ports, allowed)).toMatchObject({ kind: "ready" });
    expect(await analyzeCanary(ports, allowed)).toMatchObject({ kind: "next" });
    expect(await startCanary(ports, allowed)).toMatchObject({ kind: "started", step: /^2\/2/ });
    expect(ports.cluster.get().inFlight).not.toHaveProperty("parked");
    expect(ports.cluster.get().image).not.toBe(target);
  });
});
