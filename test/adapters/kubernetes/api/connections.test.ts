import { expect, test } from "vitest";
import { workload } from "../../../support/workloads.ts";
import { clusterAt, startScriptedServer } from "./scripted-server.ts";

const { ref } = workload();

/** A connection may still be busy right after its response was read, so that another one is opened. */
test("sequential requests share connections", async () => {
  await using server = await startScriptedServer(() => ({ code: 404, body: {} }));
  const cluster = clusterAt(server.url);
  for (let request = 0; request < 50; request += 1) await cluster.read(ref);
  expect(server.requests).toHaveLength(50);
  expect(server.connections()).toBeLessThan(5);
});

test("concurrent requests share connections", async () => {
  await using server = await startScriptedServer(() => ({ code: 404, body: {} }));
  const cluster = clusterAt(server.url);
  await cluster.read(ref);
  for (let round = 0; round < 10; round += 1) {
    await Promise.all(Array.from({ length: 8 }, () => cluster.read(ref)));
  }
  expect(server.requests).toHaveLength(81);
  expect(server.connections()).toBeLessThan(40);
});

test("a read whose connection is reset is repeated once", async () => {
  await using server = await startScriptedServer(() =>
    server.requests.length === 1 ? "hang up" : { code: 404, body: {} },
  );
  expect(await clusterAt(server.url).read(ref)).toBeNull();
  expect(server.requests.map(({ method }) => method)).toEqual(["GET", "GET"]);
});

test("a write whose connection is reset is not repeated: it may have been applied", async () => {
  await using server = await startScriptedServer(() => "hang up");
  const event = { type: "Normal", reason: "AutoUpdateComplete", message: "done", key: "1" } as const;
  await expect(clusterAt(server.url).emitEvent(workload(), event)).rejects.toMatchObject({ name: "Unreachable" });
  expect(server.requests.map(({ method }) => method)).toEqual(["POST"]);
});
