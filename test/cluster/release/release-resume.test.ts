import { AppsV1Api, CustomObjectsApi, PatchStrategy, setHeaderOptions } from "@kubernetes/client-node";
import { expect, test } from "vitest";
import type { ReleaseStatus } from "../../../functions/adapters/kubernetes/auto-update/status/status-fields.ts";
import { annotations } from "../../../functions/domain/workload/policy/annotations.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { neverReadyAnnotation } from "../../support/control-plane/kubelet/pull.ts";
import { isSoak } from "../../support/property-runs.ts";
import { startPawlLocal } from "../../support/pawl-process.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { type ClusterHarness, openClusterHarness } from "../harness.ts";
import { killAtEach, type KilledWrite } from "../claim/killed-writes.ts";
import { createSuite } from "../suite.ts";

const name = "web";

/** `test/handlers/crash-recovery` interrupts each call of a rollback, but in memory. */
const restored: readonly KilledWrite[] = isSoak
  ? [
      { at: "before", write: "claim" },
      { at: "after", write: "claim" },
      { at: "before", write: "change workload" },
      { at: "after", write: "change workload" },
      { at: "after", write: "mark applied" },
      { at: "before", write: "release" },
      { at: "after", write: "release" },
    ]
  : [{ at: "after", write: "change workload" }];

const reverted: readonly KilledWrite[] = [
  { at: "before", write: "record rollback" },
  { at: "after", write: "record rollback" },
  { at: "before", write: "change workload" },
  { at: "after", write: "change workload" },
  { at: "after", write: "mark restored" },
  { at: "before", write: "release" },
  { at: "after", write: "release" },
];

interface Released {
  readonly harness: ClusterHarness;
  /** The images of both. */
  readonly first: string;
  readonly second: string;
  readonly before: readonly ReleaseStatus[];
}

describeOnRealCluster("a rollback to a release that is killed by SIGKILL between any two writes, and resumed", () => {
  const suite = createSuite();
  /** Creates a Deployment with two manual releases, and requests the first. */
  async function createReleased(repository: string): Promise<Released> {
    const opened = await openClusterHarness(suite);
    const harness = { ...opened, flags: [...opened.flags, "--releases"] };
    const image = (tag: string) => `${suite.registry.host}/${repository}:${tag}`;
    await suite.registry.push(repository, "1.0.0");
    await harness.create("Deployment", name, image("1.0.0"), { [annotations.healthTimeout]: "2h" });
    await pullAlways(harness);
    for (const tag of ["1.0.0", "1.1.0"]) {
      await harness.setImage(name, image(tag));
      await eventually("the rollout settles", async () => {
        const { rollout } = await harness.workload(name);
        return rollout !== null && rollout.oldReplicas === 0 && rollout.readyReplicas === rollout.desiredReplicas;
      });
      await startPawlLocal([...harness.flags, "--exit-when-idle"]).succeeds();
    }
    await patchAutoUpdate(harness, { metadata: { annotations: { [annotations.request]: "rollback 1 t-1" } } });
    return { harness, first: image("1.0.0"), second: image("1.1.0"), before: await releasesOf(harness) };
  }

  test.concurrent("it is restored once, and scaled meanwhile", async () => {
    const { harness, first, before } = await createReleased("shop/good");
    const isResumed = killAtEach(harness, suite.folder, restored);
    await eventually("its template is restored", async () => (await harness.workload(name)).image === first);
    await scale(harness, 2);
    await isResumed;
    const { inFlight, rollout, updateRecord, image } = await harness.workload(name);
    expect([image, inFlight]).toEqual([first, null]);
    expect(rollout).toMatchObject({ desiredReplicas: 2, readyReplicas: 2, oldReplicas: 0 });
    expect(updateRecord).toMatchObject({ rollbackCount: 0, failedVersions: [], circuitOpen: false });
    const { hash } = before[0] ?? {};
    const third = { number: 3, rolledBackFrom: 2, hash, result: "Succeeded" };
    expect(await releasesOf(harness)).toEqual([...before, expect.objectContaining(third)]);
  });

  test.runIf(isSoak).concurrent("one whose pods do not become ready is reverted once", async () => {
    const { harness, second, before } = await createReleased("shop/bad");
    await suite.registry.push("shop/bad", "1.0.0", { annotations: { [neverReadyAnnotation]: "true" } });
    await harness.annotate(name, { [annotations.healthTimeout]: "5m" });
    await killAtEach(harness, suite.folder, reverted);
    const { inFlight, updateRecord, image } = await harness.workload(name);
    expect([image, inFlight]).toEqual([second, null]);
    expect(updateRecord).toMatchObject({ rollbackCount: 0, failedVersions: [], circuitOpen: false });
    expect(updateRecord.versionHistory.map(({ status }) => status)).toEqual(["RolledBack"]);
    const third = { result: "Failed", hash: before[0]?.hash };
    expect(await releasesOf(harness)).toEqual([...before, expect.objectContaining(third)]);
  });
});

const merge = setHeaderOptions("Content-Type", PatchStrategy.MergePatch);

async function pullAlways({ kubeConfig, namespace }: ClusterHarness): Promise<void> {
  const strategic = setHeaderOptions("Content-Type", PatchStrategy.StrategicMergePatch);
  const body = { spec: { template: { spec: { containers: [{ name: "app", imagePullPolicy: "Always" }] } } } };
  await kubeConfig.makeApiClient(AppsV1Api).patchNamespacedDeployment({ name, namespace, body }, strategic);
}

async function scale({ kubeConfig, namespace }: ClusterHarness, replicas: number): Promise<void> {
  const body = { spec: { replicas } };
  await kubeConfig.makeApiClient(AppsV1Api).patchNamespacedDeploymentScale({ name, namespace, body }, merge);
}

const autoUpdateOf = ({ namespace }: ClusterHarness) => ({
  group: "pawl.dev",
  version: "v1alpha1",
  plural: "autoupdates",
  namespace,
  name: `deployment-${name}`,
});

async function patchAutoUpdate(harness: ClusterHarness, body: object): Promise<void> {
  const objects = harness.kubeConfig.makeApiClient(CustomObjectsApi);
  await objects.patchNamespacedCustomObject({ ...autoUpdateOf(harness), body }, merge);
}

async function releasesOf(harness: ClusterHarness): Promise<readonly ReleaseStatus[]> {
  const objects = harness.kubeConfig.makeApiClient(CustomObjectsApi);
  const found = (await objects.getNamespacedCustomObject(autoUpdateOf(harness))) as {
    readonly status: { readonly releases: readonly ReleaseStatus[] };
  };
  return found.status.releases;
}
