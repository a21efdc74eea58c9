import { expect, test } from "vitest";
import type { NodeWrite } from "../../../../functions/ports/node-pools.ts";
import { bootcNodeWrites, nodeWrites } from "../../../contracts/node-pools/step-cases.ts";
import { member, pool } from "../../../domain/node-pool/pools.ts";
import { type RecordedRequest, ok, startScriptedServer } from "../api/scripted-server.ts";
import { metadata, poolsAt } from "./objects.ts";

const node = member("w1", { resourceVersion: "17" }, { resourceVersion: "18" });

async function heardOf(step: NodeWrite): Promise<readonly RecordedRequest[]> {
  await using server = await startScriptedServer(() => ok({ metadata }));
  await poolsAt(server.url).write(pool(), node, step);
  return server.requests;
}

test.for([
  ...nodeWrites.map(({ step }) => ({ step, path: "/api/v1/nodes/w1", resourceVersion: "18" })),
  ...bootcNodeWrites.map(({ step }) => ({
    step,
    path: "/apis/node.bootc.dev/v1alpha1/bootcnodes/w1",
    resourceVersion: "17",
  })),
])("$step.kind is one merge patch of $path on its version", async ({ step, path, resourceVersion }) => {
  const [request, ...others] = await heardOf(step);
  expect(others).toEqual([]);
  expect(request).toMatchObject({ method: "PATCH", contentType: "application/merge-patch+json" });
  expect(request?.path.split("?")[0]).toBe(path);
  expect(JSON.parse(request?.body ?? "")).toMatchObject({ metadata: { resourceVersion } });
});

test("a BootcNode is deleted by its uid", async () => {
  const [request] = await heardOf({ kind: "delete" });
  expect(request).toMatchObject({ method: "DELETE" });
  expect(JSON.parse(request?.body ?? "")).toEqual({ preconditions: { uid: node.bootcNode.uid } });
});

const nodeObject = (name: string) => ({ metadata: { ...metadata, name, uid: `u-${name}` }, status: ready });
const ready = { conditions: [{ type: "Ready", status: "True" }] };

test("Nodes are read in pages, and the metadata scope requests only their metadata", async () => {
  await using server = await startScriptedServer(({ path }) => {
    if (path.startsWith("/apis/")) return ok({ metadata: {}, items: [] });
    const isSecond = path.includes("continue=more");
    return ok({ metadata: isSecond ? {} : { continue: "more" }, items: [nodeObject(isSecond ? "w2" : "w1")] });
  });
  const pools = poolsAt(server.url);
  const whole = await pools.listNodes("full");
  expect(whole.map(({ name }) => name)).toEqual(["w1", "w2"]);
  expect((await pools.listNodes("metadata")).map(({ name }) => name)).toEqual(["w1", "w2"]);
  const nodes = server.requests.filter(({ path }) => path.startsWith("/api/v1/nodes"));
  expect(nodes.map(({ accept }) => accept.includes("PartialObjectMetadataList"))).toEqual([false, false, true, true]);
  expect(nodes.every(({ path }) => path.includes("limit=500"))).toBe(true);
});

test("the pods of a node are listed by its name, in all namespaces, in pages", async () => {
  await using server = await startScriptedServer(({ path }) => {
    const isSecond = path.includes("continue=more");
    return ok({ metadata: isSecond ? {} : { continue: "more" }, items: [nodeObject(isSecond ? "b" : "a")] });
  });
  const pods = await poolsAt(server.url).listPods("w1");
  expect(pods.map(({ name }) => name)).toEqual(["a", "b"]);
  const paths = server.requests.map(({ path }) => decodeURIComponent(path));
  expect(
    paths.every((path) => path.startsWith("/api/v1/pods?") && path.includes("fieldSelector=spec.nodeName=w1")),
  ).toBe(true);
});

test("a poll of a cluster without pools costs one request, and requests share connections", async () => {
  await using server = await startScriptedServer(() => ok({ metadata: {}, items: [] }));
  const pools = poolsAt(server.url);
  for (let request = 0; request < 20; request += 1) {
    await pools.list();
    await pools.listPods("w1");
  }
  expect(server.requests).toHaveLength(40);
  expect(server.connections()).toBeLessThan(5);
});
