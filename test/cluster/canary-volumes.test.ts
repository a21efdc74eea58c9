import { CoreV1Api } from "@kubernetes/client-node";
import { expect, test } from "vitest";
import { openBench, change, type Bench } from "../contracts/cluster/harness.ts";
import {
  revert,
  claimCanary,
  createRunning,
  promote,
  waitForAllReplicas,
  waitForCanary,
} from "../contracts/cluster/canary-harness.ts";
import { rolledBack, succeed, type Step } from "../contracts/cluster/steps.ts";
import { before, target } from "../contracts/cluster-fixtures.ts";
import { describeOnRealCluster, realKubeConfig } from "../support/real-cluster.ts";

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
    const bench = await openBench(realKubeConfig());
    const ref = await createRunning(() => bench, "StatefulSet", { spec: { volumeClaimTemplates } });
    const claims = await claimsOf(bench);
    expect(claims).toHaveLength(3);
    await change(bench, ref, claimCanary());
    await waitForCanary(bench, ref);
    for (const step of steps) await change(bench, ref, step);
    await waitForAllReplicas(bench, ref, image);
    expect(await claimsOf(bench)).toEqual(claims);
    await bench.close();
  });
});

/** Returns the name and uid of each claim: a recreated claim has another uid. */
async function claimsOf({ kubeConfig, namespace }: Bench): Promise<readonly string[]> {
  const { items } = await kubeConfig.makeApiClient(CoreV1Api).listNamespacedPersistentVolumeClaim({ namespace });
  return items
    .map(
      ({ metadata }) => `${metadata?.name} ${metadata?.uid} ${metadata?.deletionTimestamp?.toISOString() ?? "stays"}`,
    )
    .toSorted();
}
