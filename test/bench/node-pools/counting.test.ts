import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { countTraffic } from "../../../bench/node-pools/count-traffic.ts";
import { countRequests, requestKind } from "../../../bench/node-pools/traffic.ts";
import { createVirtualClock } from "../../../bench/node-pools/virtual-clock.ts";

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
])("$method $url counts as $kind", ({ method, url, accept, kind }) => {
  expect(requestKind(method, url, accept)).toBe(kind);
});

test("each request to the API server is counted once, and separate requests separately", async () => {
  const large = "x".repeat(200 * 1024);
  const server = createServer((request, response) => {
    response.writeHead(request.method === "POST" ? 201 : 200).end(request.url === "/api/v1/nodes" ? large : "{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const counter = countTraffic(url);
  const other = countTraffic("http://127.0.0.1:1");
  onTestFinished(() => {
    counter.close();
    other.close();
    server.close();
  });
  const send = async (path: string, accept = "*/*", method = "GET") => {
    const response = await fetch(url + path, { method, headers: { accept } });
    return response.text();
  };
  await send("/api/v1/namespaces/default/events", "*/*", "POST");
  const separate = await counter.countSeparately(async () => expect(await send("/api/v1/nodes")).toBe(large));
  await send("/api/v1/pods");
  await send("/api/v1/pods", metadata);
  expect(separate).toMatchObject({ requests: { "list nodes": 1 }, receivedBytes: large.length });
  expect(separate.compressedBytes).toBeLessThan(large.length / 10);
  const others = counter.takeTraffic();
  const requests = { "create events": 1, "list pods": 1, "list pods as metadata": 1 };
  expect(others).toEqual({ requests, receivedBytes: 6, compressedBytes: null });
  expect(countRequests(others)).toBe(3);
  expect(countRequests(counter.takeTraffic())).toBe(0);
  expect(countRequests(other.takeTraffic())).toBe(0);
});

test("the clock advances during sleep, runs timers in order and stops during an interruption", async () => {
  const clock = createVirtualClock(new Date(0));
  const runs: string[] = [];
  const record = (name: string) => () => runs.push(`${name} at ${clock.now().getTime() / 1000}`);
  void clock.timer(20).then(record("b"));
  void clock.timer(10).then(record("a"));
  void clock
    .timer(10)
    .then(() => clock.timer(5))
    .then(record("after a"));
  clock.interrupt(12, async () => {
    await new Promise(setImmediate);
    record("interruption")();
  });
  void clock.timer(31).then(record("too late"));
  await clock.sleep(30);
  expect(runs).toEqual(["a at 10", "interruption at 12", "after a at 15", "b at 20"]);
  expect(clock.now()).toEqual(new Date(30_000));
});
