import { expect, test } from "vitest";
import { entry, gone, pod, record, story, troubledPod, update, workload, type Write } from "./build-story.ts";
import { checkHistory } from "./check.ts";

const started = Date.parse("2026-11-20T12:00:00Z");
const startedAt = new Date(started).toISOString();

/** The rollback of `version`: `target` is what its pod shows, `control` what the one of the version before it does. */
function rollback(version: string, target: Write, control: Write, parts: object = {}): readonly Write[] {
  const failed = {
    rollbackCount: 1,
    failedVersions: [version],
    history: [{ ...entry(version, "RolledBack"), startedAt }],
  };
  return [
    workload("1.0.0", "person"),
    pod("web-a", "1.0.0", true),
    record({ currentVersion: "1.0.0" }),
    record({ currentVersion: "1.0.0", update: update("Claimed", "1.0.0", version) }),
    workload(version, "Pawl"),
    target,
    control,
    record({ currentVersion: "1.0.0", update: update("RollingBack", "1.0.0", version) }),
    workload("1.0.0", "Pawl"),
    gone("web-b"),
    record({ currentVersion: "1.0.0", ...failed, ...parts }),
  ];
}

const bad = "1.1.0-bad";
const failing = pod("web-b", bad, false);
const healthy = pod("web-a", "1.0.0", true);
const pulling = troubledPod("web-b", bad, { isReady: false, failure: "other" });

test.for([
  { when: "its pods fail and the others do not", version: bad, target: failing, control: healthy, violation: null },
  {
    when: "a pod before it exits",
    version: bad,
    target: failing,
    control: troubledPod("web-a", "1.0.0", { exitedAt: started + 1000 }),
    violation: "pods/web-a of the version before it failed too",
  },
  {
    when: "a pod before it exited earlier",
    version: bad,
    target: failing,
    control: troubledPod("web-a", "1.0.0", { exitedAt: started - 1000 }),
    violation: null,
  },
  {
    when: "none before it is ready",
    version: bad,
    target: failing,
    control: pod("web-a", "1.0.0", false),
    violation: "no pod of the version before it was ready",
  },
  {
    when: "its image cannot be pulled",
    version: bad,
    target: pulling,
    control: healthy,
    violation: "no pod of it was seen failing",
  },
  {
    when: "it is good",
    version: "1.1.0",
    target: pod("web-b", "1.1.0", false),
    control: healthy,
    violation: "the version is good",
  },
])("a blame, if $when: $violation", ({ version, target, control, violation }) => {
  const writes = rollback(version, target, control);
  const messages = checkHistory(story(writes, ["1.0.0", version])).map(({ message }) => message);
  expect(messages.length > 0).toBe(violation !== null);
  expect(messages.join("\n")).toContain(violation ?? "");
});

test("a good version may be blamed in an outage of its dependency", () => {
  const writes = rollback("1.1.0", pod("web-b", "1.1.0", false), healthy);
  const told = story(writes, ["1.0.0", "1.1.0"]);
  expect(checkHistory({ ...told, outages: [{ from: 4500, to: 7000 }] })).toEqual([]);
  expect(checkHistory({ ...told, outages: [{ from: 0, to: 2000 }] })).toMatchObject([
    { message: expect.stringContaining("is good") as string },
  ]);
});

test.for([
  { when: "its pods failed", target: failing, count: 1, violation: null },
  { when: "its image cannot be pulled", target: pulling, count: 1, violation: "no pod of it was seen failing" },
  { when: "it counts twice", target: failing, count: 2, violation: "rollbackCount became 2" },
  { when: "it does not count", target: failing, count: 0, violation: null },
])("an attempt that is withdrawn, if $when: $violation", ({ target, count, violation }) => {
  const history = [{ ...entry(bad, "Withdrawn"), startedAt }];
  const writes = rollback(bad, target, healthy, { rollbackCount: count, failedVersions: [], history });
  const messages = checkHistory(story(writes, ["1.0.0", bad])).map(({ message }) => message);
  expect(messages.length > 0).toBe(violation !== null);
  expect(messages.join("\n")).toContain(violation ?? "");
});
