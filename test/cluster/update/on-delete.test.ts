import { AppsV1Api, CoreV1Api, CustomObjectsApi, PatchStrategy, setHeaderOptions } from "@kubernetes/client-node";
import { beforeAll, expect, test } from "vitest";
import { annotations } from "../../../functions/domain/workload/policy/annotations.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { isSoak } from "../../support/property-runs.ts";
import { startPawlLocal } from "../../support/pawl-process.ts";
import { servedVersion } from "../../support/served-version.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { type ClusterHarness, openClusterHarness } from "../harness.ts";
import { killAtEach } from "../claim/killed-writes.ts";
import { createSuite } from "../suite.ts";

const merge = setHeaderOptions("Content-Type", PatchStrategy.MergePatch);

describeOnRealCluster("a StatefulSet with the update strategy OnDelete", () => {
  const suite = createSuite();
  const image = (tag: string) => `${suite.registry.host}/shop/db:${tag}`;

  beforeAll(() => suite.registry.pushImage("shop/db", ["1.0.0", "1.1.0", "1.2.0-bad"]));

  async function createSet(policy: Readonly<Record<string, string>> = {}): Promise<ClusterHarness> {
    const harness = await openClusterHarness(suite);
    const { namespace, kubeConfig } = harness;
    await harness.create("StatefulSet", "db", image("1.0.0"), { [annotations.versionConstraint]: "1.1.0", ...policy });
    const body = { spec: { updateStrategy: { type: "OnDelete", rollingUpdate: null } } };
    await kubeConfig.makeApiClient(AppsV1Api).patchNamespacedStatefulSet({ name: "db", namespace, body }, merge);
    const version = await servedVersion(kubeConfig, "policy", "poddisruptionbudgets");
    const at = { group: "policy", version, plural: "poddisruptionbudgets", namespace };
    const spec = { maxUnavailable: 1, selector: { matchLabels: { app: "db" } } };
    const budget = { kind: "PodDisruptionBudget", metadata: { name: "db" }, spec };
    await kubeConfig.makeApiClient(CustomObjectsApi).createNamespacedCustomObject({ ...at, body: budget });
    await eventually("its pods are ready", async () => expect(await podsOf(harness)).toHaveLength(3));
    return harness;
  }

  test.concurrent("is updated pod by pod, from the highest ordinal, but for a frozen pod, and scaled meanwhile", async () => {
    const harness = await createSet();
    const frozen = (await podsOf(harness))[1]?.uid;
    const core = harness.kubeConfig.makeApiClient(CoreV1Api);
    const body = { metadata: { annotations: { [annotations.frozen]: "true" } } };
    await core.patchNamespacedPod({ name: "db-1", namespace: harness.namespace, body }, merge);
    const pawl = startPawlLocal([...harness.flags, "--exit-when-idle"]);
    await eventually("an update has begun", async () =>
      expect((await podsOf(harness)).map((pod) => pod.image)).toContain(image("1.1.0")),
    );
    await harness.scale("db", 4);
    await pawl.succeeds();
    const pods = await podsOf(harness);
    expect(pods.map((pod) => pod.image)).toEqual([image("1.1.0"), image("1.0.0"), image("1.1.0"), image("1.1.0")]);
    expect(pods[1]?.uid).toBe(frozen);
    expect(pods[2]?.startedAt).toBeLessThan(pods[0]?.startedAt ?? 0);
    const { updateRecord } = await harness.workload("db");
    expect(updateRecord).toMatchObject({ currentVersion: "1.1.0", rollbackCount: 0 });
    expect(updateRecord.versionHistory.at(-1)?.reason).toBe("pod db-1 is frozen and keeps its revision");
  });

  test.concurrent("is updated pod by pod once, with a kill between any two writes", async () => {
    const harness = await createSet({ [annotations.healthTimeout]: "2h" });
    await killAtEach(harness, suite.folder, [
      { at: "after", write: "change workload" },
      { at: "after", write: "mark applied" },
      { at: "after", write: "evict pod" },
      { at: "before", write: "evict pod" },
      { at: "before", write: "evict pod" },
      { at: "after", write: "evict pod" },
      { at: "after", write: "release" },
    ]);
    expect((await podsOf(harness)).map((pod) => pod.image)).toEqual(Array(3).fill(image("1.1.0")));
    const { updateRecord, inFlight } = await harness.workload("db");
    expect(inFlight).toBeNull();
    expect(updateRecord).toMatchObject({ currentVersion: "1.1.0", rollbackCount: 0, failedVersions: [] });
    expect(updateRecord.versionHistory.map(({ version, status }) => [version, status])).toEqual([["1.1.0", "Healthy"]]);
    const core = harness.kubeConfig.makeApiClient(CoreV1Api);
    const { items } = await core.listNamespacedEvent({ namespace: harness.namespace });
    const created = items.filter(({ reason }) => reason === "SuccessfulCreate");
    expect(created.map(({ count }) => count)).toEqual([2, 2, 2]);
  });

  test.runIf(isSoak)("stops at the first pod that does not come back, and goes back from there", async () => {
    const constraint = {
      [annotations.versionConstraint]: "1.2.0-bad",
      [annotations.versioning]: "semver",
      [annotations.healthTimeout]: "2m",
    };
    const harness = await createSet(constraint);
    const before = await podsOf(harness);
    await startPawlLocal([...harness.flags, "--exit-when-idle"]).succeeds();
    const after = await podsOf(harness);
    expect(after.map((pod) => pod.image)).toEqual([image("1.0.0"), image("1.0.0"), image("1.0.0")]);
    expect(after.map(({ uid }, index) => uid === before[index]?.uid)).toEqual([true, true, false]);
    const { updateRecord } = await harness.workload("db");
    expect(updateRecord).toMatchObject({ rollbackCount: 1, failedVersions: ["1.2.0-bad"] });
  });
});

interface ReadyPod {
  readonly uid: string | undefined;
  readonly image: string | undefined;
  readonly startedAt: number;
}

/** Returns the pods that are ready, by their ordinal. */
async function podsOf({ kubeConfig, namespace }: ClusterHarness): Promise<readonly ReadyPod[]> {
  const { items } = await kubeConfig.makeApiClient(CoreV1Api).listNamespacedPod({ namespace });
  const isReady = (type: string, value: string) => type === "Ready" && value === "True";
  const ready = items.filter(({ status }) => status?.conditions?.some((one) => isReady(one.type, one.status)));
  return ready
    .toSorted((one, other) => (one.metadata?.name ?? "").localeCompare(other.metadata?.name ?? ""))
    .map(({ metadata, spec }) => ({
      uid: metadata?.uid,
      image: spec?.containers[0]?.image,
      startedAt: Number(metadata?.resourceVersion),
    }));
}
