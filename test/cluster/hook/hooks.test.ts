import { CustomObjectsApi } from "@kubernetes/client-node";
import { beforeAll, expect, test } from "vitest";
import type { CronJob, Job } from "../../../functions/adapters/kubernetes/hooks/hook-objects.ts";
import { annotations } from "../../../functions/domain/workload/policy/annotations.ts";
import { startPawlLocal } from "../../support/pawl-process.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { type ClusterHarness, openClusterHarness } from "../harness.ts";
import { createHookTemplate, cronJobsOf, endJobPods } from "./job-pods.ts";
import { killAtEach } from "../claim/killed-writes.ts";
import { createSuite } from "../suite.ts";

const hooks = { pre: { job: "migrate", timeout: "1h", useNewImage: true } };
const hooked = { [annotations.hooks]: JSON.stringify(hooks) };

describeOnRealCluster("hooks, with the real Job controller", () => {
  const suite = createSuite();
  const image = (tag: string) => `${suite.registry.host}/shop/orders:${tag}`;

  beforeAll(() => suite.registry.pushImage("shop/orders", ["1.0.0", "1.1.0"]));

  /** Creates a Deployment with a pre hook, whose pods end with this exit code, or run for ever. */
  async function createHooked(exitCode: number | null, policy: Readonly<Record<string, string>> = hooked) {
    const harness = await openClusterHarness(suite);
    await harness.create("Deployment", "orders", image("1.0.0"), policy);
    await createHookTemplate(harness, image("1.0.0"));
    const timer = setInterval(() => void endJobPods(harness, exitCode).catch(() => undefined), 200);
    suite.closeAfterAll({ close: async () => clearInterval(timer) });
    return harness;
  }

  test.concurrent("one that succeeds runs once, as its template says, with a kill between any two writes", async () => {
    const harness = await createHooked(0);
    await killAtEach(harness, suite.folder, [
      { at: "after", write: "create Job" },
      { at: "before", write: "record hook" },
      { at: "after", write: "record hook" },
      { at: "before", write: "record hook" },
      { at: "after", write: "change workload" },
    ]);
    const { updateRecord, inFlight, image: desired } = await harness.workload("orders");
    expect([desired, inFlight]).toEqual([image("1.1.0"), null]);
    expect(updateRecord).toMatchObject({ currentVersion: "1.1.0", rollbackCount: 0, failedVersions: [] });
    const objects = harness.kubeConfig.makeApiClient(CustomObjectsApi);
    const at = await cronJobsOf(harness);
    const cronJob = (await objects.getNamespacedCustomObject({ ...at, name: "migrate" })) as CronJob;
    const [job, ...others] = await jobsOf(harness);
    expect(others).toEqual([]);
    const { containers, ...pod } = job?.spec.template.spec ?? { containers: [] };
    const { containers: own, ...ownPod } = cronJob.spec.jobTemplate.spec.template.spec;
    expect(pod).toEqual(ownPod);
    const variables = [
      { name: "PAWL_VERSION", value: "1.1.0" },
      { name: "PAWL_PREVIOUS_VERSION", value: "1.0.0" },
      { name: "PAWL_IMAGE", value: image("1.1.0") },
      { name: "PAWL_KIND", value: "update" },
      { name: "PAWL_RELEASE" },
    ];
    const [first] = own;
    expect(containers).toEqual([{ ...first, image: image("1.1.0"), env: [...variables, ...(first?.env ?? [])] }]);
    expect(await harness.eventsOf("orders")).toContain("AutoUpdateHookSucceeded");
  });

  test.concurrent("a metric that is a Job and fails rolls the update back after the rollout, and blames the version", async () => {
    const metrics = [{ name: "smoke", job: { name: "migrate", timeout: "1h" } }];
    const harness = await createHooked(3, { [annotations.analysis]: JSON.stringify({ metrics }) });
    await startPawlLocal([...harness.flags, "--exit-when-idle"]).succeeds();
    const { updateRecord, inFlight, image: desired } = await harness.workload("orders");
    expect([desired, inFlight]).toEqual([image("1.0.0"), null]);
    expect(updateRecord).toMatchObject({ rollbackCount: 1, failedVersions: ["1.1.0"] });
    expect(updateRecord.versionHistory.at(-1)?.reason).toMatch(
      /^smoke: 1 failures, 0 allowed; last: 1: the Job failed/,
    );
    expect(await jobsOf(harness)).toHaveLength(1);
  });

  test.concurrent("one that fails leaves the workload as it was, and blames the version", async () => {
    const harness = await createHooked(3);
    await startPawlLocal([...harness.flags, "--exit-when-idle"]).succeeds();
    const { updateRecord, inFlight, image: desired } = await harness.workload("orders");
    expect([desired, inFlight]).toEqual([image("1.0.0"), null]);
    expect(updateRecord).toMatchObject({ rollbackCount: 1, failedVersions: ["1.1.0"] });
    expect(updateRecord.versionHistory.map(({ status }) => status)).toEqual(["HookFailed"]);
    expect(await jobsOf(harness)).toHaveLength(1);
  });

  test.concurrent("one that runs until its deadline has failed, and its Job is deleted", async () => {
    const harness = await createHooked(null, {
      [annotations.hooks]: JSON.stringify({ pre: { job: "migrate", timeout: "3s" } }),
    });
    await startPawlLocal([...harness.flags, "--exit-when-idle"]).succeeds();
    const { updateRecord, image: desired } = await harness.workload("orders");
    expect([desired, updateRecord.failedVersions]).toEqual([image("1.0.0"), ["1.1.0"]]);
    expect(updateRecord.versionHistory.at(-1)).toMatchObject({
      status: "HookFailed",
      reason: expect.stringContaining("did not end within 3s"),
    });
    const jobs = await jobsOf(harness);
    expect(jobs.filter(({ metadata }) => metadata.deletionTimestamp === undefined)).toEqual([]);
  });
});

async function jobsOf({ kubeConfig, namespace }: ClusterHarness): Promise<readonly Job[]> {
  const objects = kubeConfig.makeApiClient(CustomObjectsApi);
  const listed = await objects.listNamespacedCustomObject({ group: "batch", version: "v1", plural: "jobs", namespace });
  return (listed as { readonly items: readonly Job[] }).items;
}
