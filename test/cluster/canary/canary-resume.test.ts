import { AppsV1Api } from "@kubernetes/client-node";
import { beforeAll, expect, test } from "vitest";
import { annotations } from "../../../functions/domain/workload/policy/annotations.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { type ClusterHarness, openClusterHarness } from "../harness.ts";
import { type KilledWrite, killAtEach } from "../claim/killed-writes.ts";
import { createSuite } from "../suite.ts";

const name = "web";

const promotion: readonly KilledWrite[] = [
  { at: "before", write: "claim" },
  { at: "after", write: "claim" },
  { at: "before", write: "create canary" },
  { at: "after", write: "create canary" },
  { at: "after", write: "mark applied" },
  { at: "before", write: "claim promotion" },
  { at: "after", write: "claim promotion" },
  { at: "after", write: "change workload" },
  { at: "before", write: "delete canary" },
  { at: "after", write: "delete canary" },
  { at: "after", write: "release" },
];

const rollback: readonly KilledWrite[] = [
  { at: "before", write: "record rollback" },
  { at: "after", write: "record rollback" },
  { at: "before", write: "mark restored" },
  { at: "after", write: "mark restored" },
  { at: "after", write: "release" },
];

describeOnRealCluster("a canary that is killed by SIGKILL between any two writes, and resumed", () => {
  const suite = createSuite();

  beforeAll(async () => {
    await suite.registry.pushImage("shop/good", ["1.0.0", "1.1.0"]);
    await suite.registry.pushImage("shop/bad", ["1.0.0", "1.1.0-bad"]);
  });

  test.concurrent("a Deployment whose canary is promoted", async () => {
    const harness = await create("Deployment", "good", "2h");
    await killAtEach(harness, suite.folder, promotion);
    const { image, updateRecord, inFlight, rollout } = await harness.workload(name);
    expect({ image, inFlight }).toEqual({ image: `${suite.registry.host}/shop/good:1.1.0`, inFlight: null });
    expect(updateRecord).toMatchObject({ currentVersion: "1.1.0", rollbackCount: 0, failedVersions: [] });
    expect(updateRecord.versionHistory.map(({ status }) => status)).toEqual(["Healthy"]);
    expect(rollout).toMatchObject({ updatedReplicas: 3, readyReplicas: 3 });
    expect(await deploymentsOf(harness)).toEqual([name]);
  });

  test.concurrent.for(["Deployment", "StatefulSet"] as const)(
    "a %s whose canary does not become ready",
    async (kind) => {
      const harness = await create(kind, "bad", "30s");
      const removal = kind === "Deployment" ? "delete canary" : "change workload";
      await killAtEach(harness, suite.folder, rollback.toSpliced(2, 0, { at: "after", write: removal }));
      const { image, updateRecord, inFlight, problems, isCanaryLeft } = await harness.workload(name);
      expect({ image, inFlight, problems, isCanaryLeft }).toEqual({
        image: `${suite.registry.host}/shop/bad:1.0.0`,
        inFlight: null,
        problems: [],
        isCanaryLeft: false,
      });
      expect(updateRecord).toMatchObject({ rollbackCount: 1, circuitOpen: true, failedVersions: ["1.1.0-bad"] });
      expect(updateRecord.versionHistory.map(({ status }) => status)).toEqual(["RolledBack"]);
      expect(await deploymentsOf(harness)).toEqual(kind === "Deployment" ? [name] : []);
    },
  );

  async function create(kind: "Deployment" | "StatefulSet", repository: string, timeout: string) {
    const harness = await openClusterHarness(suite);
    await harness.create(kind, name, `${suite.registry.host}/shop/${repository}:1.0.0`, {
      [annotations.canary]: "1",
      [annotations.maxRollbacks]: "1",
      [annotations.healthTimeout]: timeout,
    });
    return harness;
  }
});

async function deploymentsOf({ kubeConfig, namespace }: ClusterHarness): Promise<readonly string[]> {
  const { items } = await kubeConfig.makeApiClient(AppsV1Api).listNamespacedDeployment({ namespace });
  return items.map(({ metadata }) => metadata?.name ?? "");
}
