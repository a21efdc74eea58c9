import { AppsV1Api, CoreV1Api, CustomObjectsApi, PatchStrategy, setHeaderOptions } from "@kubernetes/client-node";
import { SFNClient, StopExecutionCommand } from "@aws-sdk/client-sfn";
import { beforeAll, describe, test } from "vitest";
import { annotations } from "../../../functions/domain/workload/policy/annotations.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { imageTarget } from "../../support/workloads.ts";
import { readAutoUpdate, request } from "../auto-update/auto-updates.ts";
import { openClusterHarness } from "../harness.ts";
import { startIsolatedPawl } from "../isolated-pawl.ts";
import { createSuite } from "../suite.ts";
import { createAnalysis, openTrafficHarness, type Traffic, type TrafficHarness } from "./traffic-harness.ts";

const kinds = ["Deployment", "StatefulSet"] as const;
const name = "web";
/** No data alone ends no analysis during a test, or soon. */
const tolerant = "24h";
const impatient = "1m";
/** The state after a canary, regardless of its result. */
const cleanState = { canaries: [], inFlight: null, problems: [], desiredReplicas: 3 };

describeOnRealCluster("a canary judged by a real Prometheus", () => {
  const suite = createSuite();
  let traffic: TrafficHarness;

  beforeAll(async () => {
    await suite.registry.pushImage("shop/good", ["1.0.0", "1.1.0"]);
    traffic = suite.closeAfterAll(await openTrafficHarness());
  });

  /** Opens a harness and a Pawl for one test, and starts a canary. */
  async function start(
    kind: (typeof kinds)[number] | "DaemonSet",
    app: Traffic,
    noDataTimeout = impatient,
    { url } = traffic.prometheus,
    strategy: Record<string, string> = { [annotations.canary]: "1" },
  ) {
    const harness = await openClusterHarness(suite);
    const { namespace, kubeConfig } = harness;
    const environment = { PAWL_PROMETHEUS: url };
    const pawl = suite.closeAfterAll(await startIsolatedPawl({ namespace, registry: suite.registry, environment }));
    const policy = {
      ...strategy,
      [annotations.analysis]: JSON.stringify(createAnalysis(app, noDataTimeout)),
      // What must become ready may take its time on a busy machine.
      [annotations.healthTimeout]: "1h",
    };
    const spec = kind === "DaemonSet" ? { updateStrategy: { type: "OnDelete" } } : {};
    await harness.create(kind, name, image("1.0.0"), policy, spec);
    const podsOf = async () => {
      const { items } = await kubeConfig.makeApiClient(CoreV1Api).listNamespacedPod({ namespace });
      return items
        .map(({ spec: at, metadata }) => ({
          node: at?.nodeName ?? "",
          uid: metadata?.uid,
          runs: at?.containers[0]?.image,
        }))
        .toSorted((one, other) => one.node.localeCompare(other.node));
    };
    const before = await podsOf();
    await pawl.poll();
    return {
      harness,
      pawl,
      before,
      podsOf,
      waitForMeasurement: () =>
        eventually("there is a measurement", async () => (await harness.workload(name)).analysis !== null),
      async waitForEnd() {
        await eventually("the execution ends", async () => pawl.running() === 0);
        return harness.workload(name);
      },
      async observeState() {
        const { items } = await kubeConfig.makeApiClient(AppsV1Api).listNamespacedDeployment({ namespace });
        const canaries = items.flatMap(({ metadata }) => (metadata?.name === name ? [] : [metadata?.name]));
        const { inFlight, problems, rollout } = await harness.workload(name);
        return { canaries, inFlight, problems, desiredReplicas: rollout?.desiredReplicas };
      },
    };
  }

  function image(tag: string): string {
    return `${suite.registry.host}/shop/good:${tag}`;
  }

  describe.concurrent("in a namespace of its own", () => {
    // The slowest test first: a Prometheus scrapes no target in its first five seconds.
    test("an analysis continues after an outage of Prometheus", async ({ expect }) => {
      const prometheus = await traffic.startPrometheus("good");
      await prometheus.stop();
      // After its restart it has no data of the outage, which is an error too.
      const { waitForMeasurement, waitForEnd } = await start("Deployment", "good", tolerant, prometheus);
      await waitForMeasurement();
      await prometheus.start();
      const { image: runs, analysis } = await waitForEnd();
      expect(analysis?.measurements.map(({ verdict }) => verdict)).toEqual(expect.arrayContaining(["error", "pass"]));
      expect(runs).toBe(image("1.1.0"));
    });

    test.for(kinds)("the canary of a %s is promoted if it is healthy", async (kind, { expect }) => {
      const { waitForEnd, observeState } = await start(kind, "good");
      const { image: runs, updateRecord, analysis, rollout } = await waitForEnd();
      expect(runs).toBe(image("1.1.0"));
      expect(updateRecord).toMatchObject({ currentVersion: "1.1.0", rollbackCount: 0 });
      expect(analysis?.measurements.map(({ verdict }) => verdict)).toEqual(["pass", "pass", "pass"]);
      expect(rollout).toMatchObject({ updatedReplicas: 3, readyReplicas: 3 });
      expect(await observeState()).toEqual(cleanState);
    });

    test.for(kinds)("the canary of a %s is rolled back if it fails", async (kind, { expect }) => {
      const { waitForEnd, observeState } = await start(kind, "bad");
      const { image: runs, updateRecord, analysis } = await waitForEnd();
      expect(runs).toBe(image("1.0.0"));
      expect(updateRecord).toMatchObject({ currentVersion: "1.0.0", rollbackCount: 1, failedVersions: ["1.1.0"] });
      expect(analysis?.measurements.at(-1)).toMatchObject({ metric: "error-rate", verdict: "fail" });
      expect(await observeState()).toEqual(cleanState);
    });

    test.for([
      { app: "bad", runs: "1.0.0", counted: 1, last: { status: "RolledBack", reason: "error-rate: 1 failures" } },
      { app: "none", runs: "1.1.0", counted: 0, last: { status: "Healthy", reason: "error-rate: no data for 1m0s" } },
    ] as const)(
      "without a canary, $app traffic in the bake time: $last.status",
      async ({ app, runs, counted, last }, { expect }) => {
        const strategy = { [annotations.bakeTime]: "4m" };
        const { waitForEnd, observeState } = await start("Deployment", app, impatient, traffic.prometheus, strategy);
        const { image: running, updateRecord } = await waitForEnd();
        expect(running).toBe(image(runs));
        expect(updateRecord).toMatchObject({ currentVersion: runs, rollbackCount: counted });
        const reason = expect.stringContaining(last.reason);
        expect(updateRecord.versionHistory.at(-1)).toMatchObject({ ...last, version: "1.1.0", reason });
        expect(await observeState()).toEqual(cleanState);
      },
    );

    test.for([
      { app: "good", runs: "1.1.0", kept: false, failed: [] },
      { app: "bad", runs: "1.0.0", kept: true, failed: ["1.1.0"] },
    ] as const)("the canary of a DaemonSet with $app traffic: all pods run $runs", async (row, { expect }) => {
      const { before, podsOf, waitForEnd, observeState } = await start("DaemonSet", row.app);
      const { image: runs, updateRecord, analysis, rollout, isCanaryLeft } = await waitForEnd();
      expect({ runs, failed: updateRecord.failedVersions }).toEqual({ runs: image(row.runs), failed: row.failed });
      expect(analysis?.measurements.at(-1)?.verdict).toBe(row.kept ? "fail" : "pass");
      const pods = await podsOf();
      expect(new Set(pods.map((pod) => pod.runs))).toEqual(new Set([image(row.runs)]));
      // The first node had the canary; the others are touched only by a promotion.
      expect(pods.map(({ uid }, index) => uid === before[index]?.uid)).toEqual(
        before.map((_, index) => row.kept && index > 0),
      );
      expect(rollout).toMatchObject({ updatedReplicas: before.length, oldReplicas: 0 });
      // Its execution has removed what marks it: no other one starts.
      expect(isCanaryLeft).toBe(false);
      expect(await observeState()).toEqual({ ...cleanState, desiredReplicas: before.length });
    });

    test.for([
      { end: "a person sets the image before", isDeleted: false },
      { end: "its AutoUpdate is deleted, and it is opted out", isDeleted: true },
    ])("the pod of a DaemonSet's canary is replaced, and no other: $end", async ({ isDeleted }, { expect }) => {
      const { harness, pawl, before, podsOf, waitForMeasurement } = await start("DaemonSet", "none", tolerant);
      await waitForMeasurement();
      const { namespace, kubeConfig } = harness;
      const apps = kubeConfig.makeApiClient(AppsV1Api);
      const edit = isDeleted
        ? { metadata: { annotations: { [annotations.autoUpdate]: "false" } } }
        : { spec: { template: { spec: { containers: [{ name: "app", image: image("1.0.0") }] } } } };
      const strategic = setHeaderOptions("Content-Type", PatchStrategy.StrategicMergePatch);
      await apps.patchNamespacedDaemonSet({ name, namespace, body: edit }, strategic);
      const record = { group: "pawl.dev", version: "v1alpha1", plural: "autoupdates", name: `daemonset-${name}` };
      const custom = kubeConfig.makeApiClient(CustomObjectsApi);
      if (isDeleted) await custom.deleteNamespacedCustomObject({ ...record, namespace });
      const found = await eventually("the canary is removed", async () => {
        await pawl.poll();
        await eventually("the execution ends", async () => pawl.running() === 0);
        const { metadata, spec } = await apps.readNamespacedDaemonSet({ name, namespace });
        const isMarked = metadata?.annotations?.[annotations.canaryPartition] !== undefined;
        return isMarked ? undefined : spec?.template.spec?.containers[0]?.image;
      });
      expect(found).toBe(image("1.0.0"));
      const pods = await eventually("all pods run the image before", async () => {
        const all = await podsOf();
        return all.length === before.length && all.every(({ runs }) => runs === found) ? all : undefined;
      });
      expect(pods.map(({ uid }, index) => uid === before[index]?.uid)).toEqual(before.map((_, index) => index > 0));
    });

    test.for(kinds)("the canary of a %s is withdrawn without traffic", async (kind, { expect }) => {
      const { waitForEnd, observeState } = await start(kind, "none");
      const { image: runs, analysis, updateRecord, backOff } = await waitForEnd();
      expect(runs).toBe(image("1.0.0"));
      expect(new Set(analysis?.measurements.map(({ verdict }) => verdict))).toEqual(new Set(["error"]));
      expect(updateRecord).toMatchObject({ rollbackCount: 0, failedVersions: [], circuitOpen: false });
      expect(backOff).toMatchObject({ reason: "Withdrawn", target: imageTarget(image("1.1.0")), attempts: 1 });
      expect(await observeState()).toEqual(cleanState);
    });

    test("the canary of a Deployment is withdrawn if it is deleted", async ({ expect }) => {
      const { harness, waitForMeasurement, waitForEnd, observeState } = await start("Deployment", "none", tolerant);
      await waitForMeasurement();
      const { namespace, kubeConfig } = harness;
      const canary = { namespace, name: `${name}-canary` };
      await harness.annotate(name, { [annotations.healthTimeout]: "2m" });
      await kubeConfig.makeApiClient(AppsV1Api).deleteNamespacedDeployment(canary);
      const { image: runs, updateRecord, backOff } = await waitForEnd();
      expect(runs).toBe(image("1.0.0"));
      expect(updateRecord).toMatchObject({ rollbackCount: 0, failedVersions: [] });
      expect(backOff).toMatchObject({
        reason: "Withdrawn",
        message: expect.stringContaining("was not ready for 120 s"),
      });
      expect(await observeState()).toEqual({ ...cleanState, desiredReplicas: 3 });
    });

    test("the canary of a StatefulSet that is scaled down moves to the highest ordinal that remains", async ({
      expect,
    }) => {
      const { harness, waitForMeasurement, waitForEnd, observeState } = await start("StatefulSet", "none", tolerant);
      await waitForMeasurement();
      await harness.scale(name, 2);
      const canary = async () => (await harness.workload(name)).canary;
      await expect
        .poll(canary, { timeout: 120_000 })
        .toMatchObject({ partition: 1, updatedReplicas: 1, readyReplicas: 1 });
      await request(harness, (await harness.workload(name)).ref, "abort now");
      const { image: runs, updateRecord } = await waitForEnd();
      expect(runs).toBe(image("1.0.0"));
      expect(updateRecord).toMatchObject({ rollbackCount: 0, failedVersions: ["1.1.0"] });
      expect(await observeState()).toEqual({ ...cleanState, desiredReplicas: 2 });
    });

    test.for([
      { verdict: "abort", asked: "abort", runs: "1.0.0", failed: ["1.1.0"] },
      { verdict: "promote", asked: "promote full", runs: "1.1.0", failed: [] },
    ] as const)("a person asks to $asked", async ({ verdict, asked, runs, failed }, { expect }) => {
      const { harness, waitForMeasurement, waitForEnd, observeState } = await start("Deployment", "none", tolerant);
      await waitForMeasurement();
      const { ref } = await harness.workload(name);
      await request(harness, ref, `${asked} now`);
      const workload = await waitForEnd();
      expect(workload.image).toBe(image(runs));
      expect(workload.updateRecord).toMatchObject({ failedVersions: failed, rollbackCount: 0, circuitOpen: false });
      expect(await observeState()).toEqual(cleanState);
      expect((await readAutoUpdate(harness, ref)).status?.lastRequest).toMatchObject({ token: "now", verb: verdict });
    });

    test("an execution that is stopped is adopted as an abort", async ({ expect }) => {
      const { harness, pawl, waitForMeasurement, waitForEnd, observeState } = await start(
        "StatefulSet",
        "none",
        tolerant,
      );
      await waitForMeasurement();
      const { inFlight } = await harness.workload(name);
      const credentials = { accessKeyId: pawl.accessKeyId, secretAccessKey: "b" };
      const sfn = new SFNClient({ endpoint: pawl.url, region: "local", credentials });
      const executionArn = `${pawl.stateMachineArn.replace(":stateMachine:", ":execution:")}:${inFlight?.execution}`;
      await sfn.send(new StopExecutionCommand({ executionArn, cause: "no" }));
      await waitForEnd();
      await pawl.poll();
      const { image: runs, updateRecord } = await waitForEnd();
      expect(runs).toBe(image("1.0.0"));
      expect(updateRecord).toMatchObject({ failedVersions: ["1.1.0"], rollbackCount: 0 });
      expect(await observeState()).toEqual(cleanState);
    });

    test("an image that a person sets supersedes the canary", async ({ expect }) => {
      await suite.registry.pushImage("shop/good", ["1.0.5"]);
      const { harness, pawl, waitForMeasurement, waitForEnd, observeState } = await start(
        "Deployment",
        "none",
        tolerant,
      );
      await waitForMeasurement();
      await harness.setImage(name, image("1.0.5"));
      await waitForEnd();
      // Only an execution may remove the canary, and the first poll that can record the image starts it.
      await eventually("the canary is removed", async () => {
        await pawl.poll();
        await waitForEnd();
        return (await observeState()).canaries.length === 0;
      });
      expect(await observeState()).toEqual(cleanState);
      expect((await harness.workload(name)).image).toBe(image("1.0.5"));
    });
  });
});
