import { PolicyV1Api } from "@kubernetes/client-node";
import { describe, expect, test } from "vitest";
import { cordon, podsOf, simulate, workload, type Simulation } from "./simulation.ts";

const namespace = "shop";

async function names({ core }: Simulation): Promise<readonly string[]> {
  return (await core.listNamespacedPod({ namespace })).items.map(({ metadata }) => metadata?.name ?? "");
}

/** Evicts the first pod. */
async function evictOne(simulation: Simulation): Promise<number> {
  return evict(simulation, (await names(simulation))[0]);
}

/** Gives the code of the answer. */
async function evict({ core }: Simulation, name = ""): Promise<number> {
  const eviction = core.createNamespacedPodEviction({ namespace, name, body: { metadata: { name, namespace } } });
  return eviction.then(
    () => 201,
    (error: { code: number }) => error.code,
  );
}

function budget(spec: object, name = "web") {
  const selector = { matchLabels: { app: "web" } };
  return {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name, namespace },
    spec: { selector, ...spec },
  };
}

test("a pod that is evicted ends after a while, and is made anew elsewhere at once", async () => {
  await using simulation = await simulate([workload("Deployment", { replicas: 1 })]);
  const [pod] = (await simulation.core.listNamespacedPod({ namespace })).items;
  await cordon(simulation, pod?.spec?.nodeName ?? "");
  expect(await evictOne(simulation)).toBe(201);
  const both = (await simulation.core.listNamespacedPod({ namespace })).items;
  const old = both.find(({ metadata }) => metadata?.uid === pod?.metadata?.uid);
  expect(old?.metadata).toMatchObject({ deletionGracePeriodSeconds: 30, deletionTimestamp: expect.any(Date) as Date });
  expect(new Set(both.map(({ spec }) => spec?.nodeName)).size).toBe(2);
  await simulation.pass(2);
  expect(await podsOf(simulation)).toEqual(["app:1.0.0 waiting"]);
  await simulation.pass(2);
  expect(await podsOf(simulation)).toEqual(["app:1.0.0 ready"]);
});

test("a pod of a StatefulSet is made anew under its name once it has ended", async () => {
  await using simulation = await simulate([workload("StatefulSet", { replicas: 1 })]);
  const read = () => simulation.core.readNamespacedPod({ namespace, name: "web-0" });
  const { uid } = (await read()).metadata ?? {};
  expect(await evictOne(simulation)).toBe(201);
  await simulation.pass(1);
  expect((await read()).metadata?.uid).toBe(uid);
  await simulation.pass(4);
  expect((await read()).metadata?.uid).not.toBe(uid);
  expect(await podsOf(simulation)).toEqual(["0 app:1.0.0 ready"]);
});

describe("a PodDisruptionBudget of three pods", () => {
  test.for([
    { spec: { minAvailable: 3 }, allowed: 0, desired: 3 },
    { spec: { minAvailable: 1 }, allowed: 2, desired: 1 },
    { spec: { minAvailable: "50%" }, allowed: 1, desired: 2 },
    { spec: { maxUnavailable: 1 }, allowed: 1, desired: 2 },
    { spec: { maxUnavailable: "34%" }, allowed: 2, desired: 1 },
    { spec: { maxUnavailable: 5 }, allowed: 3, desired: 0 },
    { spec: { minAvailable: 1, selector: { matchLabels: { app: "other" } } }, allowed: 0, desired: 1 },
  ])("$spec lets $allowed go", async ({ spec, allowed, desired }) => {
    await using simulation = await simulate([workload("Deployment"), budget(spec)]);
    const policy = simulation.kubeConfig.makeApiClient(PolicyV1Api);
    const { status } = await policy.readNamespacedPodDisruptionBudget({ namespace, name: "web" });
    expect(status).toMatchObject({ disruptionsAllowed: allowed, desiredHealthy: desired, observedGeneration: 1 });
  });

  test("lets the next go when the one before is ready again", async () => {
    await using simulation = await simulate([workload("Deployment"), budget({ maxUnavailable: 1 })]);
    const [first, second] = await names(simulation);
    expect(await evict(simulation, first)).toBe(201);
    expect(await evict(simulation, first)).toBe(201); // it ends already
    await simulation.pass(2);
    expect(await evict(simulation, second)).toBe(429);
    await simulation.pass(3);
    expect(await evict(simulation, second)).toBe(201);
  });

  test("beside another refuses all", async () => {
    const budgets = [budget({ maxUnavailable: 1 }), budget({ maxUnavailable: 1 }, "more")];
    await using simulation = await simulate([workload("Deployment"), ...budgets]);
    expect(await evictOne(simulation)).toBe(500);
  });
});

test("a pod without a controller falls under no share of one", async () => {
  const spec = { containers: [{ name: "app", image: "app:1.0.0" }] };
  const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "web", namespace, labels: { app: "web" } }, spec };
  await using simulation = await simulate([pod, budget({ maxUnavailable: 1 })]);
  expect(await evictOne(simulation)).toBe(429);
});
