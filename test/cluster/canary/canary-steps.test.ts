import { beforeAll, describe, test } from "vitest";
import { annotations } from "../../../functions/domain/workload/policy/annotations.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { installCrd } from "../../support/crds/install.ts";
import { describeOnRealCluster, realKubeConfig } from "../../support/real-cluster.ts";
import { readAutoUpdate, request } from "../auto-update/auto-updates.ts";
import { openClusterHarness } from "../harness.ts";
import { startIsolatedPawl } from "../isolated-pawl.ts";
import { createCanaryHarness } from "./stateful-canary-harness.ts";
import { createSuite } from "../suite.ts";
import { createAnalysis, openTrafficHarness, type TrafficHarness } from "./traffic-harness.ts";

const name = "web";

describeOnRealCluster("a canary with steps and a pause, measured by a real Prometheus", () => {
  const suite = createSuite();
  let traffic: TrafficHarness;

  beforeAll(async () => {
    await installCrd(realKubeConfig(), "stateful-canary");
    await suite.registry.pushImage("shop/good", ["1.0.0", "1.1.0"]);
    traffic = suite.closeAfterAll(await openTrafficHarness());
  });

  const image = (tag: string) => `${suite.registry.host}/shop/good:${tag}`;

  async function open() {
    const harness = await openClusterHarness(suite);
    const environment = { PAWL_PROMETHEUS: traffic.prometheus.url };
    const { namespace } = harness;
    const pawl = suite.closeAfterAll(await startIsolatedPawl({ namespace, registry: suite.registry, environment }));
    const waitForEnd = () => eventually("the execution ends", async () => pawl.running() === 0);
    return { harness, pawl, waitForEnd };
  }

  describe.concurrent("in a namespace of its own", () => {
    test.for([
      {
        kind: "Deployment",
        verb: "promote",
        answer: "the canary continues after step 2/3 (1 replica)",
        runs: "1.1.0",
        failed: [],
      },
      { kind: "StatefulSet", verb: "abort", answer: "the canary is removed", runs: "1.0.0", failed: ["1.1.0"] },
    ] as const)("a $kind whose pause a person ends: $verb", async (row, { expect }) => {
      const { kind, verb, answer, runs, failed } = row;
      const { harness, pawl, waitForEnd } = await open();
      const steps = [{ size: 1, analysis: createAnalysis("good", "1m") }, { pause: {} }, { size: 2 }];
      await harness.create(kind, name, image("1.0.0"), {
        [annotations.canarySteps]: JSON.stringify(steps),
        [annotations.healthTimeout]: "1h",
      });
      await pawl.poll();
      const progress = async () => (await harness.workload(name)).canaryProgress;
      await eventually("it is measured", async () => (await progress())?.waitsFor === "Analysis");
      const { ref } = await harness.workload(name);
      await request(harness, ref, "promote early");
      await eventually("it is paused", async () => (await progress())?.waitsFor === "Promotion");
      expect((await readAutoUpdate(harness, ref)).status?.lastRequest).toMatchObject({
        token: "early",
        result: expect.stringMatching(/^refused: the canary is not paused at step 1\/3 \(1 replica\);/),
      });
      expect((await harness.workload(name)).canary).toMatchObject({ desiredReplicas: 1, readyReplicas: 1 });
      await request(harness, ref, `${verb} now`);
      await waitForEnd();
      const { image: runs_, updateRecord, inFlight, canaryProgress } = await harness.workload(name);
      expect({ runs: runs_, inFlight, canaryProgress }).toEqual({
        runs: image(runs),
        inFlight: null,
        canaryProgress: null,
      });
      expect(updateRecord).toMatchObject({ failedVersions: failed, rollbackCount: 0 });
      expect((await readAutoUpdate(harness, ref)).status?.lastRequest).toMatchObject({ token: "now", result: answer });
    });

    test("a Deployment whose canary gives way to a newer version, without a rollback in between", async ({
      expect,
    }) => {
      await suite.registry.pushImage("shop/newer", ["1.0.0", "1.1.0"]);
      const own = (tag: string) => `${suite.registry.host}/shop/newer:${tag}`;
      const { harness, pawl, waitForEnd } = await open();
      const steps = [{ size: 1, pause: { duration: "168h" } }, { size: 2 }];
      const policy = { [annotations.canarySteps]: JSON.stringify(steps), [annotations.healthTimeout]: "1h" };
      await harness.create("Deployment", name, own("1.0.0"), policy);
      await pawl.poll();
      const paused = async () => (await harness.workload(name)).canaryProgress?.waitsFor === "Time";
      await eventually("it is paused", paused);
      await suite.registry.pushImage("shop/newer", ["1.2.0"]);
      await eventually("the newer version is started", async () => (await pawl.poll()).started === 1);
      await eventually("its canary runs", async () => (await harness.workload(name)).canary?.image === own("1.2.0"));
      await eventually("it is paused too", paused);
      expect(await harness.workload(name)).toMatchObject({ image: own("1.0.0"), rollout: { readyReplicas: 3 } });
      const { ref } = await harness.workload(name);
      await request(harness, ref, "promote full now");
      await waitForEnd();
      const { image: runs, updateRecord } = await harness.workload(name);
      expect(runs).toBe(own("1.2.0"));
      expect(updateRecord).toMatchObject({ rollbackCount: 0, failedVersions: [] });
      expect(updateRecord.versionHistory).toMatchObject([
        { version: "1.1.0", status: "Superseded" },
        { version: "1.2.0", status: "Healthy" },
      ]);
    });

    test("a StatefulCanary whose step has an analysis in its spec, and whose pause nobody ends", async ({ expect }) => {
      const { harness, pawl, waitForEnd } = await open();
      const canaries = createCanaryHarness(harness);
      const analysis = createAnalysis("good", "1m");
      const steps = [{ size: 1, analysis, pause: { withdrawAfter: "1m" } }, { size: "60%" }];
      await canaries.create("db", { canaryReplicas: undefined, steps, canaryImage: "registry.example/shop/db:1.1.0" });
      await pawl.poll();
      await eventually("a measurement passes", async () => {
        const { measurements = [] } = (await canaries.get("db")).status?.analysis ?? {};
        return measurements.some(({ verdict }) => verdict === "pass");
      });
      await waitForEnd();
      const { status, spec } = await canaries.get("db");
      expect(spec.steps).toEqual(steps);
      expect(status).toMatchObject({ currentPhase: "Initializing", canaryReplicas: 0 });
      expect(status?.backOff).toMatchObject({ reason: "Withdrawn", message: expect.stringContaining("not continued") });
      expect(await canaries.statefulSet("db-stable")).toMatchObject({ replicas: 3, ready: 3 });
    });
  });
});
