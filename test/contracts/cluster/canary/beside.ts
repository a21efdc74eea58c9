import { expect, test } from "vitest";
import { ownerChange } from "../../../../functions/domain/workload/canary/follow.ts";
import { before, manifest, pathOf, target } from "../../cluster-fixtures.ts";
import { autoUpdatePath, statusOf } from "../auto-update/harness.ts";
import { change, createObject, getObject, patchObject, read, type At } from "../harness.ts";
import {
  promote,
  revert,
  claimCanary,
  getCanaryDeployment,
  eventually,
  imagesOf,
  createRunning,
  one,
  waitForCanary,
} from "./harness.ts";
import { next, rolledBack } from "../steps.ts";
import { textsOf } from "../../../support/problems.ts";

/** Tests the second Deployment that is the canary of a Deployment. */
export function testCanaryDeployment(at: At): void {
  test("has its labels and template, the labels that Services select and one more, and an owner reference", async () => {
    const ref = await createRunning(at, "Deployment");
    await patchObject(at(), ref, { metadata: { labels: { team: "shop", "pawl.dev/role": "stable" } } });
    await change(at(), ref, claimCanary());
    const { metadata, spec } = await getObject(at(), { ...ref, name: "app-canary" });
    const labels = { app: "app", "pawl.dev/role": "canary" };
    expect(metadata?.labels).toEqual({ team: "shop", "pawl.dev/role": "canary" });
    expect(metadata).toMatchObject({ ownerReferences: [{ kind: "Deployment", name: "app", uid: ref.uid }] });
    expect(spec).toMatchObject({
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "app", image: target }] } },
    });
  });

  test("its status names the autoscaler that averages over its pods too, while it runs", async () => {
    const ref = await createRunning(at, "Deployment");
    const collection = `/apis/autoscaling/v1/namespaces/${at().namespace}/horizontalpodautoscalers`;
    for (const [name, deployment] of Object.entries({ other: "app-canary", own: "app" })) {
      const spec = {
        minReplicas: 3,
        maxReplicas: 3,
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: deployment },
      };
      await at().request("POST", collection, { body: { metadata: { name }, spec } });
    }
    await change(at(), ref, claimCanary());
    const { update, conditions } = await statusOf(at(), ref);
    expect(update).toMatchObject({ autoscaler: "own" });
    expect(conditions?.[0]?.message).toMatch(/; HorizontalPodAutoscaler own averages over the pods of the canary too$/);
    await change(at(), ref, promote);
    expect((await statusOf(at(), ref)).update).not.toHaveProperty("autoscaler");
  });

  test("its status names an autoscaler that was created while it runs, from its next step on", async () => {
    const ref = await createRunning(at, "Deployment");
    await change(at(), ref, claimCanary());
    expect((await statusOf(at(), ref)).update).not.toHaveProperty("autoscaler");
    const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "app" };
    const spec = { minReplicas: 3, maxReplicas: 3, scaleTargetRef };
    const collection = `/apis/autoscaling/v1/namespaces/${at().namespace}/horizontalpodautoscalers`;
    await at().request("POST", collection, { body: { metadata: { name: "late" }, spec } });
    await change(at(), ref, () => ({ canary: { image: target, size: { unit: "replicas", amount: 2 } } }));
    expect((await statusOf(at(), ref)).update).toMatchObject({ autoscaler: "late" });
  });

  test("follows the replicas of its Deployment: scaled to 0 it serves nothing, and scaled back it has its size", async () => {
    const ref = await createRunning(at, "Deployment");
    await change(at(), ref, claimCanary());
    await waitForCanary(at(), ref);
    for (const [replicas, wanted] of [
      [0, 0],
      [2, 1],
    ] as const) {
      await patchObject(at(), ref, { spec: { replicas } });
      expect(ownerChange(await read(at(), ref))?.reason).toContain(`scaled to ${replicas} replicas`);
      await change(at(), ref, () => ({ canary: { image: target, size: one } }));
      expect((await getCanaryDeployment(at(), ref))?.spec).toMatchObject({ replicas: wanted });
      expect(ownerChange(await read(at(), ref))).toBeNull();
    }
    await waitForCanary(at(), ref);
  });

  test("updates the container in pawl.dev/containers", async () => {
    const containers = ["proxy", "app"].map((name) => ({ name, image: before }));
    const template = { metadata: { labels: { app: "app" } }, spec: { containers } };
    const annotations = { "pawl.dev/containers": "app" };
    const ref = await createRunning(at, "Deployment", { annotations, spec: { template } });
    await change(at(), ref, claimCanary());
    const { spec } = await getObject(at(), { ...ref, name: "app-canary" });
    expect(spec).toMatchObject({ template: { spec: { containers: [{ image: before }, { image: target }] } } });
    await waitForCanary(at(), ref);
  });

  test("is deleted with its Deployment", async () => {
    const ref = await createRunning(at, "Deployment");
    await change(at(), ref, claimCanary());
    await waitForCanary(at(), ref);
    await at().request("DELETE", pathOf(ref), { body: { propagationPolicy: "Background" } });
    await eventually(async () => {
      expect(await getCanaryDeployment(at(), ref)).toBeNull();
      expect(await imagesOf(at())).toEqual([]);
    });
  });

  test("is rejected if another Deployment has its name, which is unchanged", async () => {
    const foreign = await createObject(at(), "Deployment", manifest("Deployment", { name: "app-canary", optIn: null }));
    const ref = await createRunning(at, "Deployment");
    const found = await getObject(at(), foreign);
    const workload = await read(at(), ref);
    expect(textsOf(workload.problems)).toEqual([
      expect.stringMatching(/a Deployment app-canary .* is not managed by Pawl/),
    ]);
    await expect(at().cluster.change(workload, claimCanary()(workload))).rejects.toMatchObject({
      name: "CanaryUnsupported",
    });
    expect((await read(at(), ref)).canary).toBeNull();
    for (const step of [revert, rolledBack]) await change(at(), ref, step);
    const { metadata, spec } = await getObject(at(), foreign);
    expect({ uid: metadata?.uid, spec }).toEqual({ uid: found.metadata?.uid, spec: found.spec });
  });

  test("is replaced by the next canary if its AutoUpdate was deleted", async () => {
    const ref = await createRunning(at, "Deployment");
    await change(at(), ref, claimCanary());
    const previous = await getCanaryDeployment(at(), ref);
    await at().request("DELETE", autoUpdatePath(ref));
    expect((await read(at(), ref)).inFlight).toBeNull();
    await change(at(), ref, claimCanary(next, "e-2"));
    await waitForCanary(at(), ref, next);
    expect((await getCanaryDeployment(at(), ref))?.uid).not.toBe(previous?.uid);
  });
}
