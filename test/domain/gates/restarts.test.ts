import { expect, test } from "vitest";
import { closedSince } from "../../../functions/domain/gates/gates.ts";
import { restartsGate } from "../../../functions/domain/gates/restarts.ts";
import { windowsGate } from "../../../functions/domain/gates/windows.ts";
import { fromEpoch } from "../../../functions/domain/text/rfc3339.ts";
import type { ConfigChange } from "../../../functions/domain/workload/config/tracking.ts";
import type { HistoryEntry } from "../../../functions/domain/workload/workload.ts";
import { changedAt, config, configTarget, configWorkload } from "../../support/workloads/config-workloads.ts";
import { noon, updateTarget, type WorkloadParts, workload } from "../../support/workloads.ts";

const at = (seconds: number) => fromEpoch(noon.getTime() + seconds * 1000);
const policy = { settleSeconds: 30, minimumIntervalSeconds: 300 };
const open = { reason: "none" };
const restarted = (seconds: number, parts: Partial<HistoryEntry> = {}): WorkloadParts => ({
  updateRecord: {
    versionHistory: [
      { version: "1.0.0@config:1", appliedAt: at(seconds), status: "Healthy", kind: "config", ...parts },
    ],
  },
});

test.for<{ when: string; lastChange?: ConfigChange; parts?: WorkloadParts; now?: number; closed: object | null }>([
  { when: "nothing is known of the change, and nothing of a restart", closed: null },
  {
    when: "it was just seen",
    lastChange: changedAt(2),
    closed: {
      reason: "ConfigSettling",
      message: "configmap/app must not change for 30s",
      until: at(30),
      liftedBy: "pawl restart",
    },
  },
  { when: "it was seen a second less than the settle time ago", lastChange: changedAt(2), now: 29, closed: {} },
  { when: "it was seen so long ago as it must be", lastChange: changedAt(2), now: 30, closed: null },
  { when: "its time is none", lastChange: changedAt(2, { since: "soon" }), closed: null },
  { when: "nothing must settle", lastChange: changedAt(2), parts: { policy: { settleSeconds: 0 } }, closed: null },
  {
    when: "it was restarted, and has settled",
    lastChange: changedAt(2),
    parts: restarted(0),
    now: 60,
    closed: {
      reason: "RestartedRecently",
      message: "configmap/app has changed, and restarts the workload at most once in 5m0s",
      until: at(301),
    },
  },
  { when: "the restart was long enough ago", parts: restarted(0), now: 301, closed: null },
  { when: "an image was applied", parts: restarted(0, { kind: "image" }), closed: null },
  { when: "a person has restarted it", parts: { restartedAt: noon }, now: 299, closed: { until: at(301) } },
  { when: "a clock was ahead", parts: { restartedAt: at(60) }, closed: { until: at(361) } },
  { when: "somebody wrote a time of next year", parts: { restartedAt: at(3e7) }, closed: null },
  {
    when: "it was restarted twice: the last one counts",
    parts: { ...restarted(-60), restartedAt: at(-10) },
    closed: { until: at(291) },
  },
  {
    when: "no time must be between restarts",
    parts: { ...restarted(0), policy: { minimumIntervalSeconds: 0 } },
    closed: null,
  },
  {
    when: "it was restarted, and must settle for longer than that",
    lastChange: changedAt(2),
    parts: { ...restarted(-280) },
    closed: { reason: "ConfigSettling", until: at(30) },
  },
  {
    when: "it changes often",
    lastChange: changedAt(2, { count: 5 }),
    closed: { reason: "ConfigChangesOften", message: "configmap/app must not change for 30s, and changes often" },
  },
])("the gate of restarts: $when", ({ lastChange, parts = {}, now = 0, closed }) => {
  const tracking = { ...config, ...(lastChange === undefined ? {} : { lastChange }) };
  const own = configWorkload({ ...parts, config: tracking, policy: { ...policy, ...parts.policy } });
  const found = restartsGate.evaluate(own, configTarget, at(now));
  expect(found ?? open).toMatchObject(closed ?? open);
  expect(closedSince(own, configTarget, at(now))).toBe(found?.message ?? null);
  expect(restartsGate.evaluate(own, updateTarget, at(now))).toBeNull();
});

test("without settings it settles for 30 s, and restarts once in 5 minutes", () => {
  const own = (parts: WorkloadParts) => workload({ config: { ...config, lastChange: changedAt(2) }, ...parts });
  expect(restartsGate.evaluate(own({}), configTarget, noon)?.until).toEqual(at(30));
  expect(restartsGate.evaluate(own(restarted(0)), configTarget, noon)?.until).toEqual(at(301));
  expect(restartsGate.evaluate(workload({ restartedAt: noon }), configTarget, noon)?.message).toMatch(
    /^the configuration has/,
  );
});

test("it waits for the windows only if its owner says so", () => {
  const windows = [{ schedule: "0 3 * * 1", durationSeconds: 60 }];
  const closed = (target: Parameters<typeof windowsGate.evaluate>[1], restartsInWindows?: true) =>
    windowsGate.evaluate(
      configWorkload({ policy: { windows, ...(restartsInWindows && { restartsInWindows }) } }),
      target,
      noon,
    )?.reason ?? null;
  expect([closed(configTarget), closed(configTarget, true), closed(updateTarget)]).toEqual([
    null,
    "WindowClosed",
    "WindowClosed",
  ]);
});
