import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { annotations } from "../../functions/domain/annotations.ts";
import { clockOf } from "../../infra/local/runtime/clock.ts";
import { startLocalPawl } from "../../infra/local/runtime/local-pawl.ts";
import { eventually } from "../support/control-plane/eventually.ts";
import { startPawlLocal } from "../support/pawl-process.ts";
import { describeOnRealCluster } from "../support/real-cluster.ts";
import { type RealRegistry, startRealRegistry } from "../support/real-registry.ts";
import { openLab } from "./lab.ts";

describeOnRealCluster("what happens at the same time", () => {
  let registry: RealRegistry;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "pawl-race-"));
    registry = await startRealRegistry();
    await registry.pushImage("shop/good", ["1.0.0", "1.1.0"]);
  });

  afterAll(async () => {
    await registry?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test("two polls at once start one update", async () => {
    const lab = await openLab(registry, folder);
    await lab.make("Deployment", "web", `${registry.host}/shop/good:1.0.0`);
    const started = new Set<string>();
    const pawl = await startLocalPawl({
      cluster: "real",
      environment: {
        PAWL_KUBECONFIG: inject("kubeconfig") ?? "",
        PAWL_NAMESPACES: lab.namespace,
        PAWL_INSECURE_REGISTRIES: registry.host,
      },
      clock: clockOf({ speed: 20, since: new Date() }),
      onStateChange: ({ type, execution }) => type === "ExecutionStarted" && started.add(execution),
    });
    const reports = await Promise.all([pawl.poll(), pawl.poll()]);
    expect(reports.map(({ started: count }) => count)).toEqual([1, 1]);
    await eventually("the execution ends", async () => pawl.running() === 0);
    await pawl.close();
    expect(started.size).toBe(1);
    const events = await lab.eventsOf("web");
    expect(events.filter((reason) => reason === "AutoUpdateStarting")).toHaveLength(1);
    expect((await lab.workload("web")).bookkeeping.versionHistory).toHaveLength(1);
  });

  test("two whole Pawls on one cluster end as one would", async () => {
    const lab = await openLab(registry, folder);
    await lab.make("StatefulSet", "store", `${registry.host}/shop/good:1.0.0`);
    const both = [1, 2].map(() => startPawlLocal([...lab.flags, "--exit-when-idle"]));
    for (const one of both) await one.succeeds();
    const { bookkeeping, image, inFlight } = await lab.workload("store");
    expect({ image, inFlight }).toEqual({ image: `${registry.host}/shop/good:1.1.0`, inFlight: null });
    expect(bookkeeping.versionHistory).toHaveLength(1);
    expect(bookkeeping.rollbackCount).toBe(0);
  });

  test("scaling in mid-rollout neither restarts nor fails it", async () => {
    const lab = await openLab(registry, folder);
    await lab.make("StatefulSet", "store", `${registry.host}/shop/good:1.0.0`);
    const pawl = startPawlLocal([...lab.flags, "--exit-when-idle"]);
    await pawl.until("the rollout is waited for", ({ state }) => state === "WaitForRollout");
    await lab.scale("store", 5);
    await pawl.succeeds();
    const { bookkeeping, rollout } = await lab.workload("store");
    expect(rollout).toMatchObject({ desiredReplicas: 5, updatedReplicas: 5, readyReplicas: 5 });
    expect(bookkeeping.versionHistory.map(({ status }) => status)).toEqual(["Healthy"]);
    expect((await lab.eventsOf("store")).filter((reason) => reason === "AutoUpdateStarting")).toHaveLength(1);
  });

  test("an image that a person sets in mid-rollout stays", async () => {
    const lab = await openLab(registry, folder);
    await registry.pushImage("shop/good", ["1.0.5"]);
    await lab.make("Deployment", "web", `${registry.host}/shop/good:1.0.0`);
    const pawl = startPawlLocal([...lab.flags, "--exit-when-idle"]);
    await pawl.until("the rollout is waited for", ({ state }) => state === "WaitForRollout");
    await lab.setImage("web", `${registry.host}/shop/good:1.0.5`);
    await pawl.succeeds();
    const { image, inFlight, bookkeeping } = await lab.workload("web");
    expect(inFlight).toBeNull();
    expect(bookkeeping).toMatchObject({ currentVersion: "1.1.0", failedVersions: [], versionHistory: [] });
    expect(image).toBe(`${registry.host}/shop/good:1.0.5`);
  });

  test("a person pushes one image through an open circuit by hand, which closes it", async () => {
    const lab = await openLab(registry, folder);
    const image = `${registry.host}/shop/good:1.1.0`;
    await lab.make("Deployment", "web", `${registry.host}/shop/good:1.0.0`, {
      [annotations.circuitOpen]: "true",
      [annotations.rollbackCount]: "3",
      [annotations.failedVersions]: "1.1.0",
      [annotations.targetImage]: image,
      [annotations.updatePhase]: "HealthCheck",
      [annotations.updateStarted]: new Date().toISOString(),
    });
    const pawl = startPawlLocal([...lab.flags, "--exit-when-idle"]);
    await pawl.succeeds();
    const after = await lab.workload("web");
    expect({ image: after.image, inFlight: after.inFlight }).toEqual({ image, inFlight: null });
    expect(after.bookkeeping).toMatchObject({
      currentVersion: "1.1.0",
      circuitOpen: false,
      rollbackCount: 0,
      failedVersions: ["1.1.0"],
    });
  });
});
