import { beforeAll, describe, test } from "vitest";
import { eventually } from "../support/control-plane/eventually.ts";
import { installCrd } from "../support/crds/install.ts";
import { describeOnRealCluster, realKubeConfig } from "../support/real-cluster.ts";
import { openLab } from "./lab.ts";
import { startOwnPawl } from "./own-pawl.ts";
import { canaryLab, type CanaryLab } from "./stateful-canary-lab.ts";
import { suiteWithRegistry } from "./suite.ts";
import { analysisOf, openTraffic, type Traffic, type TrafficLab } from "./traffic-lab.ts";

const image = (tag: string) => `registry.example/shop/db:${tag}`;

describeOnRealCluster("a StatefulCanary judged by a real Prometheus", () => {
  const suite = suiteWithRegistry();
  let traffic: TrafficLab;

  beforeAll(async () => {
    await installCrd(realKubeConfig(), "stateful-canary");
    traffic = suite.closing(await openTraffic());
  });

  /** Gives the lab in which it has run to its end, by a Pawl of its own. */
  async function run(app: Traffic): Promise<CanaryLab> {
    const opened = await openLab(suite);
    const lab = canaryLab(opened);
    const environment = { PAWL_PROMETHEUS: traffic.prometheus.url };
    const where = { namespace: opened.namespace, registry: suite.registry };
    const pawl = suite.closing(await startOwnPawl({ ...where, environment }));
    await lab.make("db", { canaryImage: image("1.1.0"), analysis: analysisOf(app) });
    await pawl.poll();
    await eventually("the execution ends", async () => pawl.running() === 0);
    return lab;
  }

  describe.concurrent("where its canary is", () => {
    test("healthy, it is promoted", async ({ expect }) => {
      const lab = await run("good");
      expect((await lab.look("db")).status).toMatchObject({
        currentPhase: "Succeeded",
        stableReplicas: 3,
        canaryReplicas: 0,
      });
      expect(await lab.set("db-stable")).toMatchObject({ image: image("1.1.0"), replicas: 3 });
    });

    test.for([
      { when: "failing", app: "bad" },
      { when: "idle", app: "none" },
    ] as const)("$when, its canary goes and the stable set is untouched", async ({ app }, { expect }) => {
      const lab = await run(app);
      expect((await lab.look("db")).status).toMatchObject({ currentPhase: "Failed", canaryReplicas: 0 });
      expect(await lab.set("db-stable")).toMatchObject({ image: image("1.0.0"), replicas: 2 });
      expect(await lab.set("db-canary")).toMatchObject({ replicas: 0 });
    });
  });
});
