import { describe, expect, test } from "vitest";
import { rollbackOf } from "../../support/rollback.ts";
import { pollCluster } from "../../../functions/workflows/poll/poll-cluster.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import {
  digest,
  digestWorkload,
  restartingWorkload,
  restartInFlight,
  restartTarget,
  restartImage,
} from "../../support/digest-workloads.ts";
import { after, image, inFlight, noon, imageTarget, updateTarget } from "../../support/workloads.ts";
import { namedUpdatingWorkload, idleWorkload, tags } from "./fixtures.ts";

const listing = { "shop/web": tags };
const failedOnce = { version: "1.1.0", appliedAt: noon, status: "RolledBack" } as const;

describe("an update", () => {
  test("is started with the input of the state machine", async () => {
    const ports = fakePorts({ workloads: [idleWorkload("web")], tags: listing });
    await pollCluster(ports);
    const { ref } = idleWorkload("web");
    const newer = "registry.example/shop/web:1.1.0";
    const target = { ...imageTarget(newer), digest: `sha256:${"0".repeat(64)}` };
    const common = { cluster: "production", workload: ref, target };
    expect(ports.executions.started).toEqual([
      {
        name: expect.stringMatching(/^shop-web-1-1-0-\w+$/),
        input: { ...common, strategy: "rolling", digests: "", adopting: false },
      },
    ]);
  });

  test("of an image with a digest beside its tag is written with the digest of the new tag", async () => {
    const pinned = { ...idleWorkload("web"), image: `registry.example/shop/web:1.0.0@${digest(1)}` };
    const workload = { ...pinned, source: pinned.image };
    const ports = fakePorts({ workloads: [workload], tags: listing, digests: () => [digest(2), digest(8)] });
    await pollCluster(ports);
    const target = { ...imageTarget("registry.example/shop/web:1.1.0"), digest: digest(2), pinned: true };
    expect(ports.executions.started).toMatchObject([{ input: { target } }]);
  });

  test("by digest is started as a restart, with the digest of the tag", async () => {
    const ports = fakePorts({ workloads: [digestWorkload()], digests: () => [digest(2), digest(8)] });
    await pollCluster(ports);
    expect(ports.executions.started).toEqual([
      {
        name: expect.stringMatching(/^shop-app-prod-sha256-0{12}-\w+$/),
        input: {
          cluster: "production",
          workload: digestWorkload().ref,
          target: restartTarget,
          strategy: "restart",
          digests: `app:${digest(2)}`,
          manifests: `app:${digest(2)},app:${digest(8)}`,
          adopting: false,
        },
      },
    ]);
    expect(ports.published).toMatchObject([{ type: "Update Available", version: `prod@${digest(2)}` }]);
  });

  test.for([
    { when: "a restart", claim: restartInFlight, strategy: "restart" },
    {
      when: "a rollback",
      claim: rollbackOf(restartInFlight, { digests: null }),
      strategy: "rolling",
    },
  ])("without a running execution is adopted with its digests: $when", async ({ claim, strategy }) => {
    const ports = fakePorts({ workloads: [restartingWorkload({ inFlight: claim, image: restartImage })] });
    await pollCluster(ports);
    const digests = claim.digests === null ? "" : `app:${digest(2)}`;
    expect(ports.executions.started).toMatchObject([
      { input: { target: claim.target, strategy, digests, adopting: true } },
    ]);
  });

  test("is started once by concurrent and by consecutive polls", async () => {
    const ports = fakePorts({ workloads: [idleWorkload("web")], tags: listing });
    const reports = await Promise.all([pollCluster(ports), pollCluster(ports)]);
    await pollCluster(ports);
    expect(reports.map(({ started }) => started)).toEqual([1, 1]);
    expect(ports.executions.started).toHaveLength(1);
  });

  test("that is retried after a rollback has another execution name", async () => {
    const first = fakePorts({ workloads: [idleWorkload("web")], tags: listing });
    const retried = idleWorkload("web", undefined, { updateRecord: { versionHistory: [failedOnce] } });
    const second = fakePorts({ workloads: [retried], tags: listing });
    await pollCluster(first);
    await pollCluster(second);
    expect(second.executions.started[0]?.name).not.toBe(first.executions.started[0]?.name);
  });
});

describe("an update in flight", () => {
  const manual = { ...inFlight, execution: null };

  test.for([
    { when: "its execution has ended", claim: inFlight, ended: true, parts: {} },
    { when: "its execution is unknown", claim: inFlight, ended: false, parts: {} },
    { when: "the annotations were set manually", claim: manual, ended: false, parts: {} },
    { when: "the annotations were set manually before the image", claim: manual, ended: false, parts: { image } },
    {
      when: "the annotations were set manually while the circuit is open",
      claim: manual,
      ended: false,
      parts: { updateRecord: { circuitOpen: true } },
    },
    {
      when: "a malformed start time was set manually",
      claim: { ...manual, startedAt: "malformed" as const },
      ended: false,
      parts: {},
    },
    { when: "it was disabled", claim: inFlight, ended: true, parts: { policy: { optIn: "no" as const } } },
    { when: "it was paused", claim: inFlight, ended: true, parts: { policy: { paused: true } } },
  ])("is adopted by one execution of concurrent polls if $when", async ({ claim, ended, parts }) => {
    const ports = fakePorts({ workloads: [namedUpdatingWorkload("web", { inFlight: claim, ...parts })] });
    if (ended) {
      await ports.executions.start("e-1", {} as never);
      ports.executions.finish("e-1");
    }
    const reports = await Promise.all([pollCluster(ports), pollCluster(ports)]);
    expect(reports.map(({ adopted }) => adopted)).toEqual([1, 1]);
    const adoptions = ports.executions.started.filter(({ name }) => name !== "e-1");
    expect(adoptions).toMatchObject([{ input: { target: updateTarget, adopting: true } }]);
  });

  test("that was set manually a second time is adopted by another execution", async () => {
    const names = [];
    for (const startedAt of [noon, after(60)]) {
      const ports = fakePorts({ workloads: [namedUpdatingWorkload("web", { inFlight: { ...manual, startedAt } })] });
      await pollCluster(ports);
      names.push(ports.executions.started[0]?.name);
    }
    expect(names[0]).not.toBe(names[1]);
  });
});
