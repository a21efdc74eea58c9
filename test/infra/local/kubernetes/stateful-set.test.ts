import { expect, test } from "vitest";
import { byMerge, podsOf, simulate, toImage, workload, type Simulation } from "./simulation.ts";

const web = { namespace: "shop", name: "web" };

function patch({ apps }: Simulation, body: object) {
  return apps.patchNamespacedStatefulSet({ ...web, body }, byMerge);
}

test("rolls from the highest ordinal, one pod at a time", async () => {
  await using simulation = await simulate([workload("StatefulSet")]);
  await patch(simulation, toImage("app:1.1.0"));
  expect(await podsOf(simulation)).toEqual(["0 app:1.0.0 ready", "1 app:1.0.0 ready", "2 app:1.1.0 waiting"]);
  await simulation.pass(3);
  expect(await podsOf(simulation)).toEqual(["0 app:1.0.0 ready", "1 app:1.1.0 waiting", "2 app:1.1.0 ready"]);
  await simulation.pass(6);
  const { status } = await simulation.apps.readNamespacedStatefulSet(web);
  expect(status).toMatchObject({
    observedGeneration: 2,
    replicas: 3,
    updatedReplicas: 3,
    readyReplicas: 3,
    currentReplicas: 3,
  });
  expect(status?.currentRevision).toBe(status?.updateRevision);
});

test("has two revisions during a rollout", async () => {
  await using simulation = await simulate([workload("StatefulSet")]);
  const before = (await simulation.apps.readNamespacedStatefulSet(web)).status;
  await patch(simulation, toImage("app:1.1.0"));
  const { status } = await simulation.apps.readNamespacedStatefulSet(web);
  expect(status?.currentRevision).toBe(before?.currentRevision);
  expect(status?.updateRevision).not.toBe(before?.currentRevision);
  expect(status).toMatchObject({ currentReplicas: 2, updatedReplicas: 1, readyReplicas: 2 });
});

test.for([
  { podManagementPolicy: "OrderedReady", afterwards: ["0 app:1.0.0 ready", "1 app:1.0.0 ready", "2 app:bad waiting"] },
  { podManagementPolicy: "Parallel", afterwards: ["0 app:1.0.0 ready", "1 app:1.0.0 ready", "2 app:1.0.0 ready"] },
])(
  "$podManagementPolicy: stops at a pod that never becomes ready; rollback",
  async ({ podManagementPolicy, afterwards }) => {
    await using simulation = await simulate([workload("StatefulSet", { podManagementPolicy })]);
    await patch(simulation, toImage("app:bad"));
    await simulation.pass(600);
    expect((await simulation.apps.readNamespacedStatefulSet(web)).status).toMatchObject({
      updatedReplicas: 1,
      readyReplicas: 2,
    });
    await patch(simulation, toImage("app:1.0.0"));
    await simulation.pass(4);
    expect(await podsOf(simulation)).toEqual(afterwards);
  },
);

test("an ordered set continues after the blocking pod is deleted", async () => {
  await using simulation = await simulate([workload("StatefulSet")]);
  await patch(simulation, toImage("app:bad"));
  await simulation.pass(4);
  await patch(simulation, toImage("app:1.0.0"));
  await simulation.core.deleteNamespacedPod({ namespace: "shop", name: "web-2" });
  await simulation.pass(4);
  expect(await podsOf(simulation)).toEqual(["0 app:1.0.0 ready", "1 app:1.0.0 ready", "2 app:1.0.0 ready"]);
});

test("creates pods in order, one at a time", async () => {
  await using simulation = await simulate([workload("StatefulSet", { replicas: 1 })]);
  await patch(simulation, { spec: { replicas: 3 } });
  await simulation.pass(1);
  expect(await podsOf(simulation)).toEqual(["0 app:1.0.0 ready", "1 app:1.0.0 waiting"]);
  await simulation.pass(6);
  expect(await podsOf(simulation)).toHaveLength(3);
});

test("scales up and down during a rollout", async () => {
  await using simulation = await simulate([workload("StatefulSet")]);
  await patch(simulation, toImage("app:1.1.0"));
  await simulation.pass(3);
  await patch(simulation, { spec: { replicas: 4 } });
  await simulation.pass(15);
  const every = ["0 app:1.1.0 ready", "1 app:1.1.0 ready", "2 app:1.1.0 ready", "3 app:1.1.0 ready"];
  expect(await podsOf(simulation)).toEqual(every);
  await patch(simulation, { spec: { replicas: 1 } });
  await simulation.pass(1);
  expect(await podsOf(simulation)).toEqual(every.slice(0, 1));
});

test("a partition keeps the revision of the ordinals below it, also when their pods are recreated", async () => {
  const updateStrategy = { type: "RollingUpdate", rollingUpdate: { partition: 2 } };
  await using simulation = await simulate([workload("StatefulSet", { updateStrategy })]);
  await patch(simulation, toImage("app:1.1.0"));
  await simulation.pass(4);
  await simulation.core.deleteNamespacedPod({ namespace: "shop", name: "web-0" });
  await simulation.pass(4);
  expect(await podsOf(simulation)).toEqual(["0 app:1.0.0 ready", "1 app:1.0.0 ready", "2 app:1.1.0 ready"]);
  const { status } = await simulation.apps.readNamespacedStatefulSet(web);
  expect(status?.currentRevision).not.toBe(status?.updateRevision);
});

test("OnDelete replaces only deleted pods", async () => {
  await using simulation = await simulate([workload("StatefulSet", { updateStrategy: { type: "OnDelete" } })]);
  await patch(simulation, toImage("app:1.1.0"));
  await simulation.pass(4);
  expect((await simulation.apps.readNamespacedStatefulSet(web)).status?.updatedReplicas).toBeUndefined();
  await simulation.core.deleteNamespacedPod({ namespace: "shop", name: "web-1" });
  await simulation.pass(4);
  expect(await podsOf(simulation)).toEqual(["0 app:1.0.0 ready", "1 app:1.1.0 ready", "2 app:1.0.0 ready"]);
});
