import { expect, test } from "vitest";
import { byMerge, podsOf, simulate, toImage, workload, type Simulation } from "./simulation.ts";

const web = { namespace: "shop", name: "web" };

function patch({ apps }: Simulation, body: object) {
  return apps.patchNamespacedDeployment({ ...web, body }, byMerge);
}

test("a seeded Deployment is ready immediately", async () => {
  await using simulation = await simulate([workload("Deployment")]);
  const { status } = await simulation.apps.readNamespacedDeployment(web);
  expect(status).toMatchObject({
    observedGeneration: 1,
    replicas: 3,
    updatedReplicas: 3,
    readyReplicas: 3,
    availableReplicas: 3,
  });
  expect(status?.conditions).toMatchObject([
    { type: "Available", status: "True" },
    { reason: "NewReplicaSetAvailable" },
  ]);
});

test("rolls out with one surge pod", async () => {
  await using simulation = await simulate([workload("Deployment")]);
  await patch(simulation, toImage("app:1.1.0"));
  const seen: string[] = [];
  for (let turn = 0; turn < 4; turn += 1) {
    const { status } = await simulation.apps.readNamespacedDeployment(web);
    seen.push(`${status?.replicas}/${status?.updatedReplicas ?? 0}/${status?.readyReplicas}`);
    await simulation.pass(3);
  }
  expect(seen).toEqual(["4/1/3", "4/2/3", "4/3/3", "3/3/3"]);
  expect(await podsOf(simulation)).toEqual(Array.from({ length: 3 }, () => "app:1.1.0 ready"));
});

test("with an image that never becomes ready the old pods remain, and a rollback removes the new pod", async () => {
  await using simulation = await simulate([workload("Deployment")]);
  await patch(simulation, toImage("app:bad"));
  await simulation.pass(600);
  const { status } = await simulation.apps.readNamespacedDeployment(web);
  expect(status).toMatchObject({
    observedGeneration: 2,
    replicas: 4,
    updatedReplicas: 1,
    readyReplicas: 3,
    unavailableReplicas: 1,
  });
  await patch(simulation, toImage("app:1.0.0"));
  await simulation.pass(1);
  expect(await podsOf(simulation)).toEqual(Array.from({ length: 3 }, () => "app:1.0.0 ready"));
});

test("scales during a rollout", async () => {
  await using simulation = await simulate([workload("Deployment")]);
  await patch(simulation, toImage("app:1.1.0"));
  await simulation.pass(3);
  await patch(simulation, { spec: { replicas: 5 } });
  await simulation.pass(12);
  const { status } = await simulation.apps.readNamespacedDeployment(web);
  expect(status).toMatchObject({ replicas: 5, updatedReplicas: 5, readyReplicas: 5 });
});

test("Recreate deletes all pods before it creates new ones", async () => {
  await using simulation = await simulate([workload("Deployment", { strategy: { type: "Recreate" } })]);
  await patch(simulation, toImage("app:1.1.0"));
  await simulation.pass(1);
  expect(await podsOf(simulation)).toEqual(Array.from({ length: 3 }, () => "app:1.1.0 waiting"));
});

test("a paused Deployment scales and does not roll out", async () => {
  await using simulation = await simulate([workload("Deployment", { paused: true, replicas: 3 })]);
  expect(await podsOf(simulation)).toEqual([]);
  await patch(simulation, { spec: { paused: false } });
  await simulation.pass(3);
  await patch(simulation, { spec: { paused: true, replicas: 2, ...toImage("app:1.1.0").spec } });
  await simulation.pass(3);
  expect(await podsOf(simulation)).toEqual(["app:1.0.0 ready", "app:1.0.0 ready"]);
});

test("recreates deleted pods", async () => {
  await using simulation = await simulate([workload("Deployment")]);
  const [pod] = (await simulation.core.listNamespacedPod({ namespace: "shop" })).items;
  await simulation.core.deleteNamespacedPod({ namespace: "shop", name: pod?.metadata?.name ?? "" });
  await simulation.pass(3);
  expect(await podsOf(simulation)).toHaveLength(3);
});

test("its pods are garbage-collected when it is deleted", async () => {
  await using simulation = await simulate([workload("Deployment")]);
  await simulation.apps.deleteNamespacedDeployment(web);
  await simulation.pass(1);
  expect(await podsOf(simulation)).toEqual([]);
});
