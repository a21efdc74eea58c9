import { describe, expect, test } from "vitest";
import {
  annotations,
  imageUpdaterAnnotations,
  imageUpdaterFinalizer,
} from "../../../functions/domain/workload/policy/annotations.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { openDigestHarness, name } from "./digest-harness.ts";
import { createSuite } from "../suite.ts";

const kinds = ["Deployment", "StatefulSet", "DaemonSet"] as const;
const adoptEnvironment = { PAWL_DIGEST_ON_FIRST_SEEN: "adopt" };

describeOnRealCluster("digest tracking, from the registry to the pods", () => {
  const suite = createSuite();

  describe.concurrent("a workload", () => {
    test.for(kinds)("a %s is restarted on the first poll, and once for each push", async (kind) => {
      const repository = `shop/pushed-${kind.toLowerCase()}`;
      const first = await suite.registry.push(repository, "prod");
      const harness = await openDigestHarness(suite, { repository });
      await harness.createTracked(kind);
      expect(await harness.poll()).toBe(1);
      const { restartedAt } = await harness.template(kind);
      expect(restartedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(await harness.runningDigests()).toEqual([first, first]);
      expect(await harness.poll()).toBe(0);

      const second = await suite.registry.push(repository, "prod");
      expect(await harness.poll(2)).toBe(1);
      expect(await harness.poll()).toBe(0);
      expect(await harness.runningDigests()).toEqual([second, second]);
      expect(await harness.template(kind)).toMatchObject({ image: harness.image });
      expect((await harness.template(kind)).restartedAt).not.toBe(restartedAt);
      const { updateRecord, digests, inFlight } = await harness.workload(name);
      expect({ inFlight, deployed: digests?.deployed, previous: digests?.previous }).toEqual({
        inFlight: null,
        deployed: { app: second },
        previous: [{ app: first }],
      });
      expect(updateRecord.versionHistory.map(({ version, status }) => [version, status])).toEqual([
        [`prod@${first}`, "Healthy"],
        [`prod@${second}`, "Healthy"],
      ]);
      expect(await harness.eventsOf(name)).toEqual(
        [1, 2].flatMap(() => ["AutoUpdateAvailable", "AutoUpdateStarting", "AutoUpdateComplete"]),
      );
      await harness.close();
    });

    test("a Deployment whose pods run a manifest of the tagged index needs no restart if the first digest is adopted", async () => {
      const repository = "shop/index";
      const platforms = ["amd64", "arm64"];
      const index = await suite.registry.push(repository, "prod", { platforms });
      const harness = await openDigestHarness(suite, { repository, environment: adoptEnvironment });
      await harness.createTracked("Deployment");
      expect(await harness.runningDigests()).not.toContain(index);
      expect(await harness.poll()).toBe(0);
      expect(await harness.template("Deployment")).toMatchObject({ restartedAt: undefined });
      expect((await harness.workload(name)).digests?.deployed).toEqual({ app: index });
      expect(await harness.poll()).toBe(0);

      const before = await harness.runningDigests();
      const next = await suite.registry.push(repository, "prod", { platforms });
      expect(await harness.poll()).toBe(1);
      expect((await harness.workload(name)).digests?.deployed).toEqual({ app: next });
      expect(await harness.runningDigests()).toHaveLength(2);
      expect(await harness.runningDigests()).not.toEqual(before);
      await harness.close();
    });

    test("a workload that runs an older digest is restarted on the first poll, even if the first digest is adopted", async () => {
      const repository = "shop/outdated";
      await suite.registry.push(repository, "prod");
      const harness = await openDigestHarness(suite, { repository, environment: adoptEnvironment });
      await harness.createTracked("Deployment");
      const next = await suite.registry.push(repository, "prod");
      expect(await harness.poll()).toBe(1);
      expect(await harness.runningDigests()).toEqual([next, next]);
      await harness.close();
    });

    test.for([
      { imagePullPolicy: "unchanged", policy: "IfNotPresent", status: "RolledBack", runs: 0 },
      { imagePullPolicy: "Always", policy: "Always", status: "Healthy", runs: 2 },
    ])(
      "pull policy IfNotPresent, and PAWL_DIGEST_IMAGE_PULL_POLICY $imagePullPolicy: $status",
      async ({ imagePullPolicy, policy, status, runs }) => {
        const repository = `shop/stale-${imagePullPolicy.toLowerCase()}`;
        const pushed = [await suite.registry.push(repository, "prod")];
        const environment = { ...adoptEnvironment, PAWL_DIGEST_IMAGE_PULL_POLICY: imagePullPolicy };
        const harness = await openDigestHarness(suite, { repository, environment });
        // A DaemonSet keeps each pod on its node: another node would have to pull the image.
        const ownAnnotations = { [annotations.healthTimeout]: status === "Healthy" ? "1h" : "3m" };
        await harness.createTracked("DaemonSet", { imagePullPolicy: "IfNotPresent", annotations: ownAnnotations });
        expect(await harness.poll()).toBe(0);
        for (const _ of [1, 2]) {
          pushed.push(await suite.registry.push(repository, "prod"));
          expect([await harness.poll(), await harness.poll()]).toEqual([1, 0]);
        }
        expect(await harness.runningDigests()).toEqual([pushed[runs], pushed[runs]]);
        expect((await harness.template("DaemonSet")).imagePullPolicy).toBe(policy);
        const { updateRecord } = await harness.workload(name);
        expect(updateRecord.versionHistory.map((entry) => entry.status)).toEqual([status, status]);
        const messages = await harness.messagesOf("AutoUpdateRollback");
        expect(messages.map((text) => text.includes("set its imagePullPolicy to Always"))).toEqual(
          status === "Healthy" ? [] : [true, true],
        );
        await harness.close();
      },
    );

    test("a workload of kubernetes-image-updater is adopted without a restart, and can be deleted", async () => {
      const repository = "shop/adopted";
      const first = await suite.registry.push(repository, "prod");
      const harness = await openDigestHarness(suite, { repository });
      await harness.createTracked("Deployment", {
        annotations: { [imageUpdaterAnnotations.lastDigest]: first },
        finalizers: [imageUpdaterFinalizer],
      });
      expect(await harness.poll()).toBe(0);
      const second = await suite.registry.push(repository, "prod");
      expect(await harness.poll()).toBe(1);
      expect(await harness.runningDigests()).toEqual([second, second]);
      expect((await harness.workload(name)).digests).toMatchObject({
        deployed: { app: second },
        previous: [{ app: first }],
      });
      await harness.remove();
      await expect(harness.workload(name)).rejects.toThrow("no workload");
      await harness.close();
    });

    test("the finalizer of kubernetes-image-updater is removed from a workload that is being deleted", async () => {
      const repository = "shop/deleted";
      const first = await suite.registry.push(repository, "prod");
      const harness = await openDigestHarness(suite, { repository });
      const ownAnnotations = { [imageUpdaterAnnotations.lastDigest]: `app:${first}`, [annotations.paused]: "true" };
      await harness.createTracked("Deployment", { annotations: ownAnnotations, finalizers: [imageUpdaterFinalizer] });
      await harness.remove();
      expect((await harness.workload(name)).digests).toMatchObject({ isBlockedByFinalizer: true });
      // Only an execution may write the workload.
      expect(await harness.poll()).toBe(1);
      await expect(harness.workload(name)).rejects.toThrow("no workload");
      await harness.close();
    });
  });
});
