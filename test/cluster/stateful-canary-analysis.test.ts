import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { clockOf } from "../../infra/local/runtime/clock.ts";
import { type LocalPawl, startLocalPawl } from "../../infra/local/runtime/local-pawl.ts";
import { eventually } from "../support/control-plane/eventually.ts";
import { installCrd } from "../support/crds/install.ts";
import { describeOnRealCluster, realKubeConfig } from "../support/real-cluster.ts";
import { type RealRegistry, startRealRegistry } from "../support/real-registry.ts";
import { openLab } from "./lab.ts";
import { canaryLab, type CanaryLab } from "./stateful-canary-lab.ts";
import { analysis, bad, good, none, openTraffic, type TrafficLab } from "./traffic-lab.ts";

const image = (tag: string) => `registry.example/shop/db:${tag}`;

describeOnRealCluster("a StatefulCanary judged by a real Prometheus", () => {
  let registry: RealRegistry;
  let traffic: TrafficLab;
  let folder: string;
  let lab: CanaryLab;
  let pawl: LocalPawl;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "pawl-stateful-"));
    registry = await startRealRegistry();
    traffic = await openTraffic();
    await installCrd(realKubeConfig(), "stateful-canary");
    const opened = await openLab(registry, folder);
    lab = canaryLab(opened);
    pawl = await startLocalPawl({
      cluster: "real",
      environment: {
        PAWL_KUBECONFIG: inject("kubeconfig") ?? "",
        PAWL_NAMESPACES: opened.namespace,
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

  async function run(name: string): Promise<void> {
    await lab.make(name, { canaryImage: image("1.1.0"), analysis });
    await pawl.poll();
    await eventually("the execution ends", async () => pawl.running() === 0);
  }

  test("healthy, it is promoted", async () => {
    await traffic.serve(good);
    await run("good");
    expect((await lab.look("good")).status).toMatchObject({
      currentPhase: "Succeeded",
      stableReplicas: 3,
      canaryReplicas: 0,
    });
    expect(await lab.set("good-stable")).toMatchObject({ image: image("1.1.0"), replicas: 3 });
  });

  test.for([
    { when: "failing", served: bad },
    { when: "idle", served: none },
  ])("$when, its canary goes and the stable set is untouched", async ({ when, served }) => {
    await traffic.serve(served);
    await run(when);
    expect((await lab.look(when)).status).toMatchObject({ currentPhase: "Failed", canaryReplicas: 0 });
    expect(await lab.set(`${when}-stable`)).toMatchObject({ image: image("1.0.0"), replicas: 2 });
    expect(await lab.set(`${when}-canary`)).toMatchObject({ replicas: 0 });
  });
});
