import { AppsV1Api } from "@kubernetes/client-node";
import { SFNClient, StopExecutionCommand } from "@aws-sdk/client-sfn";
import { beforeAll, describe, test } from "vitest";
import { annotations } from "../../functions/domain/annotations.ts";
import { eventually } from "../support/control-plane/eventually.ts";
import { describeOnRealCluster } from "../support/real-cluster.ts";
import { openLab } from "./lab.ts";
import { startOwnPawl } from "./own-pawl.ts";
import { suiteWithRegistry } from "./suite.ts";
import { analysisOf, openTraffic, type Traffic, type TrafficLab } from "./traffic-lab.ts";

const kinds = ["Deployment", "StatefulSet"] as const;
const name = "web";
/** What is inconclusive alone ends no analysis while a test goes on. */
const patient = { inconclusiveLimit: 100 };
/** What must be true however a canary ended. */
const nothing = { canaries: [], inFlight: null, problems: [], desiredReplicas: 3 };

describeOnRealCluster("a canary judged by a real Prometheus", () => {
  const suite = suiteWithRegistry();
  let traffic: TrafficLab;

  beforeAll(async () => {
    await suite.registry.pushImage("shop/good", ["1.0.0", "1.1.0"]);
    traffic = suite.closing(await openTraffic());
  });

  /** A lab and a Pawl of a test's own, in which a canary has begun. */
  async function start(kind: (typeof kinds)[number], app: Traffic, metric: object = {}, { url } = traffic.prometheus) {
    const lab = await openLab(suite);
    const { namespace, kubeConfig } = lab;
    const environment = { PAWL_PROMETHEUS: url };
    const pawl = suite.closing(await startOwnPawl({ namespace, registry: suite.registry, environment }));
    await lab.make(kind, name, image("1.0.0"), {
      [annotations.canary]: "1",
      [annotations.canaryAnalysis]: JSON.stringify(analysisOf(app, metric)),
    });
    await pawl.poll();
    return {
      lab,
      pawl,
      untilMeasured: () =>
        eventually("something was measured", async () => (await lab.workload(name)).analysis !== null),
      async toItsEnd() {
        await eventually("the execution ends", async () => pawl.running() === 0);
        return lab.workload(name);
      },
      async left() {
        const { items } = await kubeConfig.makeApiClient(AppsV1Api).listNamespacedDeployment({ namespace });
        const canaries = items.flatMap(({ metadata }) => (metadata?.name === name ? [] : [metadata?.name]));
        const { inFlight, problems, rollout } = await lab.workload(name);
        return { canaries, inFlight, problems, desiredReplicas: rollout?.desiredReplicas };
      },
    };
  }

  function image(tag: string): string {
    return `${suite.registry.host}/shop/good:${tag}`;
  }

  describe.concurrent("in a namespace of its own", () => {
    // The longest one first: a Prometheus asks nobody in its first five seconds.
    test("a Prometheus is down for a while and comes back", async ({ expect }) => {
      const prometheus = await traffic.another("good");
      await prometheus.stop();
      // Back again it has nothing of the time between: that proves nothing either.
      const { untilMeasured, toItsEnd } = await start("Deployment", "good", patient, prometheus);
      await untilMeasured();
      await prometheus.start();
      const { image: runs, analysis } = await toItsEnd();
      expect(analysis?.measurements.map(({ verdict }) => verdict)).toEqual(expect.arrayContaining(["error", "pass"]));
      expect(runs).toBe(image("1.1.0"));
    });

    test.for(kinds)("healthy, the canary of a %s is promoted", async (kind, { expect }) => {
      const { toItsEnd, left } = await start(kind, "good");
      const { image: runs, bookkeeping, analysis, rollout } = await toItsEnd();
      expect(runs).toBe(image("1.1.0"));
      expect(bookkeeping).toMatchObject({ currentVersion: "1.1.0", rollbackCount: 0 });
      expect(analysis?.measurements.map(({ verdict }) => verdict)).toEqual(["pass", "pass", "pass"]);
      expect(rollout).toMatchObject({ updatedReplicas: 3, readyReplicas: 3 });
      expect(await left()).toEqual(nothing);
    });

    test.for(kinds)("failing, the canary of a %s is taken back", async (kind, { expect }) => {
      const { toItsEnd, left } = await start(kind, "bad");
      const { image: runs, bookkeeping, analysis } = await toItsEnd();
      expect(runs).toBe(image("1.0.0"));
      expect(bookkeeping).toMatchObject({ currentVersion: "1.0.0", rollbackCount: 1, failedVersions: ["1.1.0"] });
      expect(analysis?.measurements.at(-1)).toMatchObject({ metric: "error-rate", verdict: "fail" });
      expect(await left()).toEqual(nothing);
    });

    test.for(kinds)("without traffic the canary of a %s is not promoted", async (kind, { expect }) => {
      const { toItsEnd, left } = await start(kind, "none");
      const { image: runs, analysis } = await toItsEnd();
      expect(runs).toBe(image("1.0.0"));
      expect(new Set(analysis?.measurements.map(({ verdict }) => verdict))).toEqual(new Set(["inconclusive"]));
      expect(await left()).toEqual(nothing);
    });

    test.for([
      { verdict: "abort", runs: "1.0.0", failed: ["1.1.0"] },
      { verdict: "promote", runs: "1.1.0", failed: [] },
    ] as const)("a person says $verdict", async ({ verdict, runs, failed }, { expect }) => {
      const { lab, untilMeasured, toItsEnd, left } = await start("Deployment", "none", patient);
      await untilMeasured();
      await lab.annotate(name, { [annotations.canaryVerdict]: verdict });
      const workload = await toItsEnd();
      expect(workload.image).toBe(image(runs));
      expect(workload.bookkeeping).toMatchObject({ failedVersions: failed, rollbackCount: 0, circuitOpen: false });
      expect(await left()).toEqual(nothing);
    });

    test("an execution that is stopped is adopted as an abort", async ({ expect }) => {
      const { lab, pawl, untilMeasured, toItsEnd, left } = await start("StatefulSet", "none", patient);
      await untilMeasured();
      const { inFlight } = await lab.workload(name);
      const credentials = { accessKeyId: "a", secretAccessKey: "b" };
      const sfn = new SFNClient({ endpoint: pawl.url, region: "local", credentials });
      const executionArn = `${pawl.stateMachineArn.replace(":stateMachine:", ":execution:")}:${inFlight?.execution}`;
      await sfn.send(new StopExecutionCommand({ executionArn, cause: "no" }));
      await toItsEnd();
      await pawl.poll();
      const { image: runs, bookkeeping } = await toItsEnd();
      expect(runs).toBe(image("1.0.0"));
      expect(bookkeeping).toMatchObject({ failedVersions: ["1.1.0"], rollbackCount: 0 });
      expect(await left()).toEqual(nothing);
    });

    test("an image that a person sets supersedes the canary", async ({ expect }) => {
      await suite.registry.pushImage("shop/good", ["1.0.5"]);
      const { lab, pawl, untilMeasured, toItsEnd, left } = await start("Deployment", "none", patient);
      await untilMeasured();
      await lab.setImage(name, image("1.0.5"));
      await toItsEnd();
      await pawl.poll();
      expect(await left()).toEqual(nothing);
      expect((await lab.workload(name)).image).toBe(image("1.0.5"));
    });
  });
});
