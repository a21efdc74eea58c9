import { describe, expect, test } from "vitest";
import { recordCheck } from "../../../../functions/domain/workload/record/record-check.ts";
import { type DigestUpdate, hold } from "../../../../functions/domain/workload/decision/decision.ts";
import { decide } from "../../../support/workloads/decide.ts";
import { digest, digestWorkload, restartingWorkload } from "../../../support/digest-workloads.ts";
import {
  after,
  inFlight,
  noon,
  updatingWorkload,
  workload,
  type WorkloadParts,
  imageTarget,
} from "../../../support/workloads.ts";
import { problemsOf } from "../../../support/problems.ts";

const tags = ["1.0.0", "1.1.0"];

function record({ updateRecord, ...others }: WorkloadParts, listed: readonly string[] = tags) {
  const parts = { ...others, updateRecord: { availableVersion: "1.1.0", ...updateRecord } };
  const initial = "inFlight" in parts ? updatingWorkload(parts) : workload(parts);
  const decision = decide(initial, listed, noon);
  if (decision.kind !== "hold" && decision.kind !== "problem") throw new Error(`decided ${decision.kind}`);
  return recordCheck(initial, decision, noon);
}

describe("an expected hold", () => {
  test.for([
    { when: "disabled", parts: { policy: { optIn: "no" as const } } },
    { when: "paused", parts: { policy: { paused: true } } },
    { when: "pinned", parts: { image: `app@sha256:${"a".repeat(64)}` } },
    {
      when: "up to date and already recorded",
      parts: { image: "app:1.1.0", updateRecord: { currentVersion: "1.1.0" } },
    },
    { when: "not due", parts: { policy: { schedule: "0 3 * * *" }, updateRecord: { lastCheck: after(-1) } } },
  ])("$when: writes and emits nothing", ({ parts }) => {
    expect(record(parts)).toEqual({ change: null, events: [] });
  });

  test("writes the last check if a schedule counts from it", () => {
    const parts = { image: "app:1.1.0", updateRecord: { currentVersion: "1.1.0" }, policy: { schedule: "* * * * *" } };
    expect(record(parts).change).toEqual({ updateRecord: { lastCheck: noon } });
  });

  test("records the newest version that was found, also one that the policy does not allow", () => {
    const parts = { updateRecord: { currentVersion: "1.0.0" }, policy: { versionConstraint: "~1.0.0" } };
    expect(record(parts, [...tags, "2.0.0"]).change?.updateRecord).toEqual({
      availableVersion: "2.0.0",
      lastCheck: noon,
    });
  });
});

describe("an open circuit", () => {
  const open = { circuitOpen: true, currentVersion: "1.0.0" };
  const held = "the circuit is open: version 1.1.0 is available but not applied";

  test("reports the version once", () => {
    const { change, events } = record({ updateRecord: open });
    expect(change).toEqual({ updateRecord: { candidateVersion: "1.1.0", lastCheck: noon }, lastReported: { held } });
    expect(events.map(({ event, reason }) => [event, reason])).toEqual([
      ["Update Available", "AutoUpdateAvailable"],
      ["Update Held", "AutoUpdateCircuitOpen"],
    ]);
  });

  test("reports nothing the second time", () => {
    const parts = { updateRecord: { ...open, candidateVersion: "1.1.0" }, lastReported: { held, problem: null } };
    expect(record(parts)).toEqual({ change: null, events: [] });
  });
});

describe("a manual change", () => {
  test("of an idle workload is reported once, and the chosen image stays", () => {
    const { change, events } = record({ updateRecord: { currentVersion: "1.1.0" } });
    expect(change?.lastReported?.held).toMatch(/^1\.0\.0 was set manually instead of 1\.1\.0/);
    expect(change).not.toHaveProperty("image");
    expect(events.map(({ reason }) => reason)).toEqual(["AutoUpdateHeld"]);
  });

  test("to a newer version makes that the current one, without a warning", () => {
    const { change, events } = record({ image: "app:1.1.0", updateRecord: { currentVersion: "1.0.0" } });
    expect(change).toEqual({ updateRecord: { currentVersion: "1.1.0", lastCheck: noon } });
    expect(events).toEqual([]);
  });

  test("during an update releases the claim and keeps the image", () => {
    const { change, events } = record({ inFlight, image: "app:hotfix" });
    expect(change).toMatchObject({ inFlight: null, updateRecord: { minimumVersion: "1.1.0" } });
    expect(change).not.toHaveProperty("updateRecord.currentVersion");
    expect(change).not.toHaveProperty("image");
    expect(events).toHaveLength(1);
  });
});

describe("a problem", () => {
  const problem = 'pawl.dev/schedule "often": expected five fields';

  test("is written and emitted once", () => {
    const { change, events } = record({ problems: problemsOf(problem) });
    expect(change).toEqual({ lastReported: { problem } });
    expect(events.map(({ event, type, reason }) => [event, type, reason])).toEqual([
      ["Update Held", "Warning", "AutoUpdateProblem"],
    ]);
    expect(record({ problems: problemsOf(problem), lastReported: { held: null, problem } })).toEqual({
      change: null,
      events: [],
    });
  });

  test("is written beside what the workload is held for, once", () => {
    const held = { ...hold("circuit-open", "it is open"), target: imageTarget("app:1.1.0") };
    const decision = { kind: "problem", problems: problemsOf(problem), held } as const;
    const { change, events } = recordCheck(workload(), decision, noon);
    expect(change).toMatchObject({
      updateRecord: { candidateVersion: "1.1.0" },
      lastReported: { held: "it is open", problem },
    });
    expect(events.map(({ reason }) => reason)).toEqual([
      "AutoUpdateAvailable",
      "AutoUpdateCircuitOpen",
      "AutoUpdateProblem",
    ]);
    const lastReported = { held: "it is open", problem };
    const updateRecord = { candidateVersion: "1.1.0", currentVersion: "1.0.0" };
    expect(recordCheck(workload({ lastReported, updateRecord }), decision, noon)).toEqual({ change: null, events: [] });
  });
});

describe("observed digests", () => {
  const holdWith = (digests: DigestUpdate) => ({ ...hold("reverted-digest", "it is confirmed later"), digests });

  test.for<{ when: string; digests: DigestUpdate; written: object }>([
    {
      when: "a tag moved back",
      digests: { reverted: { app: digest(1) } },
      written: { reverted: { since: noon, digests: { app: digest(1) } } },
    },
    { when: "a tag moved forward again", digests: { reverted: null }, written: { reverted: null } },
    {
      when: "the running digests are adopted",
      digests: { deployed: { app: digest(1) }, reverted: null },
      written: { deployed: { app: digest(1) }, reverted: null },
    },
  ])("are recorded: $when", ({ digests, written }) => {
    expect(recordCheck(digestWorkload(), holdWith(digests), noon)).toEqual({
      change: { digests: written },
      events: [],
    });
  });

  test("release the claim of a restart that a person undid, and keep the current version", () => {
    const initial = restartingWorkload({ restartedAt: null });
    const { change } = recordCheck(initial, hold("manual-change", "the restart was reverted"), noon);
    expect(change).toEqual({ inFlight: null, lastReported: { held: "the restart was reverted" } });
  });
});
