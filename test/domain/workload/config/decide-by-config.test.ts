import { describe, expect, test } from "vitest";
import { decideByConfig } from "../../../../functions/domain/workload/config/decide-by-config.ts";
import { type Decision, hold } from "../../../../functions/domain/workload/decision/decision.ts";
import { formatRfc3339 } from "../../../../functions/domain/text/rfc3339.ts";
import { planCheckRecord } from "../../../../functions/domain/workload/record/record-check.ts";
import type {
  ConfigChange,
  ConfigTracking,
  ObservedConfig,
} from "../../../../functions/domain/workload/config/tracking.ts";
import {
  config,
  configDigest,
  changedAt,
  configTarget,
  configWorkload,
  observed,
} from "../../../support/workloads/config-workloads.ts";
import {
  after,
  completeRollout,
  noon,
  workload,
  type WorkloadParts,
  updateTarget,
} from "../../../support/workloads.ts";
import { problemsOf } from "../../../support/problems.ts";

const held = hold("same-config", "only its configuration is tracked");
const update = { kind: "update", target: updateTarget } as const;
const restart = {
  kind: "update",
  target: configTarget,
  digests: { "configmap/app": configDigest(2) },
  config: { lastChange: changedAt(2) },
} as const;
const noted = { config: { lastChange: changedAt(2) } };

const version = `1.0.0@${configDigest(2)}`;

interface Case {
  readonly when: string;
  readonly tracking?: Partial<ConfigTracking>;
  readonly parts?: WorkloadParts;
  readonly byImage?: typeof held | typeof update;
  readonly seen?: ObservedConfig;
  readonly decision: Decision;
}

const first = { salt: null, deployed: {}, versions: {} };
test.for<Case>([
  { when: "nothing has changed", seen: observed(1), decision: held },
  { when: "the content has changed", decision: restart },
  {
    when: "a reference cannot be resolved, and the circuit is open for a new version, which is reported",
    byImage: hold("circuit-open", "1.1.0 is not applied"),
    seen: observed(1, { problems: problemsOf("secret/lost: does not exist") }),
    decision: {
      kind: "problem",
      problems: problemsOf("secret/lost: does not exist"),
      held: hold("circuit-open", "1.1.0 is not applied"),
    },
  },
  {
    when: "a new version is available too: one rollout",
    byImage: update,
    decision: { ...update, ...noted, digests: { "configmap/app": configDigest(2) } },
  },
  {
    when: "a new version is available, and the configuration has not changed",
    byImage: update,
    seen: observed(1),
    decision: { ...update, digests: { "configmap/app": configDigest(1) } },
  },
  {
    when: "a new version is available at first sight: the baseline is recorded before",
    tracking: first,
    byImage: update,
    decision: {
      ...update,
      digests: { "configmap/app": configDigest(2) },
      config: { salt: "5a17", deployed: { "configmap/app": configDigest(2) }, versions: { "configmap/app": "2" } },
    },
  },
  {
    when: "this configuration has failed before",
    parts: { updateRecord: { failedVersions: [version] } },
    decision: { ...held, ...noted, reason: "newer-failed", detail: `${version} has failed before` },
  },
  {
    when: "it has failed before, and the tags are held too",
    parts: { updateRecord: { failedVersions: [version] } },
    byImage: hold("manual-change", "set manually"),
    decision: { ...hold("manual-change", "set manually"), ...noted },
  },
  {
    when: "the circuit is open",
    parts: { updateRecord: { circuitOpen: true } },
    decision: {
      ...held,
      ...noted,
      reason: "circuit-open",
      detail: `the circuit is open: the configuration has changed (${version}) and the workload is not restarted`,
      target: configTarget,
    },
  },
  {
    when: "the circuit is open for a newer version",
    parts: { updateRecord: { circuitOpen: true } },
    byImage: hold("circuit-open", "1.1.0 is not applied"),
    decision: { ...hold("circuit-open", "1.1.0 is not applied"), ...noted },
  },
  {
    when: "the next Job of a CronJob uses it by itself",
    parts: { rollout: { ...completeRollout, podsPer: "job" } },
    decision: {
      ...held,
      config: { deployed: { "configmap/app": configDigest(2) }, versions: { "configmap/app": "2" } },
    },
  },
  {
    when: "no container is found",
    parts: { image: null },
    decision: { ...restart, target: { ...configTarget, image: "" } },
  },
])("$when", ({ tracking, parts, byImage = held, seen = observed(2), decision }) => {
  const own = configWorkload({ ...parts, config: { ...config, ...tracking } });
  expect(decideByConfig(own, byImage, seen, noon)).toEqual(decision);
});

test("a workload whose configuration is not tracked keeps its decision", () => {
  expect(decideByConfig(workload(), update, observed(2), noon)).toEqual(update);
});

const often = { digest: configDigest(9), since: formatRfc3339(after(-59)), references: ["configmap/app"] };

test.for<{ when: string; lastChange?: ConfigChange; seen?: ObservedConfig; noted: Partial<ConfigChange> | null }>([
  { when: "before the first change nothing is noted", seen: observed(1), noted: null },
  { when: "the first change", noted: { digest: configDigest(2), count: 1 } },
  { when: "the content is the one that was noted", lastChange: changedAt(2), noted: null },
  { when: "it has changed again within an hour", lastChange: { ...often, count: 4 }, noted: { count: 5 } },
  {
    when: "it has changed again after more than an hour",
    lastChange: { ...often, count: 4, since: formatRfc3339(after(-60)) },
    noted: { count: 1 },
  },
  {
    when: "it has changed back: that is another change",
    lastChange: { ...often, count: 1 },
    seen: observed(1),
    noted: { digest: configDigest(1), count: 2, references: ["configmap/app"] },
  },
  {
    when: "some of its keys have changed",
    seen: observed(2, { digests: { "configmap/app#1a2b3c4d": configDigest(2) } }),
    noted: { references: ["configmap/app"] },
  },
])("the last change: $when", ({ lastChange, seen = observed(2), noted: expected }) => {
  const deployed = { "configmap/app": configDigest(1), "configmap/app#1a2b3c4d": configDigest(1) };
  const tracking = { ...config, deployed, ...(lastChange === undefined ? {} : { lastChange }) };
  const decision = decideByConfig(configWorkload({ config: tracking }), held, seen, noon);
  if (decision.kind !== "hold" && decision.kind !== "update") throw new Error(decision.kind);
  const none = { digest: "none" };
  const found = decision.config?.lastChange ?? none;
  expect(found).toMatchObject(expected === null ? none : { since: formatRfc3339(noon), ...expected });
});

describe("a restart is delayed", () => {
  const policy = { settleSeconds: 30, minimumIntervalSeconds: 300 };

  test("until the configuration has settled, beside what else is held", () => {
    const gate = { name: "restarts", reason: "ConfigSettling", until: "2026-11-20T12:00:30Z" };
    expect(decideByConfig(configWorkload({ policy }), held, observed(2), noon)).toMatchObject({
      kind: "hold",
      reason: "restart-delayed",
      detail: "configmap/app must not change for 30s",
      target: configTarget,
      gates: [gate],
      ...noted,
    });
    const age = { name: "minimumAge", reason: "TooYoung", message: "1.1.0 is too young" };
    const tooYoung = { ...hold("too-young", age.message), gates: [age] };
    const both = decideByConfig(configWorkload({ policy }), tooYoung, observed(2), noon);
    expect(both).toMatchObject({ reason: "too-young", gates: [age, gate] });
    const failed = hold("newer-failed", "1.1.0 has failed before");
    expect(decideByConfig(configWorkload({ policy }), failed, observed(2), noon)).toMatchObject({
      reason: "restart-delayed",
      gates: [gate],
    });
    const approval = hold("awaiting-approval", "1.1.0 needs it");
    expect(decideByConfig(configWorkload({ policy }), approval, observed(2), noon)).toMatchObject({ gates: [gate] });
  });

  test("and is reported once if it changes often", () => {
    const events = (count: number) => {
      const tracking = { ...config, lastChange: { ...often, count } };
      const own = configWorkload({ policy, config: tracking });
      const decision = decideByConfig(own, held, observed(2), noon);
      if (decision.kind !== "hold") throw new Error(decision.kind);
      expect(decision.gates?.[0]?.reason).toBe(count >= 4 ? "ConfigChangesOften" : "ConfigSettling");
      const problem = { kind: "problem", problems: problemsOf("secret/lost: does not exist"), held: decision } as const;
      const ofProblem = planCheckRecord(own, problem, noon).events.map(({ reason }) => reason);
      const found = planCheckRecord(own, decision, noon).events.map(({ reason, message }) => `${reason}: ${message}`);
      expect(ofProblem).toHaveLength(found.length + 1);
      return found;
    };
    const text = "configmap/app changes often: 5 times, each within an hour of the time before";
    expect([2, 3, 4, 5, 6].map(events)).toEqual([[], [], [`AutoUpdateConfigChangesOften: ${text}`], [], []]);
    const later = configWorkload({ config: { ...config, lastChange: changedAt(2, { count: 5 }) } });
    expect(planCheckRecord(later, held, noon).events).toEqual([]);
  });
});
