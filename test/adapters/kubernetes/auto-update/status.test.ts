import { describe, expect, test } from "vitest";
import { rollbackOf } from "../../../support/rollback.ts";
import {
  applyToStatus,
  readUpdateRecord,
} from "../../../../functions/adapters/kubernetes/auto-update/status/status.ts";
import { readUpdate } from "../../../../functions/adapters/kubernetes/auto-update/status/update-status.ts";
import { fromCanaryStatus } from "../../../../functions/adapters/kubernetes/auto-update/status/canary-status.ts";
import { fromBackOffStatus } from "../../../../functions/adapters/kubernetes/auto-update/status/back-off-status.ts";
import {
  type InFlight,
  type RolloutUpdate,
  type RestartUpdate,
  type ReleaseUpdate,
  toRollback,
} from "../../../../functions/domain/workload/update/in-flight.ts";
import type { UpdateStatus } from "../../../../functions/adapters/kubernetes/auto-update/status/status-fields.ts";
import type { BackOff } from "../../../../functions/domain/workload/workload.ts";
import { imageTarget } from "../../../support/workloads.ts";

const noon = new Date("2026-11-20T12:00:00Z");
const claim = {
  holder: "pawl",
  expiresAt: new Date("2026-11-20T12:25:00Z"),
  targetUID: "u-1",
  targetGeneration: 4,
  hasCanary: false,
};
const inFlight: RolloutUpdate = {
  target: imageTarget("shop/app:1.1.0"),
  startedAt: noon,
  execution: "e-1",
  previousImage: "shop/app:1.0.0",
  digests: { app: "sha256:00" },
  phase: "rollout",
  isApplied: true,
};

const restarting: RestartUpdate = {
  ...inFlight,
  target: { kind: "digest", image: "shop/app:1.0.0", digest: "sha256:00" },
  phase: "restart",
};
const restoring: ReleaseUpdate = {
  ...inFlight,
  target: { kind: "release", image: "shop/app:1.0.0", number: 1 },
  phase: "release",
  release: { number: 1, from: null, hash: "h-1", previousHash: "h-2", previousRevision: "app-2" },
};

test.for(
  [true, false].flatMap((isApplied): readonly InFlight[] => [
    { ...inFlight, isApplied },
    { ...inFlight, isApplied, git: { repository: "config", since: noon } },
    {
      ...inFlight,
      isApplied,
      git: { repository: "config", since: noon, commit: "c", url: "https://c", syncedAt: noon },
    },
    { ...inFlight, phase: "canary", isApplied },
    { ...restarting, isApplied },
    { ...restoring, isApplied },
    ...[inFlight, restarting, restoring].map((update) => toRollback(update, isApplied, noon)),
  ]),
)("$phase, applied $isApplied, is read as it was written", (written) => {
  expect(readUpdate(applyToStatus({}, { inFlight: written }, claim, noon).update)).toEqual(written);
});

test("a pending claim keeps the generation that it was made at; another claim does not", () => {
  const pending = { ...inFlight, isApplied: false };
  const claimed = applyToStatus({}, { inFlight: pending }, claim, noon);
  const scaled = { ...claim, targetGeneration: 5 };
  expect(applyToStatus(claimed, { inFlight: pending }, scaled, noon).update?.targetGeneration).toBe(4);
  const other = { ...pending, target: imageTarget("shop/app:1.2.0") };
  expect(applyToStatus(claimed, { inFlight: other }, scaled, noon).update?.targetGeneration).toBe(5);
});

test("a reason is cut to 256 characters", () => {
  const entry = { version: "1.1.0", appliedAt: noon, status: "RolledBack", reason: "x".repeat(1000) } as const;
  const status = applyToStatus({}, { updateRecord: { versionHistory: [entry] } }, claim, noon);
  const reason = `${"x".repeat(255)}…`;
  expect(status.history?.[0]?.reason).toBe(reason);
  expect(readUpdateRecord(status).versionHistory).toEqual([{ ...entry, reason }]);
});

test("an empty change changes nothing, and a release removes the update", () => {
  const before = applyToStatus({ holdReason: "no" }, { inFlight, verdict: "abort" }, claim, noon);
  expect(applyToStatus(before, {}, claim, noon)).toEqual(before);
  expect(applyToStatus(before, { inFlight: null }, claim, noon)).toEqual({ holdReason: "no" });
});

test("a back-off is read as it was written, and removed", () => {
  const released: BackOff = {
    reason: "Refused",
    message: "denied",
    target: imageTarget("a:1"),
    attempts: 2,
    until: noon,
    execution: null,
  };
  const held: BackOff = { ...released, reason: "Failed", execution: "e-1" };
  const both: BackOff = { ...held, other: { target: imageTarget("shop/app:1.2.0"), attempts: 3, until: noon } };
  const quarantine: BackOff = { ...released, reason: "Quarantined", suspended: both };
  for (const backOff of [released, held, both, quarantine])
    expect(fromBackOffStatus(applyToStatus({}, { backOff }, claim, noon).backOff)).toEqual(backOff);
  const before = applyToStatus({}, { backOff: released }, claim, noon);
  expect(applyToStatus(before, {}, claim, noon)).toEqual(before);
  expect(applyToStatus(before, { backOff: null }, claim, noon)).toEqual({});
  expect(fromBackOffStatus({ ...before.backOff!, until: "soon" })).toBeNull();
  const other = { target: imageTarget("shop/app:1.2.0"), attempts: 3, until: "soon" };
  expect(fromBackOffStatus({ ...before.backOff!, other })).toEqual(released);
});

test("the result of a request is cut to 1024 characters", () => {
  const answer = { token: "t-1", verb: "push", result: "x".repeat(5000) };
  const { lastRequest } = applyToStatus({}, { answer }, claim, noon);
  expect(lastRequest).toEqual({ ...answer, result: `${"x".repeat(1023)}…`, at: "2026-11-20T12:00:00Z" });
});

test.for([
  { kind: "observed", at: noon, template: "t-1" },
  { kind: "observed", at: noon, template: "t-1", remaining: 2, desired: 3 },
  { kind: "waiting", reason: "not judged while it is scaled to 0" },
  { kind: "waiting", reason: "not judged while it is scaled to 0", since: noon },
  { kind: "baking", since: noon },
] as const)(
  "an observation ($kind) is read as it was written, replaces another, and renews the claim until the next step",
  (observation) => {
    const noted = { ...inFlight, unavailableBefore: 2 };
    const claimed = applyToStatus({}, { inFlight: noted }, { ...claim, template: "t-0" }, noon);
    const other = { kind: "waiting", reason: "paused", since: noon } as const;
    const baking = applyToStatus(
      claimed,
      { observation: { kind: "baking", since: noon }, nextStepSeconds: 0 },
      claim,
      noon,
    );
    const waiting = applyToStatus(baking, { observation: other, nextStepSeconds: 0 }, claim, noon);
    const renewed = { ...claim, expiresAt: new Date("2026-11-20T12:40:00Z") };
    const after = applyToStatus(waiting, { observation, nextStepSeconds: 15 }, renewed, noon);
    expect(readUpdate(after.update)).toEqual({ ...noted, observation });
    expect(after.update).toMatchObject({ template: "t-0", expiresAt: "2026-11-20T12:40:00Z" });
    const adopted = applyToStatus(after, { inFlight: { ...noted, observation, execution: "e-2" } }, claim, noon);
    expect(readUpdate(adopted.update)).toEqual({ ...noted, observation, execution: "e-2" });
    expect(adopted.update?.template).toBe("t-0");
  },
);

test("without an update, there is nothing to observe", () => {
  const observation = { kind: "waiting", reason: "paused" } as const;
  expect(applyToStatus({}, { observation }, claim, noon)).toEqual({});
});

test("the progress of a canary is read as it was written, and ends with the canary", () => {
  const begun = { step: 2, steps: 4, plan: "1, 50%, pause, 75%", size: "50%", since: noon } as const;
  const paused = { ...begun, step: 3, waitsFor: "Promotion", until: new Date("2026-11-21T12:00:00Z") } as const;
  const canary = { ...inFlight, phase: "canary" } as const;
  const started = applyToStatus({}, { inFlight: canary, canaryProgress: paused }, claim, noon);
  expect(fromCanaryStatus(started.canary)).toEqual(paused);
  const next = { ...begun, waitsFor: "Replicas", until: null } as const;
  const continued = applyToStatus(started, { canaryProgress: next }, claim, noon);
  expect(fromCanaryStatus(continued.canary)).toEqual(next);
  expect(continued.canary).not.toHaveProperty("until");
  expect(applyToStatus(continued, { verdict: "abort" }, claim, noon).canary).toEqual(continued.canary);
  for (const ended of [null, inFlight, rollbackOf(canary)])
    expect(applyToStatus(continued, { inFlight: ended }, claim, noon)).not.toHaveProperty("canary");
});

test.for([
  { waitsFor: "Someone", since: "2026-11-20T12:00:00Z" },
  { waitsFor: "Replicas", since: "noon" },
])("a progress with an invalid field is ignored: $waitsFor, $since", (invalid) => {
  expect(fromCanaryStatus({ step: 1, steps: 1, plan: "1", size: "1", ...invalid })).toBeNull();
});

describe("a parked update", () => {
  const parked = { reason: "NoReplicas", since: noon } as const;
  const claimed = applyToStatus({}, { inFlight }, claim, noon);
  const asleep = applyToStatus(claimed, { parked, nextStepSeconds: 3600 }, claim, noon);

  test("is read as it was written", () => {
    expect(asleep.update?.parked).toEqual({ reason: "NoReplicas", since: "2026-11-20T12:00:00Z" });
    expect(readUpdate(asleep.update)).toEqual({ ...inFlight, parked });
    expect(applyToStatus(asleep, { observation: { kind: "waiting", reason: "" } }, claim, noon).update?.parked).toEqual(
      asleep.update?.parked,
    );
  });

  test("is so no more once a check says that, once its claim is written, and in its rollback", () => {
    expect(applyToStatus(asleep, { parked: null }, claim, noon)).toEqual(applyToStatus(claimed, {}, claim, noon));
    const read = readUpdate(asleep.update);
    expect(applyToStatus(asleep, { inFlight: read }, claim, noon).update).not.toHaveProperty("parked");
    const rollback = applyToStatus(asleep, { inFlight: toRollback(inFlight, true, noon) }, claim, noon).update;
    expect(rollback).not.toHaveProperty("parked");
    expect(readUpdate({ ...rollback, parked: asleep.update?.parked } as UpdateStatus)).not.toHaveProperty("parked");
  });

  test.for([
    { what: "a reason that this version does not know", parked: { reason: "Eclipse", since: "2026-11-20T12:00:00Z" } },
    { what: "no time", parked: { reason: "NoReplicas", since: "noon" } },
  ])("with $what is read as one that is not parked", ({ parked: written }) => {
    expect(readUpdate({ ...asleep.update, parked: written } as UpdateStatus)).toEqual(inFlight);
  });

  test("is none if there is no claim", () => {
    expect(applyToStatus({}, { parked }, claim, noon)).toEqual({});
  });
});

describe("an update that a newer one supersedes", () => {
  const moved = { app: "shop/app:1.0.0", migrate: "shop/app:1.0.0" };
  const failing = applyToStatus({}, { inFlight }, { ...claim, moved, template: "t-1", targetRevision: 1 }, noon);
  const next: RolloutUpdate = {
    ...inFlight,
    target: imageTarget("shop/app:1.2.0"),
    execution: "e-2",
    isApplied: false,
    replacedImage: "shop/app:1.1.0",
  };
  const own = { app: "shop/app:1.1.0", migrate: "shop/app:1.1.0" };
  const claimed = applyToStatus(failing, { inFlight: next }, { ...claim, moved: own, targetRevision: 2 }, noon);

  test("notes that its pods fail until a check says that they do not any more", () => {
    const noted = applyToStatus(failing, { failing: "1 pod failing" }, claim, noon);
    expect(readUpdate(noted.update)).toMatchObject({ failing: "1 pod failing" });
    expect(applyToStatus(noted, { failing: null }, claim, noon).update).toEqual(failing.update);
    expect(applyToStatus(noted, { inFlight: toRollback(inFlight, true, noon) }, claim, noon).update).not.toHaveProperty(
      "failing",
    );
  });

  test("leaves the images from before it, and nothing else", () => {
    expect(readUpdate(claimed.update)).toEqual(next);
    expect(claimed.update).toMatchObject({ containers: moved, targetRevision: 2 });
    expect(claimed.update).not.toHaveProperty("template");
    const applied = { inFlight: { ...next, isApplied: true } };
    const after = applyToStatus(claimed, applied, { ...claim, moved: own, template: "t-2" }, noon);
    expect(after.update).toMatchObject({ containers: moved, template: "t-2", targetRevision: 2 });
  });
});
