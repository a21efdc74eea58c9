import { CustomObjectsApi, PatchStrategy, setHeaderOptions } from "@kubernetes/client-node";
import { beforeAll, describe, inject, test } from "vitest";
import { eventually } from "../../support/control-plane/eventually.ts";
import { describeOnRealCluster, realKubeConfig } from "../../support/real-cluster.ts";
import { minorVersion } from "../../support/served-version.ts";
import { openAutoUpdateHarness } from "../auto-update/auto-update-harness.ts";
import { cronJobsOf, endJobPods, hookPod } from "../hook/job-pods.ts";
import { startIsolatedPawl } from "../isolated-pawl.ts";
import { createSuite } from "../suite.ts";

const name = "report";
/** Before 1.21 a CronJob does not report whether its last Job succeeded. */
const minor = inject("kubeconfig") === null ? 0 : await minorVersion(realKubeConfig());
const merge = setHeaderOptions("Content-Type", PatchStrategy.MergePatch);

describeOnRealCluster("an update of a CronJob is judged by its next Job, with the real controllers", () => {
  const suite = createSuite();
  const image = (tag: string) => `${suite.registry.host}/shop/${name}:${tag}`;

  beforeAll(() => suite.registry.pushImage(`shop/${name}`, ["1.0.0", "1.1.0"]));

  /** Creates a suspended CronJob with this status, and updates it until it is parked. */
  async function startUpdate(status: object = {}) {
    const harness = await openAutoUpdateHarness(suite);
    const { namespace, kubeConfig } = harness;
    const pawl = suite.closeAfterAll(await startIsolatedPawl({ namespace, registry: suite.registry, speed: 1 }));
    const objects = kubeConfig.makeApiClient(CustomObjectsApi);
    const at = await cronJobsOf(harness);
    const jobTemplate = { spec: { backoffLimit: 0, template: hookPod([{ name: "app", image: image("1.0.0") }]) } };
    const metadata = { name, annotations: { "pawl.dev/auto-update": "true" } };
    const body = { kind: "CronJob", metadata, spec: { schedule: "* * * * *", suspend: true, jobTemplate } };
    await objects.createNamespacedCustomObject({ ...at, body });
    await objects.patchNamespacedCustomObjectStatus({ ...at, name, body: { status } }, merge);
    await pawl.poll();
    const statusOf = async () => (await harness.read(`cronjob-${name}`))?.status;
    await eventually("it is parked", async () => (await statusOf())?.update?.parked?.reason === "NextJob");
    return {
      harness,
      pawl,
      statusOf,
      resume: () => objects.patchNamespacedCustomObject({ ...at, name, body: { spec: { suspend: false } } }, merge),
      /** Ends the next Job, and returns the workload once the update has ended. */
      async endJob(exitCode: number) {
        await eventually("the update ends", async () => {
          await endJobPods(harness, exitCode);
          await pawl.poll();
          return (await harness.workload(name)).inFlight === null;
        });
        return harness.workload(name);
      },
    };
  }

  describe.concurrent("in a namespace of its own", () => {
    test("one that is suspended sleeps; resumed, its Job succeeds", async ({ expect }) => {
      const { harness, pawl, statusOf, resume, endJob } = await startUpdate();
      const { image: set, inFlight } = await harness.workload(name);
      expect([set, inFlight?.parked]).toEqual([
        image("1.1.0"),
        { reason: "NextJob", since: expect.any(Date), jobs: "none" },
      ]);
      expect((await statusOf())?.update?.waitingReason).toBe("not judged while it is suspended");
      expect(await pawl.poll()).toMatchObject({ adopted: 0, inFlight: 1, recorded: 0 });
      await resume();
      const { image: runs, updateRecord } = await endJob(0);
      expect(runs).toBe(image("1.1.0"));
      expect(updateRecord).toMatchObject({ currentVersion: "1.1.0", rollbackCount: 0, failedVersions: [] });
      expect(updateRecord.versionHistory).toMatchObject([{ version: "1.1.0", status: "Healthy" }]);
    });

    test("its Job fails: it is rolled back, and blamed with the exit code", async ({ expect }) => {
      const { harness, resume, endJob } = await startUpdate();
      await resume();
      const { image: runs, updateRecord } = await endJob(3);
      expect(runs).toBe(image("1.0.0"));
      expect(updateRecord).toMatchObject({ rollbackCount: 1, failedVersions: ["1.1.0"] });
      expect(updateRecord.versionHistory).toMatchObject([{ version: "1.1.0", status: "RolledBack" }]);
      expect(updateRecord.versionHistory[0]?.reason).toMatch(
        /^Job report-\d+ failed: BackoffLimitExceeded: .*; 1 pod failing: report-\S+ \(app\) exit 3$/,
      );
      expect(await harness.eventsOf(name)).toContain("AutoUpdateRollback");
    });

    test.skipIf(minor < 21)(
      "its Job fails, and the last Job before had failed too: nothing is blamed",
      async ({ expect }) => {
        const lastScheduleTime = new Date(Date.now() - 120_000).toISOString().replace(/\.\d+/, "");
        const { resume, endJob } = await startUpdate({ lastScheduleTime });
        await resume();
        const { image: runs, updateRecord, backOff } = await endJob(1);
        expect(runs).toBe(image("1.0.0"));
        expect(updateRecord).toMatchObject({ rollbackCount: 1, failedVersions: [], circuitOpen: false });
        expect(updateRecord.versionHistory).toMatchObject([
          {
            version: "1.1.0",
            status: "Withdrawn",
            reason: expect.stringMatching(/the last Job of 1\.0\.0 failed too$/),
          },
        ]);
        expect(backOff).toMatchObject({ reason: "Withdrawn", attempts: 1 });
      },
    );
  });
});
