import { expect, test } from "vitest";
import { workload } from "../../support/workloads.ts";
import { clusterAt, scripted } from "./scripted.ts";

const { ref } = workload();

/** A connection whose answer has just been read may not be free again yet, so that another one is opened beside it. */
test("requests one after another share their connections", async () => {
  await using server = await scripted(() => ({ code: 404, body: {} }));
  const cluster = clusterAt(server.url);
  for (let request = 0; request < 50; request += 1) await cluster.read(ref);
  expect(server.heard).toHaveLength(50);
  expect(server.connections()).toBeLessThan(5);
});

test("so do requests at the same time", async () => {
  await using server = await scripted(() => ({ code: 404, body: {} }));
  const cluster = clusterAt(server.url);
  await cluster.read(ref);
  for (let round = 0; round < 10; round += 1) {
    await Promise.all(Array.from({ length: 8 }, () => cluster.read(ref)));
  }
  expect(server.heard).toHaveLength(81);
  expect(server.connections()).toBeLessThan(40);
});
