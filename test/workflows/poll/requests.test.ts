import { describe, expect, test } from "vitest";
import { pollCluster } from "../../../functions/workflows/poll/poll-cluster.ts";
import { runUntilComplete } from "../../handlers/run-workload-update.ts";
import { digest, digestWorkload, tagAndDigestWorkload } from "../../support/digest-workloads.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import {
  canaryPods,
  image,
  inFlight,
  noon,
  updatingWorkload,
  workload,
  updateTarget,
} from "../../support/workloads.ts";
import { idleWorkload, tags } from "./fixtures.ts";
import { problemsOf } from "../../support/problems.ts";

const listing = { "shop/app": tags, "shop/web": tags };
const { record } = workload();
const asked = (verb: string, argument: string | null = null) => ({ verb, argument, token: "t-1" });

describe("the request of a person", () => {
  test("is answered, and the workload evaluated again in the same poll", async () => {
    const open = { updateRecord: { circuitOpen: true, rollbackCount: 3 }, request: asked("reset") };
    const ports = fakePorts({ workloads: [workload(open)], tags: listing });
    expect(await pollCluster(ports)).toMatchObject({ started: 1, failed: [] });
    expect(ports.executions.started).toMatchObject([{ input: { target: updateTarget } }]);
    expect(ports.cluster.get()).toMatchObject({
      request: null,
      lastRequest: { token: "t-1", verb: "reset" },
      updateRecord: { circuitOpen: false },
    });
  });

  test("for an older version is pushed, once, and keeps the digests of its tag", async () => {
    const published = { "shop/app": [...tags, "0.9.0"] };
    const pushed = { request: asked("push", "0.9.0"), updateRecord: { currentVersion: "1.1.0" } };
    const ports = fakePorts({ workloads: [tagAndDigestWorkload(pushed)], tags: published, digests: () => [digest(2)] });
    await pollCluster(ports);
    expect(ports.executions.started).toMatchObject([
      {
        input: {
          target: { image: "registry.example/shop/app:0.9.0" },
          strategy: "rolling",
          digests: `app:${digest(2)}`,
        },
      },
    ]);
    await runUntilComplete(ports);
    expect(ports.executions.started).toHaveLength(1);
    expect(ports.cluster.get()).toMatchObject({
      image: "registry.example/shop/app:0.9.0",
      lastRequest: { token: "t-1", result: expect.stringMatching(/^update to 0\.9\.0 is requested: execution /) },
      updateRecord: { currentVersion: "0.9.0", minimumVersion: "1.1.0" },
    });
  });

  test.for([
    { published: ["1.0.0", "1.1.0", "1.9.0", "1.10.0", "4829103"], known: "newest are 1.10.0, 1.9.0, 1.1.0" },
    { published: [], known: "it has no versions" },
    { published: ["latest"], known: "it has no versions" },
  ])("for a version that is not published is refused: $known", async ({ published, known }) => {
    const initial = workload({ request: asked("push", "9.9.9"), policy: { paused: true } });
    const ports = fakePorts({ workloads: [initial], tags: { "shop/app": published } });
    expect(await pollCluster(ports)).toMatchObject({ started: 0, failed: [] });
    const result = `refused: 9.9.9 is not in registry.example/shop/app; ${known}`;
    expect(ports.cluster.get()).toMatchObject({
      image: initial.image,
      inFlight: null,
      lastRequest: { token: "t-1", verb: "push", result },
    });
  });

  test("fails alone if its answer is not stored", async () => {
    const ports = fakePorts({
      workloads: [workload({ request: asked("promote") }), idleWorkload("web")],
      tags: listing,
    });
    const checkRecorder = { record: async () => "recorded" as const };
    const report = await pollCluster({ ...ports, checkRecorder });
    expect(report).toMatchObject({
      started: 1,
      failed: [{ workload: { name: "app" }, message: expect.stringContaining("was not stored") }],
    });
  });
});

test("without the CRD nothing is written or started, and the poll continues", async () => {
  const unavailable = { ...record, resourceVersion: null, state: "unavailable" } as const;
  const initial = workload({ record: unavailable, problems: problemsOf("the CRD is not installed") });
  const ports = fakePorts({ workloads: [initial, idleWorkload("web")], tags: listing });
  expect(await pollCluster(ports)).toMatchObject({ problems: 1, started: 1, failed: [] });
  expect(ports.cluster.get()).toEqual(initial);
  expect(ports.published.map((event) => event.workload.name)).toEqual(["web"]);
});

describe("what only an updater may write is left to an execution", () => {
  const canary = { unit: "replicas", amount: 1 } as const;
  const blocked = digestWorkload({ digests: { isBlockedByFinalizer: true } });

  test.for([
    {
      what: "a canary without a recorded update",
      initial: workload({ policy: { canary }, canary: canaryPods }),
      strategy: "abort",
    },
    { what: "a finalizer", initial: blocked, strategy: "restart" },
  ])("$what: $strategy", async ({ initial, strategy }) => {
    const ports = fakePorts({ workloads: [initial], digests: () => [digest(1)], tags: { "shop/app": ["1.0.0"] } });
    expect(await pollCluster(ports)).toMatchObject({ started: 1 });
    expect(ports.executions.started).toMatchObject([
      { input: { target: { image: initial.image }, strategy, adopting: false } },
    ]);
    await pollCluster(ports);
    expect(ports.executions.started).toHaveLength(1);
    await runUntilComplete(ports);
    expect(ports.cluster.get()).toMatchObject({ image: initial.image, canary: null, inFlight: null });
    expect(ports.cluster.get().digests?.isBlockedByFinalizer ?? false).toBe(false);
    expect(ports.cluster.get().updateRecord.versionHistory).toEqual([]);
  });

  test("a manual change of a rollout needs none: its claim is released", async () => {
    const updateRecord = { currentVersion: "1.0.0" };
    const initial = updatingWorkload({ image: "registry.example/shop/app:hotfix", inFlight, updateRecord });
    const ports = fakePorts({ workloads: [initial], tags: listing, now: noon });
    expect(await pollCluster(ports)).toMatchObject({ started: 0 });
    const recorded = { currentVersion: "1.0.0", minimumVersion: "1.1.0" };
    expect(ports.cluster.get()).toMatchObject({ inFlight: null, updateRecord: recorded });
  });
});

test("an AutoUpdate that is missing is created, and the workload that opted out loses it", async () => {
  const missing = { ...record, resourceVersion: null, state: "missing" } as const;
  const ports = fakePorts({ workloads: [workload({ record: missing })], tags: { "shop/app": ["1.0.0"] } });
  await pollCluster(ports);
  expect(ports.cluster.get()).toMatchObject({
    image,
    record: { state: "observed" },
    updateRecord: { currentVersion: "1.0.0" },
  });
  const created = ports.cluster.get();
  ports.cluster.put({ ...created, policy: { ...created.policy, optIn: "no" } });
  await pollCluster(ports);
  expect(ports.cluster.get().record).toMatchObject({ state: "missing", resourceVersion: null });
});
