import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AppsV1Api } from "@kubernetes/client-node";
import { SFNClient, StopExecutionCommand } from "@aws-sdk/client-sfn";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { annotations } from "../../functions/domain/annotations.ts";
import { clockOf } from "../../infra/local/runtime/clock.ts";
import { type LocalPawl, startLocalPawl } from "../../infra/local/runtime/local-pawl.ts";
import { eventually } from "../support/control-plane/eventually.ts";
import { describeOnRealCluster } from "../support/real-cluster.ts";
import { type RealRegistry, startRealRegistry } from "../support/real-registry.ts";
import { type Lab, openLab } from "./lab.ts";
import { analysis, bad, good, none, openTraffic, type TrafficLab } from "./traffic-lab.ts";

describeOnRealCluster("a canary judged by a real Prometheus", () => {
  let registry: RealRegistry;
  let traffic: TrafficLab;
  let folder: string;
  let lab: Lab;
  let pawl: LocalPawl;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "pawl-canary-"));
    registry = await startRealRegistry();
    await registry.pushImage("shop/good", ["1.0.0", "1.1.0"]);
    traffic = await openTraffic();
    lab = await openLab(registry, folder);
    pawl = await startLocalPawl({
      cluster: "real",
      environment: {
        PAWL_KUBECONFIG: inject("kubeconfig") ?? "",
        PAWL_NAMESPACES: lab.namespace,
        PAWL_INSECURE_REGISTRIES: registry.host,
        PAWL_PROMETHEUS: traffic.prometheus.url,
      },
      clock: clockOf({ speed: 20, since: new Date() }),
    });
  });

  afterAll(async () => {
    await pawl?.close();
    await traffic?.close();
    await registry?.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function start(kind: "Deployment" | "StatefulSet", name: string, spec: object = analysis): Promise<void> {
    await lab.make(kind, name, `${registry.host}/shop/good:1.0.0`, {
      [annotations.canary]: "1",
      [annotations.canaryAnalysis]: JSON.stringify(spec),
    });
    await pawl.poll();
  }

  async function toItsEnd(name: string) {
    await eventually("the execution ends", async () => pawl.running() === 0);
    return lab.workload(name);
  }

  async function untilMeasured(name: string): Promise<void> {
    await eventually("something was measured", async () => (await lab.workload(name)).analysis !== null);
  }

  /** What must be true however a canary ended. */
  async function expectNothingLeft(name: string): Promise<void> {
    const { items } = await lab.kubeConfig
      .makeApiClient(AppsV1Api)
      .listNamespacedDeployment({ namespace: lab.namespace });
    expect(items.map(({ metadata }) => metadata?.name)).not.toContain(`${name}-canary`);
    const { inFlight, problems, rollout } = await lab.workload(name);
    expect({ inFlight, problems }).toEqual({ inFlight: null, problems: [] });
    expect(rollout?.desiredReplicas).toBe(3);
  }

  const kinds = [
    { kind: "Deployment", name: "web" },
    { kind: "StatefulSet", name: "store" },
  ] as const;

  test.for(kinds)("healthy, the canary of a $kind is promoted", async ({ kind, name }) => {
    await traffic.serve(good);
    await start(kind, `good-${name}`);
    const { image, bookkeeping, analysis: seen, rollout } = await toItsEnd(`good-${name}`);
    expect(image).toBe(`${registry.host}/shop/good:1.1.0`);
    expect(bookkeeping).toMatchObject({ currentVersion: "1.1.0", rollbackCount: 0 });
    expect(seen?.measurements.map(({ verdict }) => verdict)).toEqual(["pass", "pass", "pass"]);
    expect(rollout).toMatchObject({ updatedReplicas: 3, readyReplicas: 3 });
    await expectNothingLeft(`good-${name}`);
  });

  test.for(kinds)("failing, the canary of a $kind is taken back", async ({ kind, name }) => {
    await traffic.serve(bad);
    await start(kind, `bad-${name}`);
    const { image, bookkeeping, analysis: seen } = await toItsEnd(`bad-${name}`);
    expect(image).toBe(`${registry.host}/shop/good:1.0.0`);
    expect(bookkeeping).toMatchObject({ currentVersion: "1.0.0", rollbackCount: 1, failedVersions: ["1.1.0"] });
    expect(seen?.measurements.at(-1)).toMatchObject({ metric: "error-rate", verdict: "fail" });
    await expectNothingLeft(`bad-${name}`);
  });

  test.for(kinds)("without traffic the canary of a $kind is not promoted", async ({ kind, name }) => {
    await traffic.serve(none);
    await start(kind, `idle-${name}`);
    const { image, analysis: seen } = await toItsEnd(`idle-${name}`);
    expect(image).toBe(`${registry.host}/shop/good:1.0.0`);
    expect(new Set(seen?.measurements.map(({ verdict }) => verdict))).toEqual(new Set(["inconclusive"]));
    await expectNothingLeft(`idle-${name}`);
  });

  test("Prometheus is down for a while and comes back", async () => {
    await traffic.serve(good);
    await traffic.prometheus.stop();
    // Back again it has nothing of the time between: that proves nothing either.
    const metrics = analysis.metrics.map((metric) => ({ ...metric, inconclusiveLimit: 100 }));
    await start("Deployment", "patient", { ...analysis, metrics });
    await untilMeasured("patient");
    await traffic.prometheus.start();
    const { image, analysis: seen } = await toItsEnd("patient");
    expect(seen?.measurements.map(({ verdict }) => verdict)).toEqual(expect.arrayContaining(["error", "pass"]));
    expect(image).toBe(`${registry.host}/shop/good:1.1.0`);
  });

  test.for([
    { verdict: "abort", runs: "1.0.0", failed: ["1.1.0"] },
    { verdict: "promote", runs: "1.1.0", failed: [] },
  ] as const)("a person says $verdict", async ({ verdict, runs, failed }) => {
    await traffic.serve(none);
    await start("Deployment", `${verdict}ed`);
    await untilMeasured(`${verdict}ed`);
    await lab.annotate(`${verdict}ed`, { [annotations.canaryVerdict]: verdict });
    const { image, bookkeeping } = await toItsEnd(`${verdict}ed`);
    expect(image).toBe(`${registry.host}/shop/good:${runs}`);
    expect(bookkeeping).toMatchObject({ failedVersions: failed, rollbackCount: 0, circuitOpen: false });
    await expectNothingLeft(`${verdict}ed`);
  });

  test("an execution that is stopped is adopted as an abort", async () => {
    await traffic.serve(none);
    await start("StatefulSet", "stopped");
    await untilMeasured("stopped");
    const { inFlight } = await lab.workload("stopped");
    const sfn = new SFNClient({
      endpoint: pawl.url,
      region: "local",
      credentials: { accessKeyId: "a", secretAccessKey: "b" },
    });
    const executionArn = `${pawl.stateMachineArn.replace(":stateMachine:", ":execution:")}:${inFlight?.execution}`;
    await sfn.send(new StopExecutionCommand({ executionArn, cause: "no" }));
    await eventually("it has stopped", async () => pawl.running() === 0);
    await pawl.poll();
    const { image, bookkeeping } = await toItsEnd("stopped");
    expect(image).toBe(`${registry.host}/shop/good:1.0.0`);
    expect(bookkeeping).toMatchObject({ failedVersions: ["1.1.0"], rollbackCount: 0 });
    await expectNothingLeft("stopped");
  });

  test("an image that a person sets supersedes the canary", async () => {
    await registry.pushImage("shop/good", ["1.0.5"]);
    await traffic.serve(none);
    await start("Deployment", "overtaken");
    await untilMeasured("overtaken");
    await lab.setImage("overtaken", `${registry.host}/shop/good:1.0.5`);
    await eventually("the execution ends", async () => pawl.running() === 0);
    await pawl.poll();
    await expectNothingLeft("overtaken");
    expect((await lab.workload("overtaken")).image).toBe(`${registry.host}/shop/good:1.0.5`);
  });
});
