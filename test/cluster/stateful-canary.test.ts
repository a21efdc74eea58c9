import { beforeAll, describe, test } from "vitest";
import { eventually } from "../support/control-plane/eventually.ts";
import { installCrd } from "../support/crds/install.ts";
import { startPawlLocal } from "../support/pawl-process.ts";
import { describeOnRealCluster, realKubeConfig } from "../support/real-cluster.ts";
import { openLab } from "./lab.ts";
import { canaryLab, type CanaryLab, unreachableAnalysis } from "./stateful-canary-lab.ts";
import { suiteWithRegistry } from "./suite.ts";

const image = (tag: string) => `registry.example/shop/db:${tag}`;

describeOnRealCluster("a StatefulCanary", () => {
  const suite = suiteWithRegistry();

  beforeAll(() => installCrd(realKubeConfig(), "stateful-canary"));

  /** Each test has a namespace of its own, and no registry is ever asked. */
  async function open(): Promise<CanaryLab> {
    return canaryLab(await openLab(suite));
  }

  async function runToTheEnd({ flags }: CanaryLab): Promise<void> {
    await startPawlLocal([...flags, "--exit-when-idle"]).succeeds();
  }

  describe.concurrent("asked for an image", () => {
    test("a good image is promoted, a bad one is not, and the next good one begins again", async ({ expect }) => {
      const lab = await open();
      await lab.make("db", { canaryImage: image("1.1.0") });
      await runToTheEnd(lab);
      const promoted = await lab.look("db");
      expect(promoted.status).toMatchObject({
        currentPhase: "Succeeded",
        stableReplicas: 3,
        canaryReplicas: 0,
        observedGeneration: 1,
        message: `all 3 replicas run ${image("1.1.0")}`,
      });
      expect(promoted.metadata.finalizers).toBeUndefined();
      expect(await lab.set("db-stable")).toMatchObject({ image: image("1.1.0"), replicas: 3, ready: 3 });
      expect(await lab.set("db-canary")).toMatchObject({ image: image("1.1.0"), replicas: 0 });

      await lab.patch("db", { canaryImage: image("1.2.0-bad"), healthTimeout: "1m" });
      await runToTheEnd(lab);
      const failed = await lab.look("db");
      expect(failed.status).toMatchObject({ currentPhase: "Failed", canaryReplicas: 0, observedGeneration: 2 });
      expect(failed.status?.message).toContain("not ready after 60 s");
      expect(await lab.set("db-stable")).toMatchObject({ image: image("1.1.0"), replicas: 2, ready: 2 });
      expect(await lab.set("db-canary")).toMatchObject({ replicas: 0 });
      await eventually("no canary pod is left", async () => (await lab.pods("canary")).length === 0);

      await lab.patch("db", { canaryImage: image("1.3.0"), healthTimeout: "10m" });
      await runToTheEnd(lab);
      expect((await lab.look("db")).status).toMatchObject({ currentPhase: "Succeeded", observedGeneration: 3 });
      expect(await lab.set("db-stable")).toMatchObject({ image: image("1.3.0"), replicas: 3, ready: 3 });
      expect(await lab.claims()).toEqual(expect.arrayContaining(["data-db-canary-0", "data-db-stable-2"]));
    });

    test("another image in mid-flight supersedes, also where the first one is stuck", async ({ expect }) => {
      const lab = await open();
      await lab.make("db", { canaryImage: image("1.1.0-bad") });
      const pawl = startPawlLocal([...lab.flags, "--exit-when-idle"]);
      await pawl.until("the canary is waited for", ({ state }) => state === "WaitForCanary");
      await eventually("the bad canary stands", async () => (await lab.pods("canary")).length === 1);
      await lab.patch("db", { canaryImage: image("1.2.0") });
      await pawl.succeeds();
      expect(pawl.lines.some(({ state }) => state === "Superseded")).toBe(true);
      expect(pawl.lines.some(({ state }) => state === "RollBack")).toBe(false);
      const { status } = await lab.look("db");
      expect(status).toMatchObject({ currentPhase: "Succeeded", image: image("1.2.0"), observedGeneration: 2 });
      expect(status?.autoUpdate?.versionHistory?.map(({ version }) => version)).toEqual(["1.2.0"]);
      expect(await lab.set("db-stable")).toMatchObject({ image: image("1.2.0"), replicas: 3, ready: 3 });
    });

    test("more canary replicas than there are: said, and nothing is made until it is mended", async ({ expect }) => {
      const lab = await open();
      await lab.make("db", { canaryImage: image("1.1.0"), canaryReplicas: 4 });
      await runToTheEnd(lab);
      const { status } = await lab.look("db");
      expect(status).toMatchObject({ message: "spec.canaryReplicas 4: is more than totalReplicas 3" });
      expect(status?.conditions).toMatchObject([{ type: "Valid", status: "False", reason: "SpecInvalid" }]);
      expect(await lab.sets()).toEqual([]);
      await lab.patch("db", { canaryReplicas: 1 });
      await runToTheEnd(lab);
      const mended = await lab.look("db");
      expect(mended.status).toMatchObject({ currentPhase: "Succeeded" });
      expect(mended.status?.conditions?.find(({ type }) => type === "Valid")).toMatchObject({ status: "True" });
    });
  });

  describe.concurrent("deleted", () => {
    test.for([
      { phase: "Progressing", canaryImage: image("1.1.0-bad"), spec: {}, state: "WaitForCanary" },
      { phase: "Analyzing", canaryImage: image("1.1.0"), spec: unreachableAnalysis, state: "WaitForAnalysis" },
      { phase: "Promoting", canaryImage: image("1.1.0"), spec: {}, state: "WaitForRollout" },
    ])("while $phase, it leaves nothing behind", async ({ phase, canaryImage, spec, state }, { expect }) => {
      const lab = await open();
      await lab.make("db", { canaryImage, ...spec });
      const pawl = startPawlLocal([...lab.flags, "--exit-when-idle"]);
      await pawl.until(`it is ${phase}`, (line) => line.state === state);
      const { status, metadata } = await lab.look("db");
      expect(status?.currentPhase).toBe(phase);
      expect(metadata.finalizers).toEqual(["pawl.dev/stateful-canary"]);
      await lab.remove("db");
      await pawl.succeeds();
      await expect(lab.isClean()).resolves.toBeUndefined();
      const states = new Set(pawl.lines.map((line) => line.state));
      expect({ superseded: states.has("Superseded"), rolledBack: states.has("RolledBack") }).toEqual({
        superseded: true,
        rolledBack: false,
      });
    });

    test("while nobody looks, it waits for the next Pawl", async ({ expect }) => {
      const lab = await open();
      await lab.make("db", { canaryImage: image("1.1.0-bad") });
      const first = startPawlLocal(lab.flags);
      await first.until("the canary is waited for", ({ state }) => state === "WaitForCanary");
      first.kill();
      await first.ended;
      await lab.remove("db");
      expect((await lab.look("db")).metadata.deletionTimestamp).toBeDefined();
      await runToTheEnd(lab);
      await expect(lab.isClean()).resolves.toBeUndefined();
    });

    test.for([
      { when: "before it began", canaryImage: image("1.1.0"), runs: false },
      { when: "after it succeeded", canaryImage: image("1.1.0"), runs: true },
      { when: "after it failed", canaryImage: image("1.1.0-bad"), runs: true },
    ])("$when, it is gone without Pawl", async ({ canaryImage, runs }, { expect }) => {
      const lab = await open();
      await lab.make("db", { canaryImage, healthTimeout: "1m" });
      if (runs) await runToTheEnd(lab);
      await lab.remove("db");
      await expect(lab.isClean()).resolves.toBeUndefined();
    });
  });
});
