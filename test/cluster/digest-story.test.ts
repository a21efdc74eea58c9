import { describe, expect, test } from "vitest";
import { annotations, imageUpdaterAnnotations, imageUpdaterFinalizer } from "../../functions/domain/annotations.ts";
import { describeOnRealCluster } from "../support/real-cluster.ts";
import { openDigestLab, name } from "./digest-lab.ts";
import { suiteWithRegistry } from "./suite.ts";

const kinds = ["Deployment", "StatefulSet", "DaemonSet"] as const;
const baseline = { PAWL_DIGEST_BASELINE: "running" };

describeOnRealCluster("kept at the digest behind a tag, from the registry to the pods", () => {
  const suite = suiteWithRegistry();

  describe.concurrent("a workload", () => {
    test.for(kinds)("a %s is restarted at first sight, and once for each push", async (kind) => {
      const repository = `shop/pushed-${kind.toLowerCase()}`;
      const first = await suite.registry.push(repository, "prod");
      const lab = await openDigestLab(suite, { repository });
      await lab.follow(kind);
      expect(await lab.look()).toBe(1);
      const { restartedAt } = await lab.template(kind);
      expect(restartedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(await lab.running()).toEqual([first, first]);
      expect(await lab.look()).toBe(0);

      const second = await suite.registry.push(repository, "prod");
      expect(await lab.look(2)).toBe(1);
      expect(await lab.look()).toBe(0);
      expect(await lab.running()).toEqual([second, second]);
      expect(await lab.template(kind)).toMatchObject({ image: lab.image });
      expect((await lab.template(kind)).restartedAt).not.toBe(restartedAt);
      const { bookkeeping, digests, inFlight } = await lab.workload(name);
      expect({ inFlight, last: digests?.last, former: digests?.former }).toEqual({
        inFlight: null,
        last: { app: second },
        former: [{ app: first }],
      });
      expect(bookkeeping.versionHistory.map(({ version, status }) => [version, status])).toEqual([
        [`prod@${first}`, "Healthy"],
        [`prod@${second}`, "Healthy"],
      ]);
      expect(await lab.eventsOf(name)).toEqual(
        [1, 2].flatMap(() => ["AutoUpdateAvailable", "AutoUpdateStarting", "AutoUpdateComplete"]),
      );
      await lab.close();
    });

    test("a Deployment whose pods run a manifest of the index behind the tag needs no restart where that is the baseline", async () => {
      const repository = "shop/index";
      const platforms = ["amd64", "arm64"];
      const index = await suite.registry.push(repository, "prod", { platforms });
      const lab = await openDigestLab(suite, { repository, environment: baseline });
      await lab.follow("Deployment");
      expect(await lab.running()).not.toContain(index);
      expect(await lab.look()).toBe(0);
      expect(await lab.template("Deployment")).toMatchObject({ restartedAt: undefined });
      expect((await lab.workload(name)).digests?.last).toEqual({ app: index });
      expect(await lab.look()).toBe(0);

      const before = await lab.running();
      const next = await suite.registry.push(repository, "prod", { platforms });
      expect(await lab.look()).toBe(1);
      expect((await lab.workload(name)).digests?.last).toEqual({ app: next });
      expect(await lab.running()).toHaveLength(2);
      expect(await lab.running()).not.toEqual(before);
      await lab.close();
    });

    test("one that runs something older than the baseline is restarted at first sight all the same", async () => {
      const repository = "shop/behind";
      await suite.registry.push(repository, "prod");
      const lab = await openDigestLab(suite, { repository, environment: baseline });
      await lab.follow("Deployment");
      const next = await suite.registry.push(repository, "prod");
      expect(await lab.look()).toBe(1);
      expect(await lab.running()).toEqual([next, next]);
      await lab.close();
    });

    test.for([
      { habit: "keep", policy: "IfNotPresent", status: "RolledBack", runs: 0 },
      { habit: "always", policy: "Always", status: "Healthy", runs: 2 },
    ])("one of pull policy IfNotPresent, which Pawl is to $habit: $status", async ({ habit, policy, status, runs }) => {
      const repository = `shop/stale-${habit}`;
      const pushed = [await suite.registry.push(repository, "prod")];
      const environment = { ...baseline, PAWL_DIGEST_PULL_POLICY: habit };
      const lab = await openDigestLab(suite, { repository, environment });
      // One pod on each node, and always the same: a node that has never run it would pull.
      await lab.follow("DaemonSet", { imagePullPolicy: "IfNotPresent" });
      expect(await lab.look()).toBe(0);
      for (const _ of [1, 2]) {
        pushed.push(await suite.registry.push(repository, "prod"));
        expect([await lab.look(), await lab.look()]).toEqual([1, 0]);
      }
      expect(await lab.running()).toEqual([pushed[runs], pushed[runs]]);
      expect((await lab.template("DaemonSet")).imagePullPolicy).toBe(policy);
      const { bookkeeping } = await lab.workload(name);
      expect(bookkeeping.versionHistory.map((entry) => entry.status)).toEqual([status, status]);
      const said = await lab.messagesOf("AutoUpdateRollback");
      expect(said.map((text) => text.includes("is its imagePullPolicy Always?"))).toEqual(
        status === "Healthy" ? [] : [true, true],
      );
      await lab.close();
    });

    test("one that comes from kubernetes-image-updater is taken over as it stands, and can be deleted", async () => {
      const repository = "shop/adopted";
      const first = await suite.registry.push(repository, "prod");
      const lab = await openDigestLab(suite, { repository });
      await lab.follow("Deployment", {
        annotations: { [imageUpdaterAnnotations.lastDigest]: first },
        finalizers: [imageUpdaterFinalizer],
      });
      expect(await lab.look()).toBe(0);
      const second = await suite.registry.push(repository, "prod");
      expect(await lab.look()).toBe(1);
      expect(await lab.running()).toEqual([second, second]);
      expect((await lab.workload(name)).digests).toMatchObject({ last: { app: second }, former: [{ app: first }] });
      await lab.remove();
      await expect(lab.workload(name)).rejects.toThrow("no workload");
      await lab.close();
    });

    test("one that is being deleted with the finalizer of kubernetes-image-updater is let go", async () => {
      const repository = "shop/deleted";
      const first = await suite.registry.push(repository, "prod");
      const lab = await openDigestLab(suite, { repository });
      const own = { [imageUpdaterAnnotations.lastDigest]: `app:${first}`, [annotations.paused]: "true" };
      await lab.follow("Deployment", { annotations: own, finalizers: [imageUpdaterFinalizer] });
      await lab.remove();
      expect((await lab.workload(name)).digests).toMatchObject({ isHeldBack: true });
      expect(await lab.look()).toBe(0);
      await expect(lab.workload(name)).rejects.toThrow("no workload");
      await lab.close();
    });
  });
});
