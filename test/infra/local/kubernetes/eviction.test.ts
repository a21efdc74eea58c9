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

/** Returns the code of the response. */
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

test("an evicted pod terminates after a delay, and is replaced on another node immediately", async () => {
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

test("a pod of a StatefulSet is recreated under its name after it has terminated", async () => {
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
    { spec: { minAvailable: "100%" }, allowed: 0, desired: 3 },
    { spec: { maxUnavailable: 1 }, allowed: 1, desired: 2 },
    { spec: { maxUnavailable: "34%" }, allowed: 2, desired: 1 },
    { spec: { maxUnavailable: 5 }, allowed: 3, desired: 0 },
    { spec: { minAvailable: 1, selector: { matchLabels: { app: "other" } } }, allowed: 0, desired: 1 },
  ])("$spec allows $allowed disruptions", async ({ spec, allowed, desired }) => {
    await using simulation = await simulate([workload("Deployment"), budget(spec)]);
    const policy = simulation.kubeConfig.makeApiClient(PolicyV1Api);
    const { status } = await policy.readNamespacedPodDisruptionBudget({ namespace, name: "web" });
    expect(status).toMatchObject({ disruptionsAllowed: allowed, desiredHealthy: desired, observedGeneration: 1 });
  });

  test("allows the next eviction when the replacement is ready", async () => {
    await using simulation = await simulate([workload("Deployment"), budget({ maxUnavailable: 1 })]);
    const [first, second] = await names(simulation);
    expect(await evict(simulation, first)).toBe(201);
    expect(await evict(simulation, first)).toBe(201); // it is already terminating
    await simulation.pass(2);
    expect(await evict(simulation, second)).toBe(429);
    await simulation.pass(3);
    expect(await evict(simulation, second)).toBe(201);
  });

  test("that overlaps with another one rejects all evictions", async () => {
    const budgets = [budget({ maxUnavailable: 1 }), budget({ maxUnavailable: 1 }, "more")];
    await using simulation = await simulate([workload("Deployment"), ...budgets]);
    expect(await evictOne(simulation)).toBe(500);
  });
});

test("a pod without a controller cannot be evicted if its budget depends on replicas", async () => {
  const spec = { containers: [{ name: "app", image: "app:1.0.0" }] };
  const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "web", namespace, labels: { app: "web" } }, spec };
  await using simulation = await simulate([pod, budget({ maxUnavailable: 1 })]);
  expect(await evictOne(simulation)).toBe(429);
});
