import { expect, test } from "vitest";
import { decideWithoutTags } from "../../../../functions/domain/workload/decision/decide.ts";
import { hold } from "../../../../functions/domain/workload/decision/decision.ts";
import { planCheckRecord } from "../../../../functions/domain/workload/record/record-check.ts";
import {
  claw,
  inFlight,
  noon,
  updatingWorkload,
  workload,
  imageTarget,
  updateTarget,
} from "../../../support/workloads.ts";

const { record: managed } = workload();
const missing = { ...managed, resourceVersion: null, state: "missing" } as const;
const changed = { ...managed, state: "changed" } as const;
const newest = { state: "UpToDate", reason: "NewestVersion", message: "nothing is newer" } as const;
const optedOut = { state: "NotEvaluated", reason: "OptedOut", message: "it is off" } as const;
const off = { policy: { optIn: "no" as const } };
const problem = { lastReported: { held: null, problem: "schedule: what?" } };

test.for([
  { when: "it has everything", subject: workload(), change: null },
  { when: "its spec has changed", subject: workload({ record: changed }), change: {} },
  { when: "the workload opted out", subject: workload(off), change: { deleteRecord: true } },
  { when: "the workload opted out before it existed", subject: workload({ ...off, record: missing }), change: null },
  {
    when: "the value that opts in is unclear",
    subject: workload({ policy: { optIn: "unclear" } }),
    change: null,
  },
  { when: "a canary is left, which is removed first", subject: workload({ ...off, isCanaryLeft: true }), change: null },
  {
    when: "its owner wrote it, disabled it and has not seen that",
    subject: workload({ ...off, record: { ...changed, isManaged: false } }),
    change: { evaluated: optedOut },
  },
  {
    when: "a Claw that is disabled reports a problem",
    subject: claw({ ...off, ...problem }),
    change: { lastReported: { problem: null } },
  },
  {
    when: "the workload opted out during an update",
    subject: updatingWorkload({ ...off, inFlight: { ...inFlight, execution: null } }),
    change: null,
  },
])("of an AutoUpdate, a poll writes $change if $when", ({ subject, change }) => {
  const decision =
    subject.policy.optIn !== "no" ? hold("no-newer-version", "nothing is newer") : hold("disabled", "it is off");
  const updateRecord = { ...subject.updateRecord, currentVersion: "1.0.0" };
  const known = { evaluated: newest, ...subject, updateRecord };
  expect(planCheckRecord(known, decision, noon)).toEqual({ change, events: [], recentEvents: [] });
});

test("an update is announced, and its AutoUpdate created before it", () => {
  const update = { kind: "update", target: imageTarget("registry.example/shop/app:1.1.0") } as const;
  expect(planCheckRecord(workload({ record: missing }), update, noon)).toMatchObject({
    change: { evaluated: { state: "Behind", reason: "UpdateDue" } },
    events: [{ event: "Update Available", version: "1.1.0" }],
  });
  const known = workload({ updateRecord: { candidateVersion: "1.1.0" } });
  expect(planCheckRecord(known, update, noon)).toEqual({ change: null, events: [], recentEvents: [] });
});

test("an update at the first sight of a configuration records its baseline before", () => {
  const config = { salt: "5a17", deployed: { "configmap/app": "config:1" }, versions: { "configmap/app": "1" } };
  const update = { kind: "update", target: updateTarget, config } as const;
  expect(planCheckRecord(workload(), update, noon)).toMatchObject({
    change: { config },
    events: [{ version: "1.1.0" }],
  });
});

test("a request is answered, and nothing is emitted", () => {
  const subject = workload({ request: { verb: "promote", argument: null, token: "t-1" } });
  const decision = decideWithoutTags(subject, noon);
  if (decision.kind !== "request") throw new Error(decision.kind);
  expect(planCheckRecord(subject, decision, noon)).toEqual({
    change: {
      answer: {
        token: "t-1",
        verb: "promote",
        result: "refused: no canary is in flight; use pawl push to start an update",
      },
    },
    events: [],
    recentEvents: [],
  });
});
