import { CoreV1Api } from "@kubernetes/client-node";
import { expect, test } from "vitest";
import { openBench, change, type Bench } from "../contracts/cluster/bench.ts";
import {
  abandon,
  begin,
  makeRunning,
  promote,
  untilAllRun,
  untilCanaryStands,
} from "../contracts/cluster/canary-bench.ts";
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
    { end: "is rolled back", steps: [abandon, rolledBack], image: before },
    { end: "is promoted", steps: [promote, succeed], image: target },
  ])("stay where they are when its canary $end", async ({ steps, image }) => {
    const bench = await openBench(realKubeConfig());
    const ref = await makeRunning(() => bench, "StatefulSet", { spec: { volumeClaimTemplates } });
    const found = await claimsOf(bench);
    expect(found).toHaveLength(3);
    await change(bench, ref, begin());
    await untilCanaryStands(bench, ref);
    for (const step of steps) await change(bench, ref, step);
    await untilAllRun(bench, ref, image);
    expect(await claimsOf(bench)).toEqual(found);
    await bench.close();
  });
});

/** By name and uid: one that was made anew is another. */
async function claimsOf({ kubeConfig, namespace }: Bench): Promise<readonly string[]> {
  const { items } = await kubeConfig.makeApiClient(CoreV1Api).listNamespacedPersistentVolumeClaim({ namespace });
  return items
    .map(
      ({ metadata }) => `${metadata?.name} ${metadata?.uid} ${metadata?.deletionTimestamp?.toISOString() ?? "stays"}`,
    )
    .toSorted();
}
