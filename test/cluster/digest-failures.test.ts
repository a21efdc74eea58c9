import { describe, expect, test, vi } from "vitest";
import { run } from "../../cli/program.ts";
import { annotations } from "../../functions/domain/annotations.ts";
import { neverReadyAnnotation } from "../support/control-plane/kubelet/pod-status.ts";
import { describeOnRealCluster } from "../support/real-cluster.ts";
import { name, openDigestLab } from "./digest-lab.ts";
import { suiteWithRegistry } from "./suite.ts";

const bad = { annotations: { [neverReadyAnnotation]: "true" } };
const baseline = { PAWL_DIGEST_BASELINE: "running" };
const patience = { timeout: 30_000, interval: 100 };
const rollback = { [annotations.rollback]: "digest" };

describeOnRealCluster("a digest that does not become ready", () => {
  const suite = suiteWithRegistry();

  async function lab(repository: string, environment = baseline) {
    return openDigestLab(suite, { repository, environment });
  }

  describe.concurrent("on a cluster", () => {
    test("is counted once, opens the circuit with the next one, and is left behind after a reset", async () => {
      const repository = "shop/circuit";
      await suite.registry.push(repository, "prod");
      const at = await lab(repository);
      await at.follow("Deployment", { annotations: { [annotations.maxRollbacks]: "2" } });
      expect(await at.look()).toBe(0);

      const third = await suite.registry.push(repository, "prod", bad);
      expect([await at.look(), await at.look()]).toEqual([1, 0]);
      expect(await at.workload(name)).toMatchObject({
        image: at.image,
        inFlight: null,
        bookkeeping: { rollbackCount: 1, circuitOpen: false, failedVersions: [`prod@${third}`] },
      });
      await suite.registry.push(repository, "prod", bad);
      expect([await at.look(), await at.look()]).toEqual([1, 0]);
      expect((await at.workload(name)).bookkeeping).toMatchObject({ rollbackCount: 2, circuitOpen: true });

      const good = await suite.registry.push(repository, "prod");
      expect([await at.look(), await at.look()]).toEqual([0, 0]);
      expect((await at.workload(name)).announced.held).toContain(`prod@${good} is available and is not applied`);
      await run(["reset", name, ...at.flags.slice(0, 4)]);
      expect([await at.look(), await at.look()]).toEqual([1, 0]);
      expect(await at.running()).toEqual([good, good]);
      expect((await at.workload(name)).bookkeeping).toMatchObject({ rollbackCount: 0, circuitOpen: false });
      const events = await at.eventsOf(name);
      expect(events.filter((reason) => reason === "AutoUpdateRollback")).toHaveLength(2);
      expect(events.filter((reason) => reason === "AutoUpdateCircuitOpen").length).toBeGreaterThan(0);
      await at.close();
    });

    test.for(["Deployment", "StatefulSet"] as const)(
      "is taken back on a %s that allows it, by a pin that the next good one takes out",
      async (kind) => {
        const repository = `shop/pinned-${kind.toLowerCase()}`;
        const first = await suite.registry.push(repository, "prod");
        const at = await lab(repository);
        await at.follow(kind, { annotations: rollback });
        expect(await at.look()).toBe(0);

        for (const _ of [1, 2]) {
          await suite.registry.push(repository, "prod", bad);
          expect([await at.look(), await at.look()]).toEqual([1, 0]);
        }
        expect(await at.template(kind)).toMatchObject({ image: `${at.image}@${first}` });
        await vi.waitFor(async () => expect(await at.running()).toEqual([first, first]), patience);
        expect(await at.look()).toBe(0);
        expect((await at.messagesOf("AutoUpdateRollback"))[0]).toContain("the digests that ran before were pinned");

        const next = await suite.registry.push(repository, "prod");
        expect([await at.look(), await at.look()]).toEqual([1, 0]);
        expect(await at.template(kind)).toMatchObject({ image: at.image });
        expect(await at.running()).toEqual([next, next]);
        const { bookkeeping, isPinned } = await at.workload(name);
        expect({ isPinned, statuses: bookkeeping.versionHistory.map(({ status }) => status) }).toEqual({
          isPinned: false,
          statuses: ["RolledBack", "RolledBack", "Healthy"],
        });
        await at.close();
      },
    );

    test("does not keep a StatefulSet without leave to pin from the next good one", async () => {
      const repository = "shop/stuck";
      await suite.registry.push(repository, "prod");
      const at = await lab(repository);
      await at.follow("StatefulSet");
      expect(await at.look()).toBe(0);
      await suite.registry.push(repository, "prod", bad);
      expect(await at.look()).toBe(1);
      expect(await at.running()).toContain("unready");

      const good = await suite.registry.push(repository, "prod");
      expect(await at.look()).toBe(1);
      expect(await at.running()).toEqual([good, good]);
      expect((await at.workload(name)).bookkeeping).toMatchObject({ rollbackCount: 0, circuitOpen: false });
      await at.close();
    });

    test("beside tags that are followed: each goes its way, and neither is applied twice", async () => {
      const repository = "shop/both";
      await suite.registry.push(repository, "1.0.0");
      const eleven = await suite.registry.push(repository, "1.1.0");
      const at = await openDigestLab(suite, { repository, tag: "1.0.0" });
      const untagged = at.image.slice(0, at.image.lastIndexOf(":"));
      const both = { [annotations.autoUpdate]: "true", [annotations.versionConstraint]: ">=1.0.0-0" };
      await at.follow("Deployment", { annotations: both });
      expect([await at.look(), await at.look()]).toEqual([1, 0]);
      expect(await at.workload(name)).toMatchObject({
        image: `${untagged}:1.1.0`,
        restartedAt: null,
        digests: { last: { app: eleven } },
      });

      const again = await suite.registry.push(repository, "1.1.0");
      expect([await at.look(), await at.look()]).toEqual([1, 0]);
      expect(await at.running()).toEqual([again, again]);

      await suite.registry.push(repository, "1.2.0-bad");
      expect([await at.look(), await at.look()]).toEqual([1, 0]);
      expect(await at.workload(name)).toMatchObject({
        image: `${untagged}:1.1.0`,
        digests: { last: { app: again } },
        bookkeeping: { currentVersion: "1.1.0", failedVersions: ["1.2.0-bad"], rollbackCount: 1 },
      });
      await vi.waitFor(async () => expect(await at.running()).toEqual([again, again]), patience);
      await at.close();
    });
  });
});
