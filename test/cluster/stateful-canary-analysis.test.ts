import { beforeAll, describe, test } from "vitest";
import { eventually } from "../support/control-plane/eventually.ts";
import { installCrd } from "../support/crds/install.ts";
import { describeOnRealCluster, realKubeConfig } from "../support/real-cluster.ts";
import { openClusterHarness } from "./harness.ts";
import { startIsolatedPawl } from "./isolated-pawl.ts";
import { createCanaryHarness, type CanaryHarness } from "./stateful-canary-harness.ts";
import { createSuite } from "./suite.ts";
import { createAnalysis, openTrafficHarness, type Traffic, type TrafficHarness } from "./traffic-harness.ts";

const image = (tag: string) => `registry.example/shop/db:${tag}`;

describeOnRealCluster("a StatefulCanary judged by a real Prometheus", () => {
  const suite = createSuite();
  let traffic: TrafficHarness;

  beforeAll(async () => {
    await installCrd(realKubeConfig(), "stateful-canary");
    traffic = suite.closeAfterAll(await openTrafficHarness());
  });

  /** Runs a canary to its end with a Pawl of its own. Returns the harness. */
  async function run(app: Traffic): Promise<CanaryHarness> {
    const opened = await openClusterHarness(suite);
    const harness = createCanaryHarness(opened);
    const environment = { PAWL_PROMETHEUS: traffic.prometheus.url };
    const target = { namespace: opened.namespace, registry: suite.registry };
    const pawl = suite.closeAfterAll(await startIsolatedPawl({ ...target, environment }));
    await harness.create("db", { canaryImage: image("1.1.0"), analysis: createAnalysis(app, "1m") });
    await pawl.poll();
    await eventually("the execution ends", async () => pawl.running() === 0);
    return harness;
  }

  describe.concurrent("with a canary that is", () => {
    test("healthy, is promoted", async ({ expect }) => {
      const harness = await run("good");
      expect((await harness.get("db")).status).toMatchObject({
        currentPhase: "Succeeded",
        stableReplicas: 3,
        canaryReplicas: 0,
      });
      expect(await harness.statefulSet("db-stable")).toMatchObject({ image: image("1.1.0"), replicas: 3 });
    });

    test.for([
      { when: "failing", app: "bad", status: { currentPhase: "Failed" } },
      { when: "idle", app: "none", status: { currentPhase: "Initializing", backOff: { reason: "Withdrawn" } } },
    ] as const)("$when, deletes the canary and keeps the stable StatefulSet", async ({ app, status }, { expect }) => {
      const harness = await run(app);
      expect((await harness.get("db")).status).toMatchObject({ ...status, canaryReplicas: 0 });
      expect(await harness.statefulSet("db-stable")).toMatchObject({ image: image("1.0.0"), replicas: 2 });
      expect(await harness.statefulSet("db-canary")).toMatchObject({ replicas: 0 });
    });
  });
});
