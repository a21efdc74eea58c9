import { beforeAll, describe, test } from "vitest";
import { eventually } from "../../support/control-plane/eventually.ts";
import { installCrd } from "../../support/crds/install.ts";
import { describeOnRealCluster, realKubeConfig } from "../../support/real-cluster.ts";
import { openClusterHarness } from "../harness.ts";
import { startIsolatedPawl } from "../isolated-pawl.ts";
import { createCanaryHarness, type CanaryHarness } from "./stateful-canary-harness.ts";
import { createSuite } from "../suite.ts";
import { createAnalysis, createComparison, openTrafficHarness, type TrafficHarness } from "./traffic-harness.ts";

const image = (tag: string) => `registry.example/shop/db:${tag}`;

describeOnRealCluster("a StatefulCanary judged by a real Prometheus", () => {
  const suite = createSuite();
  let traffic: TrafficHarness;

  beforeAll(async () => {
    await installCrd(realKubeConfig(), "stateful-canary");
    traffic = suite.closeAfterAll(await openTrafficHarness());
  });

  /** Runs a canary to its end with a Pawl of its own. Returns the harness. */
  async function run(analysis: object): Promise<CanaryHarness> {
    const opened = await openClusterHarness(suite);
    const harness = createCanaryHarness(opened);
    const environment = { PAWL_PROMETHEUS: traffic.prometheus.url };
    const target = { namespace: opened.namespace, registry: suite.registry };
    const pawl = suite.closeAfterAll(await startIsolatedPawl({ ...target, environment }));
    await harness.create("db", { canaryImage: image("1.1.0"), analysis });
    await pawl.poll();
    await eventually("the execution ends", async () => pawl.running() === 0);
    return harness;
  }

  describe.concurrent("with a canary that is", () => {
    test("healthy, is promoted", async ({ expect }) => {
      const harness = await run(createAnalysis("good", "1m"));
      expect((await harness.get("db")).status).toMatchObject({
        currentPhase: "Succeeded",
        stableReplicas: 3,
        canaryReplicas: 0,
      });
      expect(await harness.statefulSet("db-stable")).toMatchObject({ image: image("1.1.0"), replicas: 3 });
    });

    test.for([
      {
        when: "worse than the stable pods",
        analysis: createComparison("1m"),
        status: { currentPhase: "Failed" },
        reason: "over 20% above the baseline 0.", // 0.4, which Prometheus does not always return exactly
      },
      {
        when: "idle",
        analysis: createAnalysis("none", "1m"),
        status: { currentPhase: "Initializing", backOff: { reason: "Withdrawn" } },
        reason: "no data",
      },
    ] as const)(
      "$when, deletes the canary and completes the stable StatefulSet",
      async ({ analysis, status, reason }, { expect }) => {
        const harness = await run(analysis);
        const { status: found } = await harness.get("db");
        expect(found).toMatchObject({ ...status, canaryReplicas: 0 });
        expect(JSON.stringify(found)).toContain(reason);
        expect(await harness.statefulSet("db-stable")).toMatchObject({ image: image("1.0.0"), replicas: 3 });
        expect(await harness.statefulSet("db-canary")).toMatchObject({ replicas: 0 });
      },
    );
  });
});
