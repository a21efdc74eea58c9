import { describe, expect, test } from "vitest";
import {
  giveUp,
  recordReset,
  recordStart,
  recordSuccess,
  seedCurrentVersion,
} from "../../functions/domain/bookkeeping.ts";
import type { HistoryEntry } from "../../functions/domain/workload.ts";
import { after, claw, image, inFlight, noon, target, updating, workload } from "../support/workloads.ts";

const failedOnce: HistoryEntry = { version: "1.1.0", appliedAt: noon, status: "RolledBack" };

describe("recordStart", () => {
  test("claims, sets the image, remembers what ran and when", () => {
    const change = recordStart(workload(), { image: target }, "e-1", noon);
    expect(change.image).toBe(target);
    expect(change.inFlight).toEqual({
      targetImage: target,
      startedAt: noon,
      execution: "e-1",
      previousImage: image,
      digests: null,
      phase: "rollout",
    });
    expect(change.bookkeeping).toEqual({
      currentVersion: "1.0.0",
      availableVersion: "1.1.0",
      lastCheck: noon,
      lastUpdate: noon,
    });
    expect(change.conditions?.map(({ type, status, reason }) => [type, status, reason])).toEqual([
      ["AutoUpdateAvailable", "True", "NewVersionFound"],
      ["AutoUpdateInProgress", "True", "UpdateStarted"],
    ]);
  });

  test("repeated by its own execution it keeps the first start and what ran before", () => {
    expect(recordStart(updating(), { image: target }, "e-1", after(5)).inFlight).toEqual(inFlight);
  });

  test("a claim of another execution is not taken for its own", () => {
    expect(recordStart(updating(), { image: target }, "e-2", after(5)).inFlight?.execution).toBe("e-2");
  });
});

describe("seedCurrentVersion", () => {
  test.for([
    { when: "nothing is recorded", parts: {}, seed: { currentVersion: "1.0.0" } },
    { when: "something is recorded", parts: { bookkeeping: { currentVersion: "0.9.0" } }, seed: {} },
    { when: "the tag is no version", parts: { image: "app:latest" }, seed: {} },
    { when: "nothing is known to run", parts: { image: null, rollout: null }, seed: {} },
  ])("$when", ({ parts, seed }) => {
    expect(seedCurrentVersion(workload(parts))).toEqual(seed);
  });

  test("a Claw without a target is seeded from the pods' template", () => {
    const rollout = { ...updating().rollout!, image: "ghcr.io/prismer-ai/k8s4claw-openclaw:0.3.0" };
    expect(seedCurrentVersion(claw({ rollout }))).toEqual({ currentVersion: "0.3.0" });
  });
});

describe("recordSuccess", () => {
  test("the target's tag is current, counters start again, failed versions stay", () => {
    const before = updating({ bookkeeping: { rollbackCount: 2, circuitOpen: true, failedVersions: ["1.0.5"] } });
    expect(recordSuccess(before, inFlight, after(3))).toMatchObject({
      inFlight: null,
      bookkeeping: {
        currentVersion: "1.1.0",
        rollbackCount: 0,
        circuitOpen: false,
        versionHistory: [{ version: "1.1.0", appliedAt: noon, status: "Healthy" }],
      },
      conditions: [
        { type: "AutoUpdateAvailable", status: "False", reason: "UpToDate" },
        { type: "AutoUpdateInProgress", status: "False", reason: "UpdateComplete" },
      ],
    });
    expect(recordSuccess(before, inFlight, after(3)).bookkeeping).not.toHaveProperty("failedVersions");
  });

  test("a target without a tag leaves the current version as it is", () => {
    const byDigest = { ...inFlight, targetImage: `registry.example/shop/app@sha256:${"0".repeat(64)}` };
    expect(recordSuccess(updating(), byDigest, after(3)).bookkeeping).not.toHaveProperty("currentVersion");
  });
});

describe("giveUp", () => {
  test("blames the version that was tried, not the one that is available", () => {
    const before = updating({ bookkeeping: { availableVersion: "9.9.9", currentVersion: "1.0.0" } });
    const change = giveUp(before, inFlight, "not ready", after(11));
    expect(change).toMatchObject({
      image,
      inFlight: { targetImage: target, execution: "e-1", phase: "rollback" },
      bookkeeping: { rollbackCount: 1, circuitOpen: false, failedVersions: ["1.1.0"], versionHistory: [failedOnce] },
      conditions: [{ type: "AutoUpdateInProgress", status: "False", reason: "RolledBack" }],
    });
  });

  test.for([
    { count: 0, max: 3, opens: false },
    { count: 1, max: 3, opens: false },
    { count: 2, max: 3, opens: true },
    { count: 1, max: 2, opens: true },
    { count: 0, max: 1, opens: true },
    { count: 5, max: 3, opens: true },
  ])("after $count rollbacks of at most $max the next opens the circuit: $opens", ({ count, max, opens }) => {
    const before = updating({ policy: { maxRollbacks: max }, bookkeeping: { rollbackCount: count } });
    const { bookkeeping } = giveUp(before, inFlight, "not ready", after(11));
    expect(bookkeeping).toMatchObject({ rollbackCount: count + 1, circuitOpen: opens });
  });

  test("an open circuit stays open", () => {
    const before = updating({ bookkeeping: { circuitOpen: true } });
    expect(giveUp(before, inFlight, "not ready", after(11)).bookkeeping?.circuitOpen).toBe(true);
  });

  test("an attempt that was counted before its marks were taken away is not counted again", () => {
    const counted = { rollbackCount: 1, failedVersions: ["1.1.0"], versionHistory: [failedOnce] };
    const { bookkeeping } = giveUp(updating({ bookkeeping: counted }), inFlight, "not ready", after(12));
    expect(bookkeeping).toEqual({ ...counted, circuitOpen: false });
  });

  test("switched off in mid-flight nobody is blamed and nothing is counted", () => {
    const change = giveUp(updating({ policy: { enabled: false } }), inFlight, "switched off", after(1));
    expect(change).toMatchObject({ image, inFlight: { phase: "rollback" } });
    expect(change.bookkeeping).toBeUndefined();
  });

  test("a start that cannot be read is timed by the rollback, and a target without a tag blames none", () => {
    const strange = { ...inFlight, startedAt: "malformed", targetImage: "app" } as const;
    const { bookkeeping } = giveUp(updating(), strange, "malformed", after(1));
    expect(bookkeeping).toMatchObject({
      rollbackCount: 1,
      failedVersions: [],
      versionHistory: [{ version: "", appliedAt: after(1), status: "RolledBack" }],
    });
  });
});

test("a reset closes the circuit and forgets failed versions only where asked", () => {
  expect(recordReset(false).bookkeeping).toEqual({ circuitOpen: false, rollbackCount: 0 });
  expect(recordReset(true).bookkeeping).toEqual({ circuitOpen: false, rollbackCount: 0, failedVersions: [] });
});
