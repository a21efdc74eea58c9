import { AppsV1Api } from "@kubernetes/client-node";
import { beforeAll, expect, test } from "vitest";
import { annotations } from "../../../functions/domain/workload/policy/annotations.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { type ClusterHarness, openClusterHarness } from "../harness.ts";
import { type KilledWrite, killAtEach } from "../claim/killed-writes.ts";
import { json, startScriptedServer } from "../../adapters/oci-registry/scripted-server.ts";
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

/** What Prometheus answers to each query: both sides have one error in ten requests. */
const tenth = { status: "success", data: { resultType: "scalar", result: [1, "0.1"] } };
const comparison = {
  interval: "1s",
  count: 1,
  warmUp: "0s",
  metrics: [{ name: "errors", query: 'errors{pod=~"{{args.pods}}"}', compare: { maxIncrease: "20%" } }],
};

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

  // The canary is created before its baseline and deleted after it, so each kill at one of these writes leaves the other to be finished.
  test.concurrent("a Deployment whose canary, beside a baseline of its age, is promoted", async () => {
    await using prometheus = await startScriptedServer((_, response) => json(response, tenth));
    const harness = await create("Deployment", "good", "2h", {
      [annotations.baseline]: "sameAge",
      [annotations.analysis]: JSON.stringify(comparison),
    });
    const flags = [...harness.flags, "--prometheus", `http://${prometheus.host}`];
    await killAtEach({ ...harness, flags }, suite.folder, promotion);
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
      const harness = await create(kind, "bad", "5m");
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

  async function create(
    kind: "Deployment" | "StatefulSet",
    repository: string,
    timeout: string,
    policy: Readonly<Record<string, string>> = {},
  ) {
    const harness = await openClusterHarness(suite);
    await harness.create(kind, name, `${suite.registry.host}/shop/${repository}:1.0.0`, {
      [annotations.canary]: "1",
      [annotations.maxRollbacks]: "1",
      [annotations.healthTimeout]: timeout,
      ...policy,
    });
    return harness;
  }
});

async function deploymentsOf({ kubeConfig, namespace }: ClusterHarness): Promise<readonly string[]> {
  const { items } = await kubeConfig.makeApiClient(AppsV1Api).listNamespacedDeployment({ namespace });
  return items.map(({ metadata }) => metadata?.name ?? "");
}
