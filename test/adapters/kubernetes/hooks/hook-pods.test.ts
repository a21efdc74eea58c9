import { describe, expect, test } from "vitest";
import type { KubernetesApi } from "../../../../functions/adapters/kubernetes/api.ts";
import { createHookJobs } from "../../../../functions/adapters/kubernetes/hooks/hook-jobs.ts";
import { workload } from "../../../support/workloads.ts";
import { noApi } from "../reading.ts";

const spec = { name: "migrate-0123456789ab", uid: "u-6" };
const metadata = { name: spec.name, namespace: "shop", uid: spec.uid, resourceVersion: "1" };

function pod(name: string, exitCode: number, status: object = {}, meta: object = {}) {
  return {
    metadata: { name, uid: name, creationTimestamp: `2026-11-20T12:0${name.length}:00Z`, ...meta },
    spec: { containers: [{ name: "first" }, { name: "second" }] },
    status: { containerStatuses: [{ name: "second", state: { terminated: { exitCode } } }], ...status },
  };
}
const disrupted = { conditions: [{ type: "DisruptionTarget", status: "True" }] };

interface Failure {
  readonly pods?: readonly object[];
  readonly failed?: number;
  readonly job?: object;
  readonly restartPolicy?: string;
  readonly reason?: string;
  readonly isRunning?: boolean;
}

function readFailed({
  pods = [],
  failed = pods.length,
  job = {},
  restartPolicy = "Never",
  reason = "BackoffLimitExceeded",
  isRunning = false,
}: Failure) {
  const found = {
    metadata,
    spec: { template: { spec: { restartPolicy, containers: [] } }, ...job },
    status: isRunning ? {} : { failed, conditions: [{ type: "Failed", status: "True", reason, message: "why" }] },
  };
  const api: KubernetesApi = {
    ...noApi,
    get: async <T>() => found as T,
    listPods: async (_namespace, selector) => (selector === "controller-uid=u-6" ? (pods as never) : []),
    readLog: async (_namespace, name, container) =>
      `${name}/${container}\n\u001B[31mlast line\u001B[0m password=hunter2\n`,
  };
  return createHookJobs(api).readHook(workload(), spec);
}

describe("a Job that failed", () => {
  test.for([
    { when: "all its pods exited with an error", pods: [pod("a", 1), pod("bb", 2)], kind: "failed" },
    {
      when: "its init container did",
      pods: [
        pod("a", 0, {
          containerStatuses: [],
          initContainerStatuses: [{ name: "i", state: { terminated: { exitCode: 1 } } }],
        }),
      ],
      kind: "failed",
    },
    {
      when: "by its own policy for failures of pods",
      pods: [pod("a", 42)],
      reason: "PodFailurePolicy",
      kind: "failed",
    },
    { when: "its only pod was evicted", pods: [pod("a", 137, disrupted)], kind: "ended" },
    {
      when: "an older kubelet evicted it",
      pods: [pod("a", 137, { phase: "Failed", reason: "Evicted" })],
      kind: "ended",
    },
    {
      when: "an older kubelet preempted it",
      pods: [pod("a", 137, { phase: "Failed", reason: "Preempting" })],
      kind: "ended",
    },
    { when: "its only pod was deleted", pods: [], failed: 1, kind: "ended" },
    {
      when: "its only pod is being deleted",
      pods: [pod("a", 143, {}, { deletionTimestamp: "2026-11-20T12:05:00Z" })],
      kind: "ended",
    },
    {
      when: "a pod was evicted, and the next one failed",
      pods: [pod("a", 137, disrupted), pod("bb", 1)],
      kind: "ended",
    },
    { when: "a pod was deleted, and the next one failed", pods: [pod("a", 1)], failed: 2, kind: "ended" },
    {
      when: "a pod was evicted, and enough others failed",
      pods: [pod("a", 137, disrupted), pod("bb", 1), pod("ccc", 1)],
      job: { backoffLimit: 1 },
      kind: "failed",
    },
    { when: "its containers were restarted too often", failed: 1, restartPolicy: "OnFailure", kind: "failed" },
    { when: "its pods were deleted too often", failed: 7, restartPolicy: "OnFailure", kind: "ended" },
    {
      when: "its containers were restarted, and a pod was evicted",
      pods: [pod("a", 137, disrupted)],
      restartPolicy: "OnFailure",
      kind: "ended",
    },
    {
      when: "a pod exited with an error until its deadline",
      pods: [pod("a", 1)],
      reason: "DeadlineExceeded",
      kind: "failed",
    },
    { when: "its pod was deleted at its deadline", pods: [], reason: "DeadlineExceeded", kind: "ended" },
    {
      when: "its node was shut down until its deadline",
      pods: [pod("a", 143, { phase: "Failed", reason: "Terminated" })],
      reason: "DeadlineExceeded",
      kind: "ended",
    },
    { when: "its node was shut down", pods: [pod("a", 143, { phase: "Failed", reason: "Terminated" })], kind: "ended" },
    {
      when: "its node was rebooted",
      pods: [
        pod("a", 255, {
          containerStatuses: [{ name: "second", state: { terminated: { exitCode: 255, reason: "Unknown" } } }],
        }),
      ],
      kind: "ended",
    },
    { when: "no pod of it ran", reason: "FailedIndexes", restartPolicy: "OnFailure", kind: "ended" },
  ])("is blamed only if its containers are the cause: $when", async ({ kind, ...failure }) => {
    expect(await readFailed(failure)).toMatchObject({ kind, reason: expect.stringMatching(/: why$/) });
  });

  test.for([
    { when: "without a pod", pods: [], log: [] },
    { when: "of the container that failed", pods: [pod("a", 1)], log: ["a/second", "last line password=[redacted]"] },
    { when: "of the last pod", pods: [pod("bb", 0), pod("a", 1)], log: ["bb/first", "last line password=[redacted]"] },
  ])("the end of its log, $when, redacted, without what controls a terminal", async ({ pods, log }) => {
    expect(await readFailed({ pods })).toMatchObject({ log });
  });
});

describe("what the pods of a Job show that has not ended", () => {
  const waits = (reason: string, message = "") => ({
    phase: "Pending",
    containerStatuses: [{ name: "second", state: { waiting: { reason, message } } }],
  });
  const runs = { phase: "Running", containerStatuses: [{ name: "second", state: {} }] };
  const [failed, running, waiting, refused] = ["failed", "running", "waiting", "refused"];

  test.for([
    { when: "none was created", pods: [], kind: waiting, reason: /^no pod was created$/ },
    { when: "one runs", pods: [pod("a", 0, runs)], kind: running, reason: /^$/ },
    {
      when: "one exited with an error, and the next runs",
      pods: [pod("a", 3), pod("bb", 0, runs)],
      kind: failed,
      reason: /exit 3/,
    },
    {
      when: "one was evicted, and the next runs",
      pods: [pod("a", 137, disrupted), pod("bb", 0, runs)],
      kind: running,
      reason: "",
    },
    {
      when: "no node takes it",
      pods: [pod("a", 0, waits("ContainerCreating"))],
      kind: waiting,
      reason: /ContainerCreating/,
    },
    {
      when: "its image is not found",
      pods: [pod("a", 0, waits("ImagePullBackOff", "shop/a:1: not found"))],
      kind: refused,
      reason: /not found/,
    },
    {
      when: "its registry answers 429",
      pods: [pod("a", 0, waits("ErrImagePull", "429 Too Many Requests"))],
      kind: waiting,
      reason: /429/,
    },
    {
      when: "its image is no name",
      pods: [pod("a", 0, waits("InvalidImageName"))],
      kind: refused,
      reason: /InvalidImageName/,
    },
  ])("$when", async ({ pods, kind, reason }) => {
    const read = await readFailed({ pods, isRunning: true });
    const log = kind === failed ? ["a/second", "last line password=[redacted]"] : [];
    expect(read).toMatchObject({ kind: "running", progress: { kind, reason: expect.stringMatching(reason), log } });
  });
});
