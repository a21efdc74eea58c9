import { describe, expect, test, vi } from "vitest";
import { run } from "../../../cli/program.ts";
import { annotations } from "../../../functions/domain/workload/policy/annotations.ts";
import { neverReadyAnnotation } from "../../support/control-plane/kubelet/pull.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { name, openDigestHarness } from "./digest-harness.ts";
import { createSuite } from "../suite.ts";

const brokenImage = { annotations: { [neverReadyAnnotation]: "true" } };
const adoptEnvironment = { PAWL_DIGEST_ON_FIRST_SEEN: "adopt" };
const patience = { timeout: 30_000, interval: 100 };
const shortTimeout = { [annotations.healthTimeout]: "3m" };
const rollbackAnnotation = { [annotations.rollbackTo]: "digest" };

describeOnRealCluster("a digest that does not become ready", () => {
  const suite = createSuite();

  async function open(repository: string, environment = adoptEnvironment) {
    return openDigestHarness(suite, { repository, environment });
  }

  describe.concurrent("on a cluster", () => {
    test("is counted once, opens the circuit with the next one, and is superseded after a reset", async () => {
      const repository = "shop/circuit";
      await suite.registry.push(repository, "prod");
      const harness = await open(repository);
      await harness.createTracked("Deployment", {
        annotations: { [annotations.maxRollbacks]: "2", ...shortTimeout },
      });
      expect(await harness.poll()).toBe(0);

      await suite.registry.push(repository, "prod", brokenImage);
      expect([await harness.poll(), await harness.poll()]).toEqual([1, 0]);
      expect(await harness.workload(name)).toMatchObject({
        image: harness.image,
        inFlight: null,
        updateRecord: { rollbackCount: 1, circuitOpen: false, failedVersions: [] },
      });
      await suite.registry.push(repository, "prod", brokenImage);
      expect([await harness.poll(), await harness.poll()]).toEqual([1, 0]);
      expect((await harness.workload(name)).updateRecord).toMatchObject({ rollbackCount: 2, circuitOpen: true });

      const good = await suite.registry.push(repository, "prod");
      expect([await harness.poll(), await harness.poll()]).toEqual([0, 0]);
      expect((await harness.workload(name)).lastReported.held).toContain(`prod@${good} is available but not applied`);
      await harness.setHealthTimeout("Deployment", "1h");
      await run(["reset", name, "--no-wait", ...harness.flags.slice(0, 4)]);
      expect([await harness.poll(), await harness.poll()]).toEqual([1, 0]);
      expect(await harness.runningDigests()).toEqual([good, good]);
      expect((await harness.workload(name)).updateRecord).toMatchObject({ rollbackCount: 0, circuitOpen: false });
      const events = await harness.eventsOf(name);
      expect(events.filter((reason) => reason === "AutoUpdateRollback")).toHaveLength(2);
      expect(events.filter((reason) => reason === "AutoUpdateCircuitOpen").length).toBeGreaterThan(0);
      await harness.close();
    });

    test.for(["Deployment", "StatefulSet"] as const)(
      "is reverted by a pin on a %s that allows it, and the next good digest removes the pin",
      async (kind) => {
        const repository = `shop/pinned-${kind.toLowerCase()}`;
        const first = await suite.registry.push(repository, "prod");
        const harness = await open(repository);
        await harness.createTracked(kind, { annotations: { ...rollbackAnnotation, ...shortTimeout } });
        expect(await harness.poll()).toBe(0);

        for (const _ of [1, 2]) {
          await suite.registry.push(repository, "prod", brokenImage);
          expect([await harness.poll(), await harness.poll()]).toEqual([1, 0]);
        }
        expect(await harness.template(kind)).toMatchObject({ image: `${harness.image}@${first}` });
        await vi.waitFor(async () => expect(await harness.runningDigests()).toEqual([first, first]), patience);
        expect(await harness.poll()).toBe(0);
        expect((await harness.messagesOf("AutoUpdateRollback"))[0]).toContain("the previous digests were pinned");

        await harness.setHealthTimeout(kind, "1h");
        const next = await suite.registry.push(repository, "prod");
        expect([await harness.poll(), await harness.poll()]).toEqual([1, 0]);
        expect(await harness.template(kind)).toMatchObject({ image: harness.image });
        expect(await harness.runningDigests()).toEqual([next, next]);
        const { updateRecord, isPinnedByPawl } = await harness.workload(name);
        expect({ isPinnedByPawl, statuses: updateRecord.versionHistory.map(({ status }) => status) }).toEqual({
          isPinnedByPawl: false,
          statuses: ["RolledBack", "RolledBack", "Healthy"],
        });
        await harness.close();
      },
    );

    test("does not prevent the next good digest on a StatefulSet that does not allow pins", async () => {
      const repository = "shop/stuck";
      await suite.registry.push(repository, "prod");
      const harness = await open(repository);
      await harness.createTracked("StatefulSet", { annotations: shortTimeout });
      expect(await harness.poll()).toBe(0);
      await suite.registry.push(repository, "prod", brokenImage);
      expect(await harness.poll()).toBe(1);
      expect(await harness.runningDigests()).toContain("unready");

      await harness.setHealthTimeout("StatefulSet", "1h");
      const good = await suite.registry.push(repository, "prod");
      expect(await harness.poll()).toBe(1);
      expect(await harness.runningDigests()).toEqual([good, good]);
      expect((await harness.workload(name)).updateRecord).toMatchObject({ rollbackCount: 0, circuitOpen: false });
      await harness.close();
    });

    test("is independent of tag updates on the same workload, and neither is applied twice", async () => {
      const repository = "shop/both";
      await suite.registry.push(repository, "1.0.0");
      const digest11 = await suite.registry.push(repository, "1.1.0");
      const harness = await openDigestHarness(suite, { repository, tag: "1.0.0" });
      const untagged = harness.image.slice(0, harness.image.lastIndexOf(":"));
      const tagAnnotations = {
        [annotations.autoUpdate]: "true",
        [annotations.versionConstraint]: ">=1.0.0-0",
        [annotations.versioning]: "semver",
      };
      await harness.createTracked("Deployment", { annotations: tagAnnotations });
      expect([await harness.poll(), await harness.poll()]).toEqual([1, 0]);
      expect(await harness.workload(name)).toMatchObject({
        image: `${untagged}:1.1.0`,
        restartedAt: null,
        digests: { deployed: { app: digest11 } },
      });

      const movedDigest = await suite.registry.push(repository, "1.1.0");
      expect([await harness.poll(), await harness.poll()]).toEqual([1, 0]);
      expect(await harness.runningDigests()).toEqual([movedDigest, movedDigest]);

      await harness.setHealthTimeout("Deployment", "3m");
      await suite.registry.push(repository, "1.2.0-bad");
      expect([await harness.poll(), await harness.poll()]).toEqual([1, 0]);
      expect(await harness.workload(name)).toMatchObject({
        image: `${untagged}:1.1.0`,
        digests: { deployed: { app: movedDigest } },
        updateRecord: { currentVersion: "1.1.0", failedVersions: ["1.2.0-bad"], rollbackCount: 1 },
      });
      await vi.waitFor(
        async () => expect(await harness.runningDigests()).toEqual([movedDigest, movedDigest]),
        patience,
      );
      await harness.close();
    });
  });
});
