import { expect, test } from "vitest";
import { assessHook, describeHookEnd } from "../../../../functions/domain/workload/hook/assess-hook.ts";
import { after, noon, policy } from "../../../support/workloads.ts";
import { migrate as hook } from "../../../support/workloads/hooks.ts";

const waiting = { kind: "waiting", since: noon, reason: "waits until Job migrate-1 has ended" } as const;
const running = { kind: "running", uid: "u-6", createdAt: noon } as const;

test.for([
  { when: "it runs", job: running, minutes: 1, verdict: { kind: "running", waitSeconds: 15 } },
  { when: "it runs for a while", job: running, minutes: 5, verdict: { kind: "running", waitSeconds: 60 } },
  { when: "its deadline has just passed", job: running, minutes: 11, verdict: { kind: "running" } },
  {
    when: "its deadline has passed, and nobody ended it",
    job: running,
    minutes: 12.1,
    verdict: { kind: "ended", result: "unknown", reason: "it did not end within 10m0s", isLate: true },
  },
  { when: "it waits for another one", job: waiting, minutes: 11, verdict: { kind: "running" } },
  {
    when: "it waited too long for another one",
    job: waiting,
    minutes: 12.1,
    verdict: { kind: "ended", result: "unknown", reason: "it waits until Job migrate-1 has ended", log: [] },
  },
  {
    when: "it succeeded",
    job: { kind: "succeeded", log: ["done"] } as const,
    minutes: 1,
    verdict: { kind: "ended", result: "succeeded", log: ["done"] },
  },
  {
    when: "it failed",
    job: { kind: "failed", reason: "BackoffLimitExceeded", log: ["no such table"] } as const,
    minutes: 1,
    verdict: { kind: "ended", result: "failed", reason: "BackoffLimitExceeded", log: ["no such table"] },
  },
  {
    when: "its deadline ended it",
    job: { kind: "ended", reason: "DeadlineExceeded", log: [] } as const,
    minutes: 10,
    verdict: { kind: "ended", result: "unknown", reason: "DeadlineExceeded" },
  },
  {
    when: "it does not exist",
    job: { kind: "missing", reason: "CronJob shop/migrate not found" } as const,
    minutes: 0,
    verdict: { kind: "ended", result: "unknown", reason: "CronJob shop/migrate not found", log: [] },
  },
])("a Job is assessed: $when", ({ job, minutes, verdict }) => {
  expect(assessHook(job, hook, policy, after(minutes))).toMatchObject(verdict);
});

test.for([
  { result: "succeeded", sentence: "the pre hook migrate succeeded" },
  { result: "failed", sentence: "the pre hook migrate failed: why" },
  { result: "unknown", sentence: "the pre hook migrate has no result: why" },
] as const)("the end of a hook is described: $result", ({ result, sentence }) => {
  expect(describeHookEnd({ stage: "pre", job: "migrate" }, result, "why")).toBe(sentence);
});
