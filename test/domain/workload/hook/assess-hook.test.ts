import { expect, test } from "vitest";
import type { HookProgress } from "../../../../functions/domain/workload/hook/hook.ts";
import { assessHook, describeHookEnd } from "../../../../functions/domain/workload/hook/assess-hook.ts";
import { after, noon } from "../../../support/workloads.ts";
import { migrate as hook } from "../../../support/workloads/hooks.ts";

const waiting = { kind: "waiting", since: noon, reason: "waits until Job migrate-1 has ended" } as const;
const seen = (progress: Partial<HookProgress>) =>
  ({
    kind: "running",
    uid: "u-6",
    createdAt: noon,
    progress: { kind: "running", reason: "", log: [], ...progress },
  }) as const;
const running = seen({});

test.for([
  { when: "it runs", job: running, minutes: 1, verdict: { kind: "running", waitSeconds: 15 } },
  { when: "it runs for a while", job: running, minutes: 5, verdict: { kind: "running", waitSeconds: 60 } },
  { when: "its deadline has not passed", job: running, minutes: 10, verdict: { kind: "running" } },
  { when: "it is tried again", job: seen({ kind: "failed" }), minutes: 10, verdict: { kind: "running" } },
  { when: "it waits for a node", job: seen({ kind: "waiting" }), minutes: 10, verdict: { kind: "running" } },
  {
    when: "it still runs at its deadline",
    job: running,
    minutes: 10.1,
    verdict: { kind: "ended", result: "failed", reason: "it did not end within 10m0s", isLate: true },
  },
  {
    when: "a container has exited with an error at its deadline",
    job: seen({ kind: "failed", reason: "exit 1", log: ["no such table"] }),
    minutes: 10.1,
    verdict: {
      kind: "ended",
      result: "failed",
      reason: "it did not succeed within 10m0s: exit 1",
      log: ["no such table"],
      isLate: true,
    },
  },
  {
    when: "it has not started at its deadline",
    job: seen({ kind: "waiting", reason: "Unschedulable" }),
    minutes: 10.1,
    verdict: { kind: "ended", result: "unknown", reason: "it did not start within 10m0s: Unschedulable", isLate: true },
  },
  {
    when: "its image does not exist",
    job: seen({ kind: "refused", reason: "InvalidImageName" }),
    minutes: 0.5,
    verdict: { kind: "ended", result: "unknown", reason: "it cannot start: InvalidImageName", isLate: true },
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
    job: { kind: "succeeded" } as const,
    minutes: 1,
    verdict: { kind: "ended", result: "succeeded", log: [] },
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
  expect(assessHook(job, hook, after(minutes))).toMatchObject(verdict);
});

test.for([
  { result: "succeeded", sentence: "the pre hook migrate succeeded" },
  { result: "failed", sentence: "the pre hook migrate failed: why" },
  { result: "unknown", sentence: "the pre hook migrate has no result: why" },
] as const)("the end of a hook is described: $result", ({ result, sentence }) => {
  expect(describeHookEnd({ stage: "pre", job: "migrate" }, result, "why")).toBe(sentence);
});
