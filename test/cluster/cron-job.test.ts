import { CustomObjectsApi } from "@kubernetes/client-node";
import { beforeAll, expect, test } from "vitest";
import { cronJob } from "../support/cron-jobs.ts";
import { startPawlLocal } from "../support/pawl-process.ts";
import { describeOnRealCluster } from "../support/real-cluster.ts";
import { type ClusterHarness, openClusterHarness } from "./harness.ts";
import { createSuite } from "./suite.ts";

const tagAnnotations = { "pawl.dev/auto-update": "true", "pawl.dev/version-constraint": ">=1.0.0-0" };

describeOnRealCluster("pawl local with CronJobs", () => {
  const suite = createSuite();
  let harness: ClusterHarness;
  let objects: CustomObjectsApi;

  /** The API server of the tests is older than 1.21, and serves CronJobs only in this version. */
  const resource = () => ({ group: "batch", version: "v1beta1", plural: "cronjobs", namespace: harness.namespace });

  async function create(name: string, annotations: Readonly<Record<string, string>>): Promise<void> {
    const fields = { annotations, initContainers: [{ name: "prepare", image: image("1.0.0") }] };
    const body = { apiVersion: "batch/v1beta1", ...cronJob(name, image("1.0.0"), fields) };
    await objects.createNamespacedCustomObject({ ...resource(), body });
  }

  async function imagesOf(name: string): Promise<readonly (string | undefined)[]> {
    const { spec } = (await objects.getNamespacedCustomObject({ ...resource(), name })) as ReturnType<typeof cronJob>;
    const { containers, initContainers } = spec.jobTemplate.spec.template.spec;
    return [...containers, ...(initContainers as typeof containers)].map((container) => container.image);
  }

  function image(tag: string): string {
    return `${suite.registry.host}/shop/report:${tag}`;
  }

  beforeAll(async () => {
    await suite.registry.pushImage("shop/report", ["1.0.0", "1.1.0", "latest"]);
    harness = await openClusterHarness(suite);
    objects = harness.kubeConfig.makeApiClient(CustomObjectsApi);
    await create("report", tagAnnotations);
    await create("by-digest", { "image-updater.eznix86.github.io/enabled": "true" });
    await create("manual", {
      ...tagAnnotations,
      "pawl.dev/version-constraint": "<1.1.0",
      "pawl.dev/target-image": image("1.1.0"),
      "pawl.dev/update-phase": "HealthCheck",
      "pawl.dev/update-started": "yesterday",
    });
    const pawl = startPawlLocal([...harness.flags, "--exit-when-idle"]);
    await pawl.succeeds();
  });

  test("the next Jobs of an opted-in CronJob run the newest version, and its Events report it", async () => {
    const { ref, updateRecord, inFlight } = await harness.workload("report");
    expect(ref).toMatchObject({ apiVersion: "batch/v1beta1", kind: "CronJob" });
    expect(await imagesOf("report")).toEqual([image("1.1.0"), "registry.invalid/proxy:3.1.4", image("1.1.0")]);
    expect(inFlight).toBeNull();
    expect(updateRecord).toMatchObject({ currentVersion: "1.1.0", rollbackCount: 0, failedVersions: [] });
    expect(updateRecord.versionHistory.map(({ version, status }) => [version, status])).toEqual([["1.1.0", "Healthy"]]);
    expect(await harness.eventsOf("report")).toEqual([
      "AutoUpdateAvailable",
      "AutoUpdateStarting",
      "AutoUpdateComplete",
    ]);
  });

  test("an update that cannot be verified is rolled back and counted", async () => {
    const { updateRecord, inFlight } = await harness.workload("manual");
    expect(await imagesOf("manual")).toEqual([image("1.0.0"), "registry.invalid/proxy:3.1.4", image("1.0.0")]);
    expect(inFlight).toBeNull();
    expect(updateRecord).toMatchObject({ rollbackCount: 1, failedVersions: ["1.1.0"] });
    expect(await harness.eventsOf("manual")).toEqual(["AutoUpdateRollback"]);
  });

  test("a CronJob that only tracks digests is unchanged", async () => {
    await expect(harness.workload("by-digest")).rejects.toThrow("no workload by-digest");
    expect(await imagesOf("by-digest")).toEqual([image("1.0.0"), "registry.invalid/proxy:3.1.4", image("1.0.0")]);
  });
});
