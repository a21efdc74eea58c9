import { CoreV1Api } from "@kubernetes/client-node";
import { expect, test } from "vitest";
import { openHarness, change, type Harness } from "../../contracts/cluster/harness.ts";
import {
  revert,
  claimCanary,
  createRunning,
  promote,
  waitForAllReplicas,
  waitForCanary,
} from "../../contracts/cluster/canary/harness.ts";
import { rolledBack, succeed, type Step } from "../../contracts/cluster/steps.ts";
import { before, target } from "../../contracts/cluster-fixtures.ts";
import { describeOnRealCluster, realKubeConfig } from "../../support/real-cluster.ts";

const volumeClaimTemplates = [
  {
    metadata: { name: "data" },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  },
];

describeOnRealCluster("the volumes of a StatefulSet", () => {
  test.for<{ end: string; steps: readonly Step[]; image: string }>([
    { end: "is rolled back", steps: [revert, rolledBack], image: before },
    { end: "is promoted", steps: [promote, succeed], image: target },
  ])("are kept when its canary $end", async ({ steps, image }) => {
    const harness = await openHarness(realKubeConfig());
    const ref = await createRunning(() => harness, "StatefulSet", { spec: { volumeClaimTemplates } });
    const claims = await claimsOf(harness);
    expect(claims).toHaveLength(3);
    await change(harness, ref, claimCanary());
    await waitForCanary(harness, ref);
    for (const step of steps) await change(harness, ref, step);
    await waitForAllReplicas(harness, ref, image);
    expect(await claimsOf(harness)).toEqual(claims);
    await harness.close();
  });
});

/** Returns the name and uid of each claim: a recreated claim has another uid. */
async function claimsOf({ kubeConfig, namespace }: Harness): Promise<readonly string[]> {
  const { items } = await kubeConfig.makeApiClient(CoreV1Api).listNamespacedPersistentVolumeClaim({ namespace });
  return items
    .map(
      ({ metadata }) => `${metadata?.name} ${metadata?.uid} ${metadata?.deletionTimestamp?.toISOString() ?? "stays"}`,
    )
    .toSorted();
}
