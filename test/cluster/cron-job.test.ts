import { CustomObjectsApi } from "@kubernetes/client-node";
import { beforeAll, expect, test } from "vitest";
import { cronJob } from "../support/cron-jobs.ts";
import { startPawlLocal } from "../support/pawl-process.ts";
import { describeOnRealCluster } from "../support/real-cluster.ts";
import { type Lab, openLab } from "./lab.ts";
import { suiteWithRegistry } from "./suite.ts";

const byTag = { "pawl.dev/auto-update": "true", "pawl.dev/version-constraint": ">=1.0.0-0" };

describeOnRealCluster("pawl local, and CronJobs", () => {
  const suite = suiteWithRegistry();
  let lab: Lab;
  let objects: CustomObjectsApi;

  /** The API server of the tests is of before 1.21: it has CronJobs in this version alone. */
  const place = () => ({ group: "batch", version: "v1beta1", plural: "cronjobs", namespace: lab.namespace });

  async function make(name: string, annotations: Readonly<Record<string, string>>): Promise<void> {
    const parts = { annotations, initContainers: [{ name: "prepare", image: image("1.0.0") }] };
    const body = { apiVersion: "batch/v1beta1", ...cronJob(name, image("1.0.0"), parts) };
    await objects.createNamespacedCustomObject({ ...place(), body });
  }

  async function imagesOf(name: string): Promise<readonly (string | undefined)[]> {
    const { spec } = (await objects.getNamespacedCustomObject({ ...place(), name })) as ReturnType<typeof cronJob>;
    const { containers, initContainers } = spec.jobTemplate.spec.template.spec;
    return [...containers, ...(initContainers as typeof containers)].map((container) => container.image);
  }

  function image(tag: string): string {
    return `${suite.registry.host}/shop/report:${tag}`;
  }

  beforeAll(async () => {
    await suite.registry.pushImage("shop/report", ["1.0.0", "1.1.0", "latest"]);
    lab = await openLab(suite);
    objects = lab.kubeConfig.makeApiClient(CustomObjectsApi);
    await make("report", byTag);
    await make("by-digest", { "image-updater.eznix86.github.io/enabled": "true" });
    await make("by-hand", {
      ...byTag,
      "pawl.dev/version-constraint": "<1.1.0",
      "pawl.dev/target-image": image("1.1.0"),
      "pawl.dev/update-phase": "HealthCheck",
      "pawl.dev/update-started": "yesterday",
    });
    const pawl = startPawlLocal([...lab.flags, "--exit-when-idle"]);
    await pawl.succeeds();
  });

  test("one that opted in has its next Jobs run the newest version, and says so", async () => {
    const { ref, bookkeeping, inFlight } = await lab.workload("report");
    expect(ref).toMatchObject({ apiVersion: "batch/v1beta1", kind: "CronJob" });
    expect(await imagesOf("report")).toEqual([image("1.1.0"), "registry.invalid/proxy:3.1.4", image("1.1.0")]);
    expect(inFlight).toBeNull();
    expect(bookkeeping).toMatchObject({ currentVersion: "1.1.0", rollbackCount: 0, failedVersions: [] });
    expect(bookkeeping.versionHistory.map(({ version, status }) => [version, status])).toEqual([["1.1.0", "Healthy"]]);
    expect(await lab.eventsOf("report")).toEqual(["AutoUpdateAvailable", "AutoUpdateStarting", "AutoUpdateComplete"]);
  });

  test("an update that cannot be judged is taken back, and counted", async () => {
    const { bookkeeping, inFlight } = await lab.workload("by-hand");
    expect(await imagesOf("by-hand")).toEqual([image("1.0.0"), "registry.invalid/proxy:3.1.4", image("1.0.0")]);
    expect(inFlight).toBeNull();
    expect(bookkeeping).toMatchObject({ rollbackCount: 1, failedVersions: ["1.1.0"] });
    expect(await lab.eventsOf("by-hand")).toEqual(["AutoUpdateRollback"]);
  });

  test("one that is followed by digest alone is left as it is", async () => {
    await expect(lab.workload("by-digest")).rejects.toThrow("no workload by-digest");
    expect(await imagesOf("by-digest")).toEqual([image("1.0.0"), "registry.invalid/proxy:3.1.4", image("1.0.0")]);
  });
});
