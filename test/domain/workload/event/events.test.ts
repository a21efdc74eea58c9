import { describe, expect, test } from "vitest";
import { planCheckRecord, isEmpty } from "../../../../functions/domain/workload/record/record-check.ts";
import type { Decision } from "../../../../functions/domain/workload/decision/decision.ts";
import {
  canaryPausedEvent,
  canaryPromotedEvent,
  updateAvailableEvent,
  updateStartedEvent,
  updateSucceededEvent,
} from "../../../../functions/domain/workload/event/events.ts";
import { hookEvent } from "../../../../functions/domain/workload/hook/hook-event.ts";
import { digest, digestWorkload, restartTarget, restartImage } from "../../../support/digest-workloads.ts";
import {
  after,
  canaryInFlight,
  image,
  noon,
  target,
  workload,
  updateTarget,
  imageTarget,
} from "../../../support/workloads.ts";
import {
  updateWithdrawnEvent,
  rollbackEvent,
  circuitOpenedEvent,
} from "../../../../functions/domain/workload/event/revert-events.ts";

const atPause = { step: 2, steps: 3, plan: "25%, pause, 50%", size: "25%", since: noon, until: after(5) } as const;

const version = `prod@${digest(2)}`;

test.for([
  [updateAvailableEvent(workload(), updateTarget), "Version 1.1.0 is available"],
  [
    updateAvailableEvent(workload({ updateRecord: { currentVersion: "1.0.0" } }), updateTarget),
    "Version 1.1.0 is available, current is 1.0.0",
  ],
  [updateStartedEvent(updateTarget, "e-1"), `Updating to ${target} (execution e-1)`],
  [
    updateStartedEvent(updateTarget, "e-1", { unit: "percent", amount: 25 }),
    `Updating to ${target} with a canary of 25 % (execution e-1)`,
  ],
  [
    updateStartedEvent(updateTarget, "e-1", { unit: "replicas", amount: 2 }),
    `Updating to ${target} with a canary of 2 (execution e-1)`,
  ],
  [
    updateStartedEvent(updateTarget, "e-1", null, { version: "1.1.0", image, at: noon }),
    `Updating to ${target}, because 1.0.0 was set back; set back again, it stays (execution e-1)`,
  ],
  [
    updateStartedEvent(updateTarget, "e-1", null, { version: "1.1.0", image, at: noon, owner: "Helm release shop" }),
    `Updating to ${target}, because Helm release shop has set back 1.0.0; set back again, it stays (execution e-1)`,
  ],
  [updateStartedEvent(restartTarget, "e-1"), `Restarting for the new digest: ${restartImage} (execution e-1)`],
  [
    canaryPausedEvent(canaryInFlight, { ...atPause, waitsFor: "Promotion" }),
    `The canary of ${target} is paused at step 2/3 (25%): run "pawl promote" to continue; it is withdrawn at 2026-11-20T12:05:00Z (execution e-1)`,
  ],
  [
    canaryPausedEvent({ ...canaryInFlight, startedAt: "malformed" }, { ...atPause, waitsFor: "Time" }),
    `The canary of ${target} is paused at step 2/3 (25%): it continues at 2026-11-20T12:05:00Z (execution e-1)`,
  ],
  [canaryPromotedEvent(updateTarget, "e-1"), `The canary of ${target} passed: updating all replicas (execution e-1)`],
  [
    canaryPausedEvent(canaryInFlight, { ...atPause, until: null, waitsFor: "Time" }),
    `The canary of ${target} is paused at step 2/3 (25%): it continues at 2026-11-20T12:00:00Z (execution e-1)`,
  ],
  [
    hookEvent(updateTarget, "e-1", "post", { isSuccess: true, outcome: "the Job smoke-1 has succeeded" }),
    `${target}: the Job smoke-1 has succeeded (execution e-1)`,
  ],
  [
    hookEvent(updateTarget, "e-1", "pre", {
      isSuccess: false,
      outcome: "the Job db-1 has failed",
      log: ["no table", "bye"],
    }),
    `${target}: the Job db-1 has failed (execution e-1)\nno table\nbye`,
  ],
  [updateSucceededEvent(restartTarget, "e-1"), `Restarted for the new digest: ${restartImage} (execution e-1)`],
  [
    updateSucceededEvent(updateTarget, "e-1", "no data for 15m0s"),
    `Updated to ${target}, without a verdict: no data for 15m0s (execution e-1)`,
  ],
  [
    circuitOpenedEvent(workload({ updateRecord: { rollbackCount: 1 } }), restartTarget, "e-1"),
    "Circuit opened after 1 failed attempt: no newer version is applied until it is reset",
  ],
  [
    circuitOpenedEvent(workload({ updateRecord: { rollbackCount: 3 } }), restartTarget, "e-1"),
    "Circuit opened after 3 failed attempts: no newer version is applied until it is reset",
  ],
] as const)("%#: %s", ([event, message]) => {
  expect(event.message).toBe(message);
});

test.for([
  { when: "no attempts before it are known", backOff: null, type: "Warning" },
  { when: "it is the first attempt", backOff: { target: updateTarget, attempts: 1 }, type: "Warning" },
  { when: "it is the second attempt", backOff: { target: updateTarget, attempts: 2 }, type: "Normal" },
  { when: "the attempts had another target", backOff: { target: imageTarget(image), attempts: 2 }, type: "Warning" },
])("one Event of a series of withdrawals is a warning: $when: $type", ({ backOff: attempts, type }) => {
  const common = { reason: "Withdrawn", message: "late", until: noon, execution: null } as const;
  const backOff = attempts === null ? null : { ...common, ...attempts };
  expect(updateWithdrawnEvent({ backOff }, updateTarget, "e-1", "late").type).toBe(type);
});

test.for([
  {
    when: "the previous image is restored",
    image,
    message: `Rolled back from ${target} to ${image}: late (execution e-1)`,
  },
  {
    when: "a Claw runs its default image",
    image: null,
    message: `Rolled back from ${target} to the default image: late (execution e-1)`,
  },
  {
    when: "no previous image is known",
    image: target,
    message: `The update to ${target} failed, and stays because no previous image is known: late (execution e-1)`,
  },
])("reports a rollback as it is: $when", ({ image: now, message }) => {
  const { event, reason, message: reported } = rollbackEvent(workload({ image: now }), updateTarget, "e-1", "late");
  expect({ event, reason, reported }).toEqual({
    event: "Update Rolled Back",
    reason: "AutoUpdateRollback",
    reported: message,
  });
});

test("a restart is reported like an update, with the tag and the digest as its version", () => {
  const { event, type, reason, key } = updateStartedEvent(updateTarget, "e-1");
  expect(updateStartedEvent(restartTarget, "e-1")).toMatchObject({
    event,
    type,
    reason,
    key,
    version,
    image: restartImage,
  });
});

describe("planCheckRecord of a restart", () => {
  const decision: Decision = {
    kind: "update",
    target: restartTarget,
    digests: { app: digest(2) },
  };

  test("emits the available version and writes nothing", () => {
    const record = planCheckRecord(digestWorkload(), decision, noon);
    expect(record).toMatchObject({
      change: null,
      events: [{ event: "Update Available", version, image: restartImage }],
    });
    expect(isEmpty(record)).toBe(false);
  });

  test("is empty if the version was reported before", () => {
    expect(
      isEmpty(planCheckRecord(digestWorkload({ updateRecord: { candidateVersion: version } }), decision, noon)),
    ).toBe(true);
  });

  test("records the hold if the decision is a hold", () => {
    const paused: Decision = { kind: "hold", reason: "paused", detail: "it is paused", target: null };
    const change = { evaluated: { state: "Held", reason: "Suspended", message: "it is paused" } };
    expect(planCheckRecord(digestWorkload(), paused, noon)).toEqual({ change, events: [], recentEvents: [] });
  });
});

const failing = "not ready after 600 s; 2 pods failing: web-0 (web) exit 1 `no DB_URL` (4 restarts)";

test("the events of an update that ended have its evidence, also in a field of its own", () => {
  const { evidence, message } = rollbackEvent(workload(), updateTarget, "e-1", failing);
  expect(evidence).toBe("2 pods failing: web-0 (web) exit 1 `no DB_URL` (4 restarts)");
  expect(message).toContain(`: ${failing} (execution e-1)`);
  expect(updateWithdrawnEvent(workload(), updateTarget, "e-1", failing).evidence).toBe(evidence);
  const last = { version: "1.1.0", appliedAt: noon, status: "RolledBack", reason: failing } as const;
  const opened = workload({ updateRecord: { rollbackCount: 3, versionHistory: [last] } });
  expect(circuitOpenedEvent(opened, updateTarget, "e-1").evidence).toBe(evidence);
  expect(rollbackEvent(workload(), updateTarget, "e-1", "not ready").evidence).toBeNull();
});

test("two long images leave room for the evidence in the 1,024 bytes of an Event", () => {
  const name = `registry.example/${"team/".repeat(40)}app`;
  const longTarget = { kind: "image", image: `${name}:1.1.0` } as const;
  const { message } = rollbackEvent(workload({ image: `${name}:1.0.0` }), longTarget, "e-1", failing);
  expect(message).toContain(failing);
  expect(message.length).toBeLessThan(450);
});

test("a rollback that a person requested says so, and no other", () => {
  const release = { kind: "release", image: updateTarget.image, number: 3 } as const;
  const rollback = (reason: string) => rollbackEvent(workload(), updateTarget, "e-1", reason);
  expect(updateSucceededEvent(release, "e-1").requested).toBe(true);
  expect(rollback("aborted manually").requested).toBe(true);
  for (const event of [updateSucceededEvent(updateTarget, "e-1"), rollback("not ready")])
    expect(event).not.toHaveProperty("requested");
});
