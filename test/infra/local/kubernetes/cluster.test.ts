import { text } from "node:stream/consumers";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { startEmbeddedCluster } from "../../../../infra/local/kubernetes/cluster.ts";
import { podsOf, simulate, workload, type Simulation } from "./simulation.ts";

const configMaps = "/api/v1/namespaces/shop/configmaps";

function configMap(name: string) {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "shop" } };
}

async function get({ cluster }: Simulation, path: string, accept = "application/json") {
  const response = await fetch(cluster.url + path, { headers: { accept } });
  return (await response.json()) as {
    code?: number;
    reason?: string;
    metadata: { continue: string; resourceVersion: string };
  };
}

test("after a compaction, a continue token and an earlier watch get 410", async () => {
  await using simulation = await simulate(["a", "b", "c"].map(configMap));
  const page = await get(simulation, `${configMaps}?limit=1`);
  simulation.cluster.compact();
  await simulation.core.createNamespace({ body: { metadata: { name: "later" } } });
  const next = await get(simulation, `${configMaps}?limit=1&continue=${page.metadata.continue}`);
  expect(next).toMatchObject({ kind: "Status", code: 410, reason: "Expired" });
  const watch = await get(simulation, `${configMaps}?watch=1&resourceVersion=1`);
  expect(watch).toMatchObject({ type: "ERROR", object: { code: 410, reason: "Expired" } });
  const fresh = await get(simulation, `${configMaps}?limit=1`);
  expect((await get(simulation, `${configMaps}?limit=1&continue=${fresh.metadata.continue}`)).code).toBeUndefined();
});

test("a watch of metadata ends with a bookmark if allowed", async () => {
  await using simulation = await simulate([workload("StatefulSet")]);
  const path = "/apis/apps/v1/statefulsets?watch=1&allowWatchBookmarks=true&timeoutSeconds=1";
  const accept = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
  const response = await fetch(simulation.cluster.url + path, { headers: { accept } });
  const lines = (await text(Readable.fromWeb(response.body as never))).trim().split("\n");
  const [added, bookmark] = lines.map((line) => JSON.parse(line) as { type: string; object: Record<string, unknown> });
  expect(added).toMatchObject({ type: "ADDED", object: { kind: "PartialObjectMetadata", metadata: { name: "web" } } });
  expect(added?.object).not.toHaveProperty("spec");
  expect(bookmark).toMatchObject({
    type: "BOOKMARK",
    object: { kind: "StatefulSet", metadata: { resourceVersion: expect.any(String) as string } },
  });
});

test("a seeded object keeps its status, and an unknown kind is rejected", async () => {
  const crd = {
    apiVersion: "claw.prismer.ai/v1alpha1",
    kind: "Claw",
    metadata: { name: "scout" },
    spec: { runtime: "custom" },
  };
  await using simulation = await simulate([{ ...crd, status: { autoUpdate: { currentVersion: "1.0.0" } } }]);
  const claw = await get(simulation, "/apis/claw.prismer.ai/v1alpha1/namespaces/default/claws/scout");
  expect(claw).toMatchObject({ metadata: { generation: 1 }, status: { autoUpdate: { currentVersion: "1.0.0" } } });
  await expect(simulate([{ ...crd, kind: "Clew" }])).rejects.toThrow("Clew");
});

test("recheckHealth applies changed health", async () => {
  const sick = new Set(["app:1.0.0"]);
  await using simulation = await simulate([workload("Deployment", { replicas: 1 })], (image) => !sick.has(image));
  expect(await podsOf(simulation)).toEqual(["app:1.0.0 waiting"]);
  sick.clear();
  simulation.cluster.recheckHealth();
  expect(await podsOf(simulation)).toEqual(["app:1.0.0 ready"]);
  sick.add("app:1.0.0");
  simulation.cluster.recheckHealth();
  await simulation.pass(1);
  expect(
    (await simulation.apps.readNamespacedDeployment({ namespace: "shop", name: "web" })).status?.readyReplicas,
  ).toBeUndefined();
});

test("the controllers terminate with a clock whose sleep resolves immediately", async () => {
  const sleep = (): Promise<void> => Promise.resolve();
  const health = (): boolean => false;
  const cluster = await startEmbeddedCluster({
    now: () => new Date(0),
    sleep,
    health,
    objects: [workload("StatefulSet")],
  });
  expect((await fetch(`${cluster.url}/readyz`)).status).toBe(200);
  await cluster.close();
});

test("closing ends watches and pending sleeps", async () => {
  const cluster = await startEmbeddedCluster({
    now: () => new Date(0),
    secondsToReady: 600,
    objects: [workload("DaemonSet")],
  });
  const watch = await fetch(`${cluster.url}/api/v1/pods?watch=1`);
  await cluster.close();
  await expect(watch.text()).rejects.toThrow("terminated");
  await expect(fetch(`${cluster.url}/readyz`)).rejects.toThrow("fetch failed");
});
