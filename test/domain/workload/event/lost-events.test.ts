import { describe, expect, test } from "vitest";
import { rollbackOf } from "../../../support/rollback.ts";
import {
  recentEndEvents,
  recentHeldEvents,
  recentStartEvents,
} from "../../../../functions/domain/workload/event/lost-events.ts";
import { isEmpty, isNothingNew, planCheckRecord } from "../../../../functions/domain/workload/record/record-check.ts";
import { hold } from "../../../../functions/domain/workload/decision/decision.ts";
import { restartImage, restartTarget } from "../../../support/digest-workloads.ts";
import { after, image, inFlight, noon, target, workload } from "../../../support/workloads.ts";

const entry = {
  version: "1.1.0",
  appliedAt: after(-5),
  status: "Healthy",
  image: target,
  finishedAt: noon,
  execution: "e-1",
} as const;
const failed = { ...entry, status: "RolledBack", reason: "late" } as const;
const { execution: _execution, ...anonymous } = entry;
const { image: _image, ...withoutImage } = entry;

function ended(last: typeof entry | object, parts: object = {}) {
  const versionHistory = [{ ...entry, version: "1.0.0" }, last as typeof entry];
  return workload({ updateRecord: { lastUpdate: after(-5), versionHistory, ...parts } });
}

describe("the Events of the end of an update", () => {
  test.for([
    { when: "it succeeded", subject: ended(entry), events: ["AutoUpdateComplete e-1"] },
    { when: "it was rolled back", subject: ended(failed), events: ["AutoUpdateRollback e-1"] },
    {
      when: "it was withdrawn",
      subject: ended({ ...failed, status: "Withdrawn" }),
      events: ["AutoUpdateWithdrawn e-1"],
    },
    {
      when: "its hook failed",
      subject: ended({ ...failed, status: "HookFailed" }),
      events: ["AutoUpdateHookFailed e-1 pre"],
    },
    {
      when: "it opened the circuit",
      subject: ended(failed, { circuitOpen: true }),
      events: ["AutoUpdateRollback e-1", "AutoUpdateCircuitOpen e-1"],
    },
    {
      when: "the circuit is open, and it was pushed",
      subject: ended(entry, { circuitOpen: true }),
      events: ["AutoUpdateComplete e-1"],
    },
    { when: "its execution is not recorded", subject: ended(anonymous), events: [] },
    { when: "its image is not recorded", subject: ended(withoutImage), events: [] },
    { when: "its end is not recorded", subject: ended({ ...entry, finishedAt: undefined }), events: [] },
    { when: "there was none", subject: workload(), events: [] },
  ])("$when: $events", ({ subject, events }) => {
    expect(recentEndEvents(subject, after(14)).map(({ reason, key }) => `${reason} ${key}`)).toEqual(events);
    expect(recentEndEvents(subject, after(15))).toEqual([]);
  });

  test("do not name an image that the workload may not run any more", () => {
    expect(recentEndEvents(ended(failed), noon)[0]?.message).toBe(
      `The update to ${target} failed: late (execution e-1)`,
    );
    expect(recentEndEvents(ended({ ...failed, reason: undefined }), noon)[0]?.message).toContain("failed:  (");
  });

  test.for([
    { version: "1.1.0", message: `Updated to ${target}` },
    { version: "1.1.0", kind: "image", message: `Updated to ${target}` },
    { version: "1.1.0", kind: "restart", message: `Restarted ${target}, as requested` },
    { version: "1.1.0@config:0123", kind: "config", message: `Restarted ${target} for changed configuration` },
    {
      version: "1.1.0@sha256:0123",
      kind: "digest",
      image: `${target}@sha256:0123`,
      message: `Restarted for the new digest: ${target}@sha256:0123`,
    },
    { version: "1.1.0", kind: "release", release: 4, message: `Rolled back to release 4 of ${target}` },
  ])("say what was done, as its kind is recorded: $message", ({ message, ...recorded }) => {
    expect(recentEndEvents(ended({ ...entry, ...recorded }), noon)[0]?.message).toBe(`${message} (execution e-1)`);
  });

  test("are no news: a check that only looks for them records nothing", () => {
    const quiet = hold("no-newer-version", "1.1.0 is the newest");
    const known = { currentVersion: "1.1.0", candidateVersion: "1.1.0" };
    const evaluated = { state: "UpToDate", reason: "NewestVersion", message: quiet.detail } as const;
    const listed = { ...ended(entry, known), evaluated };
    const planned = planCheckRecord(listed, quiet, after(14));
    expect([isNothingNew(planned), isEmpty(planned)]).toEqual([true, false]);
    expect(isEmpty(planCheckRecord(listed, quiet, after(15)))).toBe(true);
  });
});

describe("the Event of the start of an update", () => {
  test("says that a version is applied again", () => {
    const reverts = { version: "1.1.0", replaced: [image], reapplied: [{ version: "1.1.0", image, at: noon }] };
    const events = recentStartEvents({ reverts }, inFlight, "e-1", after(14));
    expect(events).toMatchObject([{ reason: "AutoUpdateReapplied", type: "Warning", key: "e-1" }]);
  });

  test.for([
    { when: "it is in flight", update: inFlight, message: `Updating to ${target} (execution e-2)` },
    {
      when: "it is a restart",
      update: { ...inFlight, target: restartTarget, phase: "restart" },
      message: `Restarting for the new digest: ${restartImage} (execution e-2)`,
    },
    { when: "it has been reverted", update: rollbackOf(inFlight) },
    { when: "nothing was changed", update: { ...inFlight, isApplied: false } },
    { when: "its start is no time", update: { ...inFlight, startedAt: "malformed" } },
    { when: "it started 15 minutes ago", update: { ...inFlight, startedAt: after(-1) } },
  ] as const)("$when: $message", ({ update, message }: { update: object; message?: string }) => {
    const events = recentStartEvents({}, { ...inFlight, ...update }, "e-2", after(14));
    expect(events.map((event) => event.message)).toEqual(message === undefined ? [] : [message]);
    expect(events.every(({ key }) => key === "e-2")).toBe(true);
  });
});

test.for([
  { when: "a gate that is reported has closed", gates: [{ name: "approval", since: after(-1) }], held: "x", count: 1 },
  { when: "it is closed for long", gates: [{ name: "approval", since: after(-60) }], held: "x", count: 0 },
  { when: "it is not known since when", gates: [{ name: "approval" }], held: "x", count: 0 },
  { when: "another gate has closed", gates: [{ name: "windows", since: after(-1) }], held: "x", count: 0 },
  { when: "nothing was reported", gates: [{ name: "approval", since: after(-1) }], held: null, count: 0 },
  { when: "no gate is known", gates: undefined, held: "x", count: 0 },
])("the Event of a hold is written again if $when: $count", ({ gates, held, count }) => {
  const recorded = gates?.map((gate) => ({ ...gate, reason: "R", message: "x" }));
  const given = { ...workload(), lastReported: { held, problem: null } };
  const found = recentHeldEvents(recorded === undefined ? given : { ...given, gates: recorded }, noon);
  expect(found).toHaveLength(count);
});
