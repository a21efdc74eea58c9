import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { startCountingProxy } from "../../../bench/node-pools/counting-proxy.ts";
import { requestKind } from "../../../bench/node-pools/request-kind.ts";
import { requestsIn } from "../../../bench/node-pools/traffic.ts";
import { virtualClock } from "../../../bench/node-pools/virtual-clock.ts";

const metadata = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
const bootc = "/apis/node.bootc.dev/v1alpha1";

test.for([
  { method: "GET", url: "/api/v1/nodes?limit=500", kind: "list nodes" },
  { method: "GET", url: "/api/v1/nodes?limit=500", accept: metadata, kind: "list nodes as metadata" },
  { method: "PATCH", url: "/api/v1/nodes/w1?fieldManager=pawl", kind: "patch nodes" },
  { method: "GET", url: `${bootc}/bootcnodepools/workers`, kind: "get bootcnodepools" },
  { method: "PATCH", url: `${bootc}/bootcnodepools/workers/status`, kind: "patch bootcnodepools/status" },
  { method: "DELETE", url: `${bootc}/bootcnodes/w1`, kind: "delete bootcnodes" },
  { method: "POST", url: "/api/v1/namespaces/shop/pods/web/eviction", kind: "create pods/eviction" },
  { method: "POST", url: "/api/v1/namespaces/default/events", kind: "create events" },
  { method: "GET", url: "/api/v1/namespaces/default", kind: "get namespaces" },
  { method: "GET", url: "/api/v1/", kind: "discover" },
])("$method $url is: $kind", ({ method, url, accept, kind }) => {
  expect(requestKind(method, url, accept)).toBe(kind);
});

test("what passes the proxy is counted once, and what is done aside is counted apart", async () => {
  const large = "x".repeat(200 * 1024);
  const server = createServer((request, response) => {
    response.writeHead(request.method === "POST" ? 201 : 200).end(request.url === "/api/v1/nodes" ? large : "{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const proxy = await startCountingProxy(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  onTestFinished(async () => {
    await proxy.close();
    server.close();
  });
  const ask = (path: string, method = "GET") => fetch(proxy.url + path, { method });
  expect((await ask("/api/v1/namespaces/default/events", "POST")).status).toBe(201);
  const aside = await proxy.aside(async () => expect(await (await ask("/api/v1/nodes")).text()).toBe(large));
  await (await ask("/api/v1/pods")).text();
  expect(aside).toMatchObject({ requests: { "list nodes": 1 }, receivedBytes: large.length });
  expect(aside.compressedBytes).toBeLessThan(large.length / 10);
  const rest = proxy.take();
  expect(rest).toEqual({ requests: { "create events": 1, "list pods": 1 }, receivedBytes: 4, compressedBytes: null });
  expect(requestsIn(rest)).toBe(2);
  expect(requestsIn(proxy.take())).toBe(0);
});

test("the clock moves while somebody sleeps, rings in order, and stands still while it is interrupted", async () => {
  const clock = virtualClock(new Date(0));
  const rung: string[] = [];
  const ring = (name: string) => () => rung.push(`${name} at ${clock.now().getTime() / 1000}`);
  void clock.timer(20).then(ring("b"));
  void clock.timer(10).then(ring("a"));
  void clock
    .timer(10)
    .then(() => clock.timer(5))
    .then(ring("after a"));
  clock.interrupt(12, async () => {
    await new Promise(setImmediate);
    ring("interruption")();
  });
  void clock.timer(31).then(ring("too late"));
  await clock.sleep(30);
  expect(rung).toEqual(["a at 10", "interruption at 12", "after a at 15", "b at 20"]);
  expect(clock.now()).toEqual(new Date(30_000));
});
