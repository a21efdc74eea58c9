import { expect, test } from "vitest";
import { workload } from "../../support/workloads.ts";
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
