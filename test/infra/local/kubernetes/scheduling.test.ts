import { expect, test } from "vitest";
import { byMerge, cordon, podsOf, simulate, workload, type Simulation } from "./simulation.ts";

const web = { namespace: "shop", name: "web" };

/** Returns the nodes of the pods in `shop`; "" for an unbound pod. */
async function placesOf({ core }: Simulation): Promise<readonly string[]> {
  const { items } = await core.listNamespacedPod({ namespace: "shop" });
  return items.map(({ spec }) => spec?.nodeName ?? "").toSorted((a, b) => a.localeCompare(b));
}

async function scale({ apps }: Simulation, replicas: number): Promise<void> {
  await apps.patchNamespacedDeployment({ ...web, body: { spec: { replicas } } }, byMerge);
}

test("nodes are Ready initially, and pods are spread over them", async () => {
  await using simulation = await simulate([workload("Deployment")]);
  const { items } = await simulation.core.listNode();
  const ready = items.map(({ status }) => status?.conditions?.find(({ type }) => type === "Ready")?.status);
  expect(ready).toEqual(["True", "True", "True"]);
  expect(await placesOf(simulation)).toEqual(["node-1", "node-2", "node-3"]);
});

test("a cordoned node keeps its pods and gets no new ones until it is uncordoned", async () => {
  await using simulation = await simulate([workload("Deployment")]);
  await cordon(simulation, "node-2");
  await scale(simulation, 5);
  expect(await placesOf(simulation)).toEqual(["node-1", "node-1", "node-2", "node-3", "node-3"]);
  const { spec } = await simulation.core.readNode({ name: "node-2" });
  expect(spec?.taints).toEqual([{ key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" }]);
  await cordon(simulation, "node-2", false);
  await scale(simulation, 6);
  expect(await placesOf(simulation)).toEqual(["node-1", "node-1", "node-2", "node-2", "node-3", "node-3"]);
  expect((await simulation.core.readNode({ name: "node-2" })).spec?.taints).toBeUndefined();
});

test.for(["cordoned", "not Ready", "of other labels"])("a pod waits while all nodes are %s", async (how) => {
  await using simulation = await simulate([{ apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } }]);
  const { core } = simulation;
  for (const name of ["node-1", "node-2", "node-3"]) {
    if (how === "cordoned") await cordon(simulation, name);
    if (how === "not Ready") await setReady(simulation, name, "False");
  }
  const nodeSelector = how === "of other labels" ? { disk: "ssd" } : {};
  const spec = { containers: [{ name: "app", image: "app:1.0.0" }], nodeSelector };
  await core.createNamespacedPod({ namespace: "shop", body: { metadata: { name: "web-0" }, spec } });
  await simulation.pass(5);
  expect(await podsOf(simulation)).toEqual(["0 app:1.0.0 waiting"]);
  expect(await placesOf(simulation)).toEqual([""]);
  if (how === "cordoned") await cordon(simulation, "node-3", false);
  if (how === "not Ready") await setReady(simulation, "node-3", "True");
  const fast = { metadata: { name: "node-4", labels: { disk: "ssd" } }, status: {} };
  if (how === "of other labels") {
    await core.createNode({ body: fast });
    await setReady(simulation, "node-4", "True");
  }
  await simulation.pass(4);
  expect(await podsOf(simulation)).toEqual(["0 app:1.0.0 ready"]);
});

async function setReady({ core }: Simulation, name: string, status: string): Promise<void> {
  const conditions = [{ type: "Ready", status, reason: "Test", message: "" }];
  await core.patchNodeStatus({ name, body: { status: { conditions } } }, byMerge);
}
