import { afterAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { WorkloadRef } from "../../../../../functions/domain/workload/workload.ts";
import { autoUpdatePath } from "../../../../contracts/cluster/auto-update/harness.ts";
import { claimCanary, eventually, promote, revert } from "../../../../contracts/cluster/canary/harness.ts";
import {
  annotationsOf,
  change,
  createObject,
  getObject,
  type Harness,
  openHarness,
  patchObject,
  read,
} from "../../../../contracts/cluster/harness.ts";
import { before, manifest, target } from "../../../../contracts/cluster-fixtures.ts";
import { textsOf } from "../../../../support/problems.ts";
import { startCluster } from "../../embedded-cluster.ts";
import { readBuiltIn } from "../../reading.ts";

const onDelete = { updateStrategy: { type: "OnDelete" } };
const nodes = { desiredNumberScheduled: 3, numberReady: 3, numberAvailable: 3 };

describe("a canary of a DaemonSet is a problem before anything starts", () => {
  const noRoom = "the canary would leave no stable replica of";
  test.for([
    { when: "with OnDelete: none", spec: onDelete, policy: { canary: "1" }, problem: [] },
    {
      when: "with RollingUpdate",
      spec: { updateStrategy: { type: "RollingUpdate" } },
      policy: { canary: "10%" },
      problem: [
        "pawl.dev/canary: spec.updateStrategy.type RollingUpdate replaces all pods of a DaemonSet, and leaves none for a canary to be compared with; use OnDelete",
      ],
    },
    {
      when: "without a strategy, which is RollingUpdate",
      spec: {},
      policy: { "canary-steps": '[{"size":1}]' },
      problem: [
        expect.stringMatching(/^pawl\.dev\/canary-steps: spec\.updateStrategy\.type RollingUpdate .*; use OnDelete$/),
      ],
    },
    {
      when: "of all nodes",
      spec: onDelete,
      policy: { canary: "3" },
      problem: [`pawl.dev/canary: ${noRoom} 3; use at most 2`],
    },
    { when: "on no node", spec: onDelete, status: {}, policy: { canary: "25%" }, problem: [] },
  ])("$when", async ({ spec, status = nodes, policy, problem }) => {
    const annotations = Object.fromEntries(Object.entries(policy).map(([key, value]) => [`pawl.dev/${key}`, value]));
    expect(textsOf((await readBuiltIn("DaemonSet", { annotations, spec }, { status })).problems)).toEqual(problem);
  });
});

describe("on a cluster", async () => {
  const cluster = await startCluster();
  afterAll(() => cluster.close());
  let harness: Harness;
  let ref: WorkloadRef;

  beforeEach(async () => {
    harness = await openHarness(cluster.kubeConfig);
    onTestFinished(() => harness.close());
    const template = { metadata: { labels: { app: "app" } }, spec: { containers: [{ name: "app", image: before }] } };
    const annotations = { "pawl.dev/canary": "1" };
    ref = await createObject(
      harness,
      "DaemonSet",
      manifest("DaemonSet", { annotations, spec: { ...onDelete, template } }),
    );
    await eventually(async () => {
      const { rollout } = await read(harness, ref);
      expect(rollout?.readyReplicas).toBeGreaterThan(1);
      expect(rollout?.readyReplicas).toBe(rollout?.desiredReplicas);
    });
    await change(harness, ref, claimCanary());
  });

  const total = async () => (await read(harness, ref)).rollout?.desiredReplicas ?? 0;

  async function evictFirst() {
    await eventually(async () => {
      const pods = await harness.cluster.listPods(await read(harness, ref));
      expect(pods.every(({ isUpdated }) => !isUpdated)).toBe(true);
    });
    const workload = await read(harness, ref);
    const [pod] = (await harness.cluster.listPods(workload)).toSorted((a, b) => `${a.node}`.localeCompare(`${b.node}`));
    if (pod === undefined) throw new Error("no pod");
    expect(pod.node).not.toBeNull();
    expect(await harness.cluster.evictPod(workload, pod)).toEqual({ kind: "evicted" });
    const complete = { desiredReplicas: 1, updatedReplicas: 1, readyReplicas: 1, oldReplicas: 0 };
    await eventually(async () => expect((await read(harness, ref)).canary).toMatchObject(complete));
    return pod;
  }

  test("it has no pod until one is evicted, and its pods are recognized by their names", async () => {
    await eventually(async () => {
      const { canary, rollout } = await read(harness, ref);
      expect(rollout?.observedGeneration).toBe(rollout?.generation);
      expect(canary).toMatchObject({
        image: target,
        desiredReplicas: 1,
        updatedReplicas: 0,
        partition: (await total()) - 1,
      });
    });
    expect(annotationsOf(await getObject(harness, ref))).toMatchObject({ "pawl.dev/canary-partition": "1" });
    const evicted = await evictFirst();
    const workload = await read(harness, ref);
    const pods = await harness.cluster.listPods(workload);
    const { canaryPods = "", stablePods = "", canary, stable, canarySelector } = workload.canaryNames;
    const matching = (pattern: string) => pods.filter(({ name }) => new RegExp(pattern).test(name));
    expect(matching(canaryPods)).toEqual(pods.filter(({ isUpdated }) => isUpdated));
    expect(matching(canaryPods).map(({ node }) => node)).toEqual([evicted.node]);
    expect(matching(stablePods)).toEqual(pods.filter(({ isUpdated }) => !isUpdated));
    expect(canarySelector).toBe(`app=app,controller-revision-hash=${canary}`);
    expect(stable).not.toBe(canary);
  });

  test.for([
    { what: "promoted", step: promote, image: target },
    { what: "reverted", step: revert, image: before },
  ])("$what, it leaves no mark", async ({ step, image }) => {
    await evictFirst();
    const { image: runs, canary } = await change(harness, ref, step);
    expect({ runs, canary }).toEqual({ runs: image, canary: null });
    expect(annotationsOf(await getObject(harness, ref))).not.toHaveProperty("pawl.dev/canary-partition");
  });

  test.for([
    { when: "the image before it is restored", set: null, image: before },
    { when: "the image that a person has set since stays", set: `${target}-mine`, image: `${target}-mine` },
  ])("left without a record, it is removed: $when", async ({ set, image }) => {
    await evictFirst();
    await harness.request("DELETE", autoUpdatePath(ref));
    const containers = [{ name: "app", image: set }];
    const strategic = { contentType: "application/strategic-merge-patch+json" };
    if (set !== null) await patchObject(harness, ref, { spec: { template: { spec: { containers } } } }, strategic);
    expect(await read(harness, ref)).toMatchObject({ isCanaryLeft: true, inFlight: null });
    const after = await change(harness, ref, () => ({ canary: null }));
    expect(after).toMatchObject({ isCanaryLeft: false, image });
  });
});
