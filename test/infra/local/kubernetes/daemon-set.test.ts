import { expect, test } from "vitest";
import { byMerge, podsOf, simulate, toImage, workload, type Simulation } from "./simulation.ts";

const web = { namespace: "shop", name: "web" };

function patch({ apps }: Simulation, body: object) {
  return apps.patchNamespacedDaemonSet({ ...web, body }, byMerge);
}

test("has a pod on every node, and on a node that is added later", async () => {
  await using simulation = await simulate([workload("DaemonSet")]);
  const { status } = await simulation.apps.readNamespacedDaemonSet(web);
  expect(status).toMatchObject({
    desiredNumberScheduled: 3,
    currentNumberScheduled: 3,
    numberReady: 3,
    updatedNumberScheduled: 3,
  });
  await simulation.core.createNode({ body: { metadata: { name: "late" } } });
  await simulation.pass(4);
  expect((await simulation.apps.readNamespacedDaemonSet(web)).status).toMatchObject({
    desiredNumberScheduled: 4,
    numberReady: 4,
  });
});

test("has pods only on nodes that match its nodeSelector", async () => {
  const set = workload("DaemonSet");
  const nodeSelector = { "kubernetes.io/hostname": "node-2" };
  const template = { ...set.spec.template, spec: { ...set.spec.template.spec, nodeSelector } };
  await using simulation = await simulate([{ ...set, spec: { ...set.spec, template } }]);
  const { items } = await simulation.core.listNamespacedPod({ namespace: "shop" });
  expect(items.map(({ spec }) => spec?.nodeName)).toEqual(["node-2"]);
});

test("replaces at most maxUnavailable pods at a time", async () => {
  await using simulation = await simulate([workload("DaemonSet")]);
  await patch(simulation, toImage("app:1.1.0"));
  const { status } = await simulation.apps.readNamespacedDaemonSet(web);
  expect(status).toMatchObject({
    observedGeneration: 2,
    updatedNumberScheduled: 1,
    numberReady: 2,
    numberUnavailable: 1,
  });
  await simulation.pass(9);
  expect(await podsOf(simulation)).toEqual(Array.from({ length: 3 }, () => "app:1.1.0 ready"));
});

test("stops at a pod that never becomes ready, and recovers after a rollback", async () => {
  await using simulation = await simulate([workload("DaemonSet")]);
  await patch(simulation, toImage("app:bad"));
  await simulation.pass(600);
  expect((await simulation.apps.readNamespacedDaemonSet(web)).status).toMatchObject({
    updatedNumberScheduled: 1,
    numberReady: 2,
  });
  await patch(simulation, toImage("app:1.0.0"));
  await simulation.pass(4);
  expect((await simulation.apps.readNamespacedDaemonSet(web)).status).toMatchObject({
    updatedNumberScheduled: 3,
    numberReady: 3,
  });
});

test("OnDelete replaces only deleted pods", async () => {
  await using simulation = await simulate([workload("DaemonSet", { updateStrategy: { type: "OnDelete" } })]);
  await patch(simulation, toImage("app:1.1.0"));
  await simulation.pass(4);
  const { status } = await simulation.apps.readNamespacedDaemonSet(web);
  expect(status).toMatchObject({ observedGeneration: 2, numberReady: 3 });
  expect(status?.updatedNumberScheduled).toBeUndefined();
});
