import { beforeAll, describe, test } from "vitest";
import { eventually } from "../../support/control-plane/eventually.ts";
import { installCrd } from "../../support/crds/install.ts";
import { startPawlLocal } from "../../support/pawl-process.ts";
import { describeOnRealCluster, realKubeConfig } from "../../support/real-cluster.ts";
import { openClusterHarness } from "../harness.ts";
import {
  createCanaryHarness,
  type CanaryHarness,
  unreachableAnalysis,
  unreachablePrometheus,
} from "./stateful-canary-harness.ts";
import { createSuite } from "../suite.ts";

const image = (tag: string) => `registry.example/shop/db:${tag}`;

describeOnRealCluster("a StatefulCanary", () => {
  const suite = createSuite();

  beforeAll(() => installCrd(realKubeConfig(), "stateful-canary"));

  /** Opens a harness with a namespace of its own. No test needs a registry. */
  async function open(): Promise<CanaryHarness> {
    return createCanaryHarness(await openClusterHarness(suite));
  }

  async function runToTheEnd({ flags }: CanaryHarness): Promise<void> {
    await startPawlLocal([...flags, "--exit-when-idle"]).succeeds();
  }

  describe.concurrent("with a new image", () => {
    test("a good image is promoted, a bad one on all replicas is not, and the next good one starts a new canary", async ({
      expect,
    }) => {
      const harness = await open();
      await harness.create("db", { canaryImage: image("1.1.0") });
      await runToTheEnd(harness);
      const promoted = await harness.get("db");
      expect(promoted.status).toMatchObject({
        currentPhase: "Succeeded",
        stableReplicas: 3,
        canaryReplicas: 0,
        observedGeneration: 1,
        message: `all 3 replicas run ${image("1.1.0")}`,
      });
      expect(promoted.metadata.finalizers).toBeUndefined();
      expect(await harness.statefulSet("db-stable")).toMatchObject({ image: image("1.1.0"), replicas: 3, ready: 3 });
      expect(await harness.statefulSet("db-canary")).toMatchObject({ image: image("1.1.0"), replicas: 0 });

      const all = { totalReplicas: 1, canaryReplicas: 1 };
      // 12 s on this clock: long for a restored pod on a busy machine.
      await harness.patch("db", { ...all, canaryImage: image("1.2.0-bad"), healthTimeout: "4m" });
      await runToTheEnd(harness);
      const failed = await harness.get("db");
      expect(failed.status).toMatchObject({ currentPhase: "Failed", canaryReplicas: 0, observedGeneration: 2 });
      expect(failed.status?.message).toContain("not ready after 240 s");
      expect(await harness.statefulSet("db-stable")).toMatchObject({ image: image("1.1.0"), replicas: 1, ready: 1 });
      expect(await harness.statefulSet("db-canary")).toMatchObject({ replicas: 0 });
      await eventually("no canary pod is left", async () => (await harness.pods("canary")).length === 0);

      const some = { totalReplicas: 3, canaryReplicas: 1 };
      await harness.patch("db", { ...some, canaryImage: image("1.3.0"), healthTimeout: "10m" });
      await runToTheEnd(harness);
      expect((await harness.get("db")).status).toMatchObject({ currentPhase: "Succeeded", observedGeneration: 3 });
      expect(await harness.statefulSet("db-stable")).toMatchObject({ image: image("1.3.0"), replicas: 3, ready: 3 });
      expect(await harness.claims()).toEqual(expect.arrayContaining(["data-db-canary-0", "data-db-stable-2"]));
    });

    test("another image supersedes a canary, also if the first one is stuck", async ({ expect }) => {
      const harness = await open();
      await harness.create("db", { canaryImage: image("1.1.0-bad") });
      const pawl = startPawlLocal([...harness.flags, "--exit-when-idle"]);
      await pawl.until("the execution waits for the canary", ({ state }) => state === "WaitForCanary");
      await eventually("the bad canary has a pod", async () => (await harness.pods("canary")).length === 1);
      await harness.patch("db", { canaryImage: image("1.2.0") });
      await pawl.succeeds();
      expect(pawl.lines.some(({ state }) => state === "Superseded")).toBe(true);
      expect(pawl.lines.some(({ state }) => state === "RollBack")).toBe(false);
      const { status } = await harness.get("db");
      expect(status).toMatchObject({ currentPhase: "Succeeded", image: image("1.2.0"), observedGeneration: 2 });
      expect(status?.autoUpdate?.versionHistory?.map(({ version }) => version)).toEqual(["1.2.0"]);
      expect(await harness.statefulSet("db-stable")).toMatchObject({ image: image("1.2.0"), replicas: 3, ready: 3 });
    });

    test("more canary than total replicas are reported, and nothing is created until the spec is corrected", async ({
      expect,
    }) => {
      const harness = await open();
      await harness.create("db", { canaryImage: image("1.1.0"), canaryReplicas: 4 });
      await runToTheEnd(harness);
      const { status } = await harness.get("db");
      expect(status).toMatchObject({ message: "spec.canaryReplicas 4: is more than totalReplicas 3" });
      expect(status?.conditions).toMatchObject([{ type: "Valid", status: "False", reason: "SpecInvalid" }]);
      expect(await harness.statefulSets()).toEqual([]);
      await harness.patch("db", { canaryReplicas: 1 });
      await runToTheEnd(harness);
      const corrected = await harness.get("db");
      expect(corrected.status).toMatchObject({ currentPhase: "Succeeded" });
      expect(corrected.status?.conditions?.find(({ type }) => type === "Valid")).toMatchObject({ status: "True" });
    });
  });

  describe.concurrent("deleted", () => {
    test.for([
      { phase: "Progressing", canaryImage: image("1.1.0-bad"), spec: {}, state: "WaitForCanary" },
      { phase: "Analyzing", canaryImage: image("1.1.0"), spec: unreachableAnalysis, state: "WaitForAnalysis" },
      { phase: "Promoting", canaryImage: image("1.1.0"), spec: {}, state: "WaitForRollout" },
    ])("while $phase, it removes all of its objects", async ({ phase, canaryImage, spec, state }, { expect }) => {
      const harness = await open();
      await harness.create("db", { canaryImage, ...spec });
      const pawl = startPawlLocal([...harness.flags, "--prometheus", unreachablePrometheus, "--exit-when-idle"]);
      await pawl.until(`the phase is ${phase}`, (line) => line.state === state);
      const { status, metadata } = await harness.get("db");
      expect(status?.currentPhase).toBe(phase);
      expect(metadata.finalizers).toEqual(["pawl.dev/stateful-canary"]);
      await harness.delete("db");
      await pawl.succeeds();
      await expect(harness.waitForCleanup()).resolves.toBeUndefined();
      const states = new Set(pawl.lines.map((line) => line.state));
      expect({ superseded: states.has("Superseded"), rolledBack: states.has("RolledBack") }).toEqual({
        superseded: true,
        rolledBack: false,
      });
    });

    test("while no Pawl runs, it waits for the next one", async ({ expect }) => {
      const harness = await open();
      await harness.create("db", { canaryImage: image("1.1.0-bad") });
      const first = startPawlLocal(harness.flags);
      await first.until("the execution waits for the canary", ({ state }) => state === "WaitForCanary");
      first.kill();
      await first.ended;
      await harness.delete("db");
      expect((await harness.get("db")).metadata.deletionTimestamp).toBeDefined();
      await runToTheEnd(harness);
      await expect(harness.waitForCleanup()).resolves.toBeUndefined();
    });

    test.for([
      { when: "before it began", canaryImage: image("1.1.0"), runs: false },
      { when: "after it succeeded", canaryImage: image("1.1.0"), runs: true },
      { when: "after it failed", canaryImage: image("1.1.0-bad"), runs: true },
    ])("$when, it is removed without Pawl", async ({ canaryImage, runs }, { expect }) => {
      const harness = await open();
      await harness.create("db", { canaryImage, healthTimeout: canaryImage.endsWith("-bad") ? "1m" : "10m" });
      if (runs) await runToTheEnd(harness);
      await harness.delete("db");
      await expect(harness.waitForCleanup()).resolves.toBeUndefined();
    });
  });
});
