import { imageTarget } from "../../support/workloads.ts";
import { CustomObjectsApi } from "@kubernetes/client-node";
import { beforeAll, expect, test } from "vitest";
import type { AutoUpdateStatus } from "../../../functions/adapters/kubernetes/auto-update/status/status-fields.ts";
import type { WorkloadRef } from "../../../functions/domain/workload/workload.ts";
import { cronJob } from "../../support/workloads/cron-jobs.ts";
import { startPawlLocal } from "../../support/pawl-process.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { leaveStatus } from "../auto-update/auto-updates.ts";
import { type ClusterHarness, openClusterHarness } from "../harness.ts";
import { cronJobsOf } from "../hook/job-pods.ts";
import { createSuite } from "../suite.ts";

const tagAnnotations = { "pawl.dev/auto-update": "true", "pawl.dev/version-constraint": ">=1.0.0-0" };

/** What an execution leaves that is killed after it recorded a rollback, and before it restored the image. */
function interruptedRollback(ref: WorkloadRef, targetImage: string, previousImage: string): AutoUpdateStatus {
  const startedAt = "2026-01-01T00:00:00Z";
  return {
    currentVersion: "1.0.0",
    rollbackCount: 1,
    failedVersions: ["1.1.0"],
    history: [{ version: "1.1.0", startedAt, result: "RolledBack" }],
    update: {
      phase: "RollingBack",
      strategy: "Rolling",
      restorePending: true,
      holder: "arn:aws:states:eu-central-1:111122223333:stateMachine:another",
      execution: "killed",
      expiresAt: "2026-01-01T01:00:00Z",
      target: imageTarget(targetImage),
      previousImage,
      targetUID: ref.uid,
      targetGeneration: 1,
      startedAt,
    },
  };
}

describeOnRealCluster("pawl local with CronJobs", () => {
  const suite = createSuite();
  let harness: ClusterHarness;
  let objects: CustomObjectsApi;
  let resource: Awaited<ReturnType<typeof cronJobsOf>>;

  async function create(name: string, annotations: Readonly<Record<string, string>>): Promise<void> {
    const fields = { annotations, initContainers: [{ name: "prepare", image: image("1.0.0") }] };
    await objects.createNamespacedCustomObject({ ...resource, body: cronJob(name, image("1.0.0"), fields) });
  }

  async function imagesOf(name: string): Promise<readonly (string | undefined)[]> {
    const { spec } = (await objects.getNamespacedCustomObject({ ...resource, name })) as ReturnType<typeof cronJob>;
    const { containers, initContainers } = spec.jobTemplate.spec.template.spec;
    return [...containers, ...(initContainers as typeof containers)].map((container) => container.image);
  }

  async function setImage(name: string, to: string): Promise<void> {
    const change = [
      { op: "replace", path: "/spec/jobTemplate/spec/template/spec/containers/0/image", value: to },
      { op: "replace", path: "/spec/jobTemplate/spec/template/spec/initContainers/0/image", value: to },
    ];
    await objects.patchNamespacedCustomObject({ ...resource, name, body: change });
  }

  function image(tag: string): string {
    return `${suite.registry.host}/shop/report:${tag}`;
  }

  beforeAll(async () => {
    await suite.registry.pushImage("shop/report", ["1.0.0", "1.1.0", "latest"]);
    harness = await openClusterHarness(suite);
    objects = harness.kubeConfig.makeApiClient(CustomObjectsApi);
    resource = await cronJobsOf(harness);
    await create("report", tagAnnotations);
    await create("by-digest", { "image-updater.eznix86.github.io/enabled": "true" });
    await create("failing", { ...tagAnnotations, "pawl.dev/version-constraint": "<1.1.0" });
    const { ref } = await harness.workload("failing");
    await leaveStatus(harness, ref, interruptedRollback(ref, image("1.1.0"), image("1.0.0")));
    await setImage("failing", image("1.1.0"));
    const pawl = startPawlLocal([...harness.flags, "--exit-when-idle"]);
    await pawl.succeeds();
  });

  test("the next Jobs of an opted-in CronJob run the newest version, and its update waits for one of them", async () => {
    const { ref, updateRecord, inFlight } = await harness.workload("report");
    expect(ref).toMatchObject({ apiVersion: `batch/${resource.version}`, kind: "CronJob" });
    expect(await imagesOf("report")).toEqual([image("1.1.0"), "registry.invalid/proxy:3.1.4", image("1.1.0")]);
    expect(inFlight).toMatchObject({ parked: { reason: "NextJob" } });
    expect(updateRecord).toMatchObject({ currentVersion: "1.0.0", rollbackCount: 0, failedVersions: [] });
    expect(updateRecord.versionHistory).toEqual([]);
    expect(await harness.eventsOf("report")).toEqual(["AutoUpdateAvailable", "AutoUpdateStarting"]);
  });

  test("a rollback that was recorded, and then interrupted, is finished and counted once", async () => {
    const { updateRecord, inFlight } = await harness.workload("failing");
    expect(await imagesOf("failing")).toEqual([image("1.0.0"), "registry.invalid/proxy:3.1.4", image("1.0.0")]);
    expect(inFlight).toBeNull();
    expect(updateRecord).toMatchObject({ rollbackCount: 1, failedVersions: ["1.1.0"] });
    expect(updateRecord.versionHistory).toHaveLength(1);
    expect(await harness.eventsOf("failing")).toEqual(["AutoUpdateRollback"]);
  });

  test("a CronJob that only tracks digests is unchanged", async () => {
    await expect(harness.workload("by-digest")).rejects.toThrow("no workload by-digest");
    expect(await imagesOf("by-digest")).toEqual([image("1.0.0"), "registry.invalid/proxy:3.1.4", image("1.0.0")]);
  });
});
