import { beforeAll, describe, test } from "vitest";
import { annotations } from "../../../functions/domain/workload/policy/annotations.ts";
import { autoUpdateName } from "../../../functions/domain/workload/record/auto-update-name.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { openAutoUpdateHarness, type PlainKind, targetRef } from "./auto-update-harness.ts";
import { createSuite } from "../suite.ts";

const optedIn = { [annotations.autoUpdate]: "true" };
/** The API server accepts it, and the deployment controller cannot name its ReplicaSets: nothing rolls out. */
const longName = "a".repeat(253);

describeOnRealCluster("the name of an AutoUpdate", () => {
  const suite = createSuite();

  beforeAll(async () => {
    await suite.registry.pushImage("shop/good", ["1.0.0", "1.1.0"]);
  });

  function image(tag: string): string {
    return `${suite.registry.host}/shop/good:${tag}`;
  }

  describe.concurrent("in a namespace of its own", () => {
    test("workloads of one name and different kinds are recorded apart", async ({ expect }) => {
      const harness = await openAutoUpdateHarness(suite);
      const pawl = await harness.startPawl();
      for (const kind of ["Deployment", "StatefulSet", "DaemonSet"] as const) {
        await harness.createPlain(kind, "web", image("1.0.0"), kind === "DaemonSet" ? {} : optedIn);
      }
      const ofDaemonSet = { targetRef: { ...targetRef, kind: "DaemonSet" }, policy: { versionConstraint: "<1.1" } };
      await harness.write("daemonset-web", ofDaemonSet);
      await harness.settle(pawl, 2);
      expect(await harness.names()).toEqual(["daemonset-web", "deployment-web", "statefulset-web"]);
      const statuses = await Promise.all(
        (await harness.names()).map(async (name) => (await harness.read(name))?.status),
      );
      expect(statuses.map((status) => status?.history?.length ?? 0)).toEqual([0, 1, 1]);
      expect(statuses.map((status) => status?.update)).toEqual([undefined, undefined, undefined]);
    });

    test("a Deployment with the longest name whose ReplicaSets are valid is updated", async ({ expect }) => {
      const harness = await openAutoUpdateHarness(suite);
      const pawl = await harness.startPawl();
      const name = "a".repeat(242);
      await harness.createPlain("Deployment", name, image("1.0.0"), optedIn);
      await harness.settle(pawl);
      expect(await harness.names()).toEqual([`deployment-${name}`]);
      expect((await harness.read(`deployment-${name}`))?.status).toMatchObject({
        currentVersion: "1.1.0",
        history: [{}],
      });
    });

    test.for([
      { how: "annotations", isOwned: false },
      { how: "an AutoUpdate", isOwned: true },
    ])("a Deployment with a name of 253 characters opts in by $how", async ({ isOwned }, { expect }) => {
      const harness = await openAutoUpdateHarness(suite);
      const pawl = await harness.startPawl();
      const target = { ...targetRef, name: longName };
      const name = autoUpdateName(target);
      await harness.createPlain("Deployment", longName, image("1.1.0"), isOwned ? {} : optedIn);
      if (isOwned) expect(await harness.write(name, { targetRef: target, policy: {} })).toMatchObject({ code: 201 });
      await harness.settle(pawl, 2);
      expect(await harness.names()).toEqual([name]);
      expect(await harness.condition(name, "Ready")).toMatchObject({ status: "True" });
      expect((await harness.read(name))?.status).toMatchObject({ currentVersion: "1.1.0" });
      await harness.annotate(longName, { [annotations.autoUpdate]: null });
      await harness.settle(pawl);
      expect(await harness.names()).toEqual(isOwned ? [name] : []);
    });

    test("two long names that begin alike have two AutoUpdates", async ({ expect }) => {
      const harness = await openAutoUpdateHarness(suite);
      const pawl = await harness.startPawl();
      const workloads: readonly (readonly [PlainKind, string])[] = [
        ["Deployment", `${"a".repeat(252)}b`],
        ["Deployment", longName],
      ];
      for (const [kind, name] of workloads) await harness.createPlain(kind, name, image("1.1.0"), optedIn);
      await harness.settle(pawl);
      expect(await harness.names()).toHaveLength(2);
    });

    test("a workload that is deleted and created again has an AutoUpdate of its own", async ({ expect }) => {
      const harness = await openAutoUpdateHarness(suite);
      const pawl = await harness.startPawl();
      await harness.createPlain("Deployment", "web", image("1.0.0"), optedIn);
      await harness.settle(pawl);
      expect((await harness.read("deployment-web"))?.status?.history).toHaveLength(1);
      await harness.deleteDeployment("web");
      await harness.createPlain("Deployment", "web", image("1.0.0"), optedIn);
      const { uid } = (await harness.workload("web")).ref;
      // The garbage collector deletes the first one, within half a minute after a CRD was installed.
      await eventually("the second AutoUpdate exists", async () => {
        await harness.settle(pawl);
        return (await harness.read("deployment-web"))?.metadata.ownerReferences?.some((owner) => owner.uid === uid);
      });
      await harness.settle(pawl, 2);
      const { status } = (await harness.read("deployment-web")) ?? {};
      expect(status).toMatchObject({ currentVersion: "1.1.0" });
      expect(status?.failedVersions ?? []).toEqual([]);
      expect((await harness.deployment("web")).image).toBe(image("1.1.0"));
    });
  });
});
