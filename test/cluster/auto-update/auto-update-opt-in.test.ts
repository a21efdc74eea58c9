import { beforeAll, describe, test } from "vitest";
import { annotations } from "../../../functions/domain/workload/policy/annotations.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { openAutoUpdateHarness, targetRef } from "./auto-update-harness.ts";
import { createSuite } from "../suite.ts";

const name = "deployment-web";
const optedIn = { [annotations.autoUpdate]: "true" };

describeOnRealCluster("opting in and out", () => {
  const suite = createSuite();

  beforeAll(async () => {
    await suite.registry.pushImage("shop/good", ["1.0.0", "1.1.0"]);
    await suite.registry.pushImage("shop/slow", ["1.0.0", "1.1.0-bad"]);
  });

  function image(tag: string, repository = "good"): string {
    return `${suite.registry.host}/shop/${repository}:${tag}`;
  }

  async function open() {
    const harness = await openAutoUpdateHarness(suite);
    return { harness, pawl: await harness.startPawl() };
  }

  describe.concurrent("in a namespace of its own", () => {
    test("an AutoUpdate that its owner wrote updates a workload without annotations", async ({ expect }) => {
      const { harness, pawl } = await open();
      await harness.createPlain("Deployment", "web", image("1.0.0"));
      expect(await harness.write(name, { policy: {} })).toMatchObject({ code: 201 });
      await harness.settle(pawl);
      const { metadata, status } = (await harness.read(name)) ?? {};
      expect((await harness.workload("web")).image).toBe(image("1.1.0"));
      expect(status).toMatchObject({
        currentVersion: "1.1.0",
        currentImage: image("1.1.0"),
        history: [{ version: "1.1.0", image: image("1.1.0"), result: "Healthy" }],
      });
      expect(status?.update).toBeUndefined();
      expect(metadata).not.toHaveProperty("ownerReferences");
      expect(metadata).not.toHaveProperty("labels");
    });

    test("annotations alone: Pawl creates the AutoUpdate, and the workload owns it", async ({ expect }) => {
      const { harness, pawl } = await open();
      await harness.createPlain("Deployment", "web", image("1.1.0"), optedIn);
      await harness.settle(pawl);
      const { uid } = (await harness.workload("web")).ref;
      const { metadata, spec } = (await harness.read(name)) ?? {};
      expect(spec).toEqual({ targetRef });
      expect(metadata).toMatchObject({
        labels: { "app.kubernetes.io/managed-by": "pawl" },
        ownerReferences: [{ apiVersion: "apps/v1", kind: "Deployment", name: "web", uid, blockOwnerDeletion: false }],
      });
    });

    test("a policy in both places is an error that names both, and nothing is updated", async ({ expect }) => {
      const { harness, pawl } = await open();
      await harness.createPlain("Deployment", "web", image("1.0.0"), optedIn);
      await harness.write(name, { policy: { versionConstraint: "^1" } });
      await harness.settle(pawl, 2);
      const stalled = await harness.condition(name, "Stalled");
      expect(stalled).toMatchObject({ status: "True", reason: "InvalidConfiguration" });
      expect(stalled?.message).toContain(`AutoUpdate ${name} has spec.policy`);
      expect(stalled?.message).toContain(`Deployment web has ${annotations.autoUpdate}`);
      expect(await harness.condition(name, "Ready")).toMatchObject({ status: "False" });
      expect((await harness.workload("web")).image).toBe(image("1.0.0"));
      await harness.annotate("web", { [annotations.autoUpdate]: null });
      await harness.settle(pawl, 2);
      expect(await harness.condition(name, "Stalled")).toBeNull();
      expect((await harness.workload("web")).image).toBe(image("1.1.0"));
    });

    test.for([
      { when: "has another name", name: "web", spec: {}, reason: `must be named ${name}` },
      {
        when: "names a target that does not exist",
        name: "deployment-api",
        spec: { targetRef: { ...targetRef, name: "api" } },
        reason: "Deployment .*/api does not exist",
      },
      {
        when: "names a kind that is not supported",
        name: "replicaset-web",
        spec: { targetRef: { ...targetRef, kind: "ReplicaSet" } },
        reason: "apps/v1 ReplicaSet is not updated through an AutoUpdate; use one of .*Deployment",
      },
      {
        when: "names a kind of another group",
        name,
        spec: { targetRef: { ...targetRef, apiVersion: "example.org/v1" } },
        reason: "example.org/v1 Deployment is not updated",
      },
    ])("an AutoUpdate that $when is Stalled with the reason", async ({ name: own, spec, reason }, { expect }) => {
      const { harness, pawl } = await open();
      await harness.createPlain("Deployment", "web", image("1.0.0"));
      expect(await harness.write(own, { policy: {}, ...spec })).toMatchObject({ code: 201 });
      const report = await pawl.poll();
      expect(report).toMatchObject({ failed: [], started: 0 });
      const expected = { status: "True", reason: "InvalidConfiguration", message: expect.stringMatching(reason) };
      expect(await harness.condition(own, "Stalled")).toEqual(expected);
      expect(await harness.condition(own, "Ready")).toEqual({ ...expected, status: "False" });
      const { metadata } = (await harness.read(own)) ?? {};
      await harness.settle(pawl, 2);
      expect((await harness.read(own))?.metadata.resourceVersion).toBe(metadata?.resourceVersion);
    });

    test("a target that is created later is updated", async ({ expect }) => {
      const { harness, pawl } = await open();
      await harness.write(name, { policy: {} });
      await harness.settle(pawl);
      expect(await harness.condition(name, "Stalled")).toMatchObject({ status: "True" });
      await harness.createPlain("Deployment", "web", image("1.0.0"));
      await harness.settle(pawl);
      expect(await harness.condition(name, "Stalled")).toBeNull();
      expect((await harness.read(name))?.status).toMatchObject({ currentVersion: "1.1.0" });
    });

    test("suspend: nothing starts, Ready stays True, and it continues after that", async ({ expect }) => {
      const { harness, pawl } = await open();
      await harness.createPlain("Deployment", "web", image("1.0.0"));
      await harness.write(name, { suspend: true, policy: {} });
      await harness.settle(pawl, 2);
      expect((await harness.workload("web")).image).toBe(image("1.0.0"));
      expect(await harness.condition(name, "Ready")).toMatchObject({ status: "True" });
      await harness.edit(name, { spec: { suspend: false } });
      expect(await harness.condition(name, "Ready")).toBeNull();
      await harness.settle(pawl);
      expect((await harness.workload("web")).image).toBe(image("1.1.0"));
    });

    test.for([
      { how: "the annotation is removed", value: null },
      { how: "the annotation is false", value: "false" },
    ])("opting out while idle deletes what Pawl created: $how", async ({ value }, { expect }) => {
      const { harness, pawl } = await open();
      await harness.createPlain("Deployment", "web", image("1.0.0"), optedIn);
      await harness.settle(pawl);
      expect(await harness.names()).toEqual([name]);
      await harness.annotate("web", { [annotations.autoUpdate]: value });
      await harness.settle(pawl, 2);
      expect(await harness.names()).toEqual([]);
    });

    test("opting out during an update: it is rolled back first, and not blamed", async ({ expect }) => {
      const { harness, pawl } = await open();
      const constraint = { [annotations.versionConstraint]: ">=1.0.0-0", [annotations.versioning]: "semver" };
      await harness.createPlain("Deployment", "web", image("1.0.0", "slow"), { ...optedIn, ...constraint });
      await pawl.poll();
      await eventually("it is applied", async () => (await harness.read(name))?.status?.update?.phase === "Applied");
      await harness.annotate("web", { [annotations.autoUpdate]: "false" });
      const history: unknown[] = [];
      await eventually("the execution ends", async () => {
        const { status } = (await harness.read(name)) ?? {};
        if (status?.failedVersions?.length) history.push(...status.failedVersions);
        return pawl.running() === 0;
      });
      await harness.settle(pawl, 2);
      expect(await harness.names()).toEqual([]);
      expect(history).toEqual([]);
      const { image: runs } = await harness.deployment("web");
      expect(runs).toBe(image("1.0.0", "slow"));
    });

    test("opting out never deletes what a person wrote", async ({ expect }) => {
      const { harness, pawl } = await open();
      await harness.createPlain("Deployment", "web", image("1.0.0"));
      await harness.write(name, { policy: {} });
      await harness.settle(pawl);
      const labels = { "app.kubernetes.io/managed-by": "pawl" };
      await harness.edit(name, { metadata: { labels } });
      await harness.annotate("web", { [annotations.autoUpdate]: "false" });
      await harness.settle(pawl, 3);
      expect(await harness.names()).toEqual([name]);
      expect((await harness.read(name))?.metadata).not.toHaveProperty("ownerReferences");
    });
  });
});
