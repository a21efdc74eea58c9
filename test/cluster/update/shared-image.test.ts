import { expect, test } from "vitest";
import { annotations } from "../../../functions/domain/workload/policy/annotations.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import { mapConcurrent } from "../../../functions/workflows/map-concurrent.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { isSoak } from "../../support/property-runs.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { openClusterHarness } from "../harness.ts";
import { startIsolatedPawl } from "../isolated-pawl.ts";
import { createSuite } from "../suite.ts";

const count = isSoak ? 300 : 40;
const maxConcurrent = isSoak ? 10 : 4;
const haltAfter = 2;
const oneReplica: object = { replicas: 1 };
const names = Array.from({ length: count }, (_, index) => `web-${index}`);

describeOnRealCluster(`${count} workloads that share an image`, () => {
  const suite = createSuite();

  test(`of which a bad version reaches at most ${haltAfter} and those in flight by then`, async () => {
    await suite.registry.pushImage("shop/shared", ["1.0.0", "1.1.0-bad"]);
    const harness = await openClusterHarness(suite);
    const { namespace } = harness;
    const image = `${suite.registry.host}/shop/shared:1.0.0`;
    const own = { [annotations.healthTimeout]: "6m" };
    await mapConcurrent(names, 8, (name) => harness.create("Deployment", name, image, own, oneReplica));
    const environment = { PAWL_LIMITS: JSON.stringify({ maxConcurrent, haltAfter }) };
    const pawl = suite.closeAfterAll(
      await startIsolatedPawl({ namespace, registry: suite.registry, environment, speed: 60 }),
    );
    const readAll = async () => {
      const workloads: Workload[] = [];
      for await (const workload of pawl.ports.cluster.list()) workloads.push(workload);
      return workloads;
    };
    await eventually("all are ready", async () =>
      (await readAll()).every(({ rollout }) => rollout?.readyReplicas === 1 && rollout.updatedReplicas === 1),
    );

    let started = 0;
    await eventually("the version is held everywhere", async () => {
      const report = await pawl.poll();
      started += report.started;
      const all = await readAll();
      expect(all.filter(({ inFlight }) => inFlight !== null).length).toBeLessThanOrEqual(maxConcurrent);
      const isIdle = pawl.running() === 0 && all.every(({ inFlight }) => inFlight === null);
      return isIdle && report.started === 0 && report.held === count;
    });

    const all = await readAll();
    const failed = all.filter(({ updateRecord }) => updateRecord.failedVersions.includes("1.1.0-bad"));
    expect(all.map((one) => one.image)).toEqual(all.map(() => image));
    expect(failed.length).toBeGreaterThanOrEqual(haltAfter);
    expect(started).toBeLessThanOrEqual(haltAfter + maxConcurrent);
    const touched = all.filter(({ updateRecord }) => updateRecord.versionHistory.length > 0);
    expect(touched.length).toBeLessThanOrEqual(started);
    const halted = all.filter(({ gates = [] }) => gates.some(({ name }) => name === "haltedElsewhere"));
    expect(halted).toHaveLength(count - failed.length);
  });
});
