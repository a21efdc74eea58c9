import { describe, expect, test } from "vitest";
import { rollbackOf } from "../../../support/rollback.ts";
import { decideByTag } from "../../../../functions/domain/workload/decision/decide-by-tag.ts";
import { describeManualChange, isManagedChange } from "../../../../functions/domain/workload/decision/manual-change.ts";
import { recentStartEvents } from "../../../../functions/domain/workload/event/lost-events.ts";
import { createHistoryEntry } from "../../../../functions/domain/workload/record/history.ts";
import { planCheckRecord } from "../../../../functions/domain/workload/record/record-check.ts";
import {
  answerRequest,
  decideRequest,
  pushRefusal,
  requestRefusal,
} from "../../../../functions/domain/workload/request/request.ts";
import { assessReadiness } from "../../../../functions/domain/workload/update/readiness.ts";
import { assessRollback } from "../../../../functions/domain/workload/rollback/rollback-progress.ts";
import { supersededUpdate } from "../../../../functions/domain/workload/request/superseding-push.ts";
import { type InFlight, type ReleaseUpdate } from "../../../../functions/domain/workload/update/in-flight.ts";
import { after, completeRollout, noon, imageTarget } from "../../../support/workloads.ts";
import { release, released } from "./releases.ts";
import { rollbackEvent, circuitOpenedEvent } from "../../../../functions/domain/workload/event/revert-events.ts";

const list = [release(1), release(2)];
const request = { verb: "rollback", argument: null, token: "t-1" };
const claim: ReleaseUpdate = {
  target: { kind: "release", image: release(1).image, number: 1 },
  startedAt: noon,
  execution: "e-1",
  previousImage: null,
  digests: null,
  phase: "release",
  release: { number: 1, from: 2, hash: "hash-1", previousHash: "hash-2", previousRevision: "app-2" },
};

describe("a request", () => {
  test("starts an update to the release", () => {
    const found = released(list, "hash-2", { request });
    expect(decideRequest(found)).toEqual({
      kind: "update",
      target: { kind: "release", image: release(1).image, number: 1 },
      isRequested: true,
    });
    expect(requestRefusal(found, request)).toBeNull();
    expect(answerRequest(found, request).answer?.result).toBe("refused: it was not rolled back; ask again");
  });

  test("that is refused is answered", () => {
    const found = released([release(2)], "hash-2", { request });
    expect(decideRequest(found)).toEqual({ kind: "request", ...request });
    expect(requestRefusal(found, request)).toMatch(/^no earlier release has succeeded; use pawl releases/);
    expect(answerRequest(found, request).answer?.result).toMatch(/^refused: no earlier release has succeeded; use/);
  });

  test("announces no version, and records a release that is not recorded yet", () => {
    const found = released(list, "hash-9", { request });
    const decision = {
      kind: "update",
      target: { kind: "release", image: release(1).image, number: 1 },
      isRequested: true,
    } as const;
    const { change, events } = planCheckRecord(found, decision, after(1));
    expect([change?.release?.hash, events]).toEqual(["hash-9", []]);
  });
});

test("the version that was left is held until a newer one appears", () => {
  const found = released([...list, release(3, { version: "1.1.0", rolledBackFrom: 2 })], "hash-1", {
    image: release(1).image,
    source: release(1).image,
    updateRecord: { currentVersion: "1.2.0" },
  });
  expect(decideByTag(found, release(1).image, ["1.1.0", "1.2.0"], noon)).toMatchObject({
    kind: "hold",
    reason: "manual-change",
    detail: "1.1.0 was restored in place of release 2: held until a version newer than 1.2.0 appears",
  });
  expect(decideByTag(found, release(1).image, ["1.2.0", "1.3.0"], noon)).toMatchObject({
    target: { image: "registry.example/shop/app:1.3.0" },
  });
});

describe("a release in flight", () => {
  test.for([
    { when: "its template", hash: "hash-1", isApplied: true, managed: true },
    { when: "the template before, and it is not written", hash: "hash-2", isApplied: false, managed: true },
    { when: "the template before, and it was written", hash: "hash-2", isApplied: true, managed: false },
    { when: "another template", hash: "other", isApplied: false, managed: false },
  ])("is Pawl's own change: $when: $managed", ({ hash, isApplied, managed }) => {
    const inFlight = { ...claim, isApplied };
    expect(isManagedChange(released(list, hash, { inFlight }), inFlight)).toBe(managed);
  });

  test("of which its owner changed the template is described", () => {
    expect(describeManualChange(released(list, "other"), claim)).toBe("the pod template was changed");
  });

  test("is ready on its template, whatever the image", () => {
    const rollout = { ...completeRollout, image: "another.example/app:9" };
    const found = released(list, "hash-1", { rollout, inFlight: claim });
    expect(assessReadiness(rollout, found, claim, after(1)).kind).toBe("ready");
  });

  test("has its own Events", () => {
    expect(recentStartEvents({}, claim, "e-1", after(1))[0]?.message).toContain("Rolling back to release 1 of");
    const found = released(list, "hash-1", { inFlight: claim });
    expect(rollbackEvent(found, claim.target, "e-1", "not ready").message).toMatch(/Release 1 of .* is reverted/);
    const versionHistory = [createHistoryEntry(claim, "RollbackFailed", after(1), "web-2 was deleted")];
    const stuck = released(list, "hash-1", { inFlight: claim, updateRecord: { versionHistory } });
    expect(rollbackEvent(stuck, claim.target, "e-1", "not ready").message).toContain("before it is not restored");
    expect(circuitOpenedEvent(stuck, claim.target, "e-1").message).toContain("could not be reverted");
    expect(circuitOpenedEvent(found, claim.target, "e-1").message).toContain("after 0 failed attempts");
  });

  test.for(["release", "rollback"] as const)("is not ended by a push: %s", (phase) => {
    const inFlight = phase === "release" ? claim : rollbackOf(claim);
    const push = { verb: "push", argument: "1.9.0", token: "t-2" };
    const found = released(list, "hash-1", { image: claim.target.image, inFlight, request: push });
    const refused = "a rollback to release 1 is in flight; use pawl abort to end it";
    expect([pushRefusal(found, "1.9.0"), requestRefusal(found, push)]).toEqual([refused, refused]);
    expect(decideRequest(found)?.kind).toBe("request");
    expect(supersededUpdate(found, imageTarget("registry.example/shop/app:1.9.0"), "e-2")).toBeNull();
  });
});

describe("a release that is reverted", () => {
  const rollback: InFlight = rollbackOf(claim, { revertedAt: noon });
  const rollout = { ...completeRollout, readyReplicas: 1 };

  test.for([
    { when: "its pods are not ready", hash: "hash-2", minutes: 1, kind: "progressing" },
    { when: "they are not ready in time", hash: "hash-2", minutes: 60, kind: "expired" },
    { when: "its owner changed the template", hash: "other", minutes: 1, kind: "ready" },
  ])("$when: $kind", ({ hash, minutes, kind }) => {
    const verdict = assessRollback(released(list, hash, { rollout, inFlight: rollback }), rollback, after(minutes));
    expect(verdict.kind).toBe(kind);
    expect("reason" in verdict ? verdict.reason : "").toContain(
      kind === "expired" ? "the previous pod template was not ready" : "",
    );
  });
});
