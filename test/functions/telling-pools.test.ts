import { describe, expect, test } from "vitest";
import { newsOfStep, newsToRemember } from "../../functions/domain/node-pool/node-news.ts";
import { poolNews } from "../../functions/domain/node-pool/pool-news.ts";
import type { PoolNews } from "../../functions/domain/node-pool/news.ts";
import { tellOfNode, tellOfPool } from "../../functions/telling-pools.ts";
import { cordoned, digestA, digestB, imageB, member, pool, slotted, tick } from "../domain/node-pool/pools.ts";
import { fakePorts, killedAt } from "../support/fake-ports.ts";
import { after } from "../support/workloads.ts";

const workers = pool({}, { status: { targetDigest: digestA } });
const web = member("web", slotted, cordoned);
const [available] = poolNews(workers, pool().status, "e-1") as [PoolNews];
const [slow] = newsToRemember(tick([web], { now: after(5) }), "e-1").flatMap(({ news }) => news.slice(1)) as [PoolNews];
const rebooting = newsOfStep(web, { kind: "approve" }, "e-1") as PoolNews;

const about = { cluster: "production", nodePool: { name: "workers", uid: "pool-1" }, execution: "e-1" };
const eventOf = ({ type, reason, message, key }: PoolNews) => ({ type, reason, message, key });

describe("as an Event and, whole, on the bus", () => {
  test("of a pool", async () => {
    const ports = fakePorts({ nodePools: { pools: [workers] } });
    await tellOfPool(ports, workers, available);
    expect(ports.nodePools.events()).toMatchObject([{ ...eventOf(available), about: "workers" }]);
    const detail = { ...about, node: null, image: imageB, digest: digestB, reason: available.message };
    expect(ports.publishedOfPools).toEqual([{ type: "Node Pool Update Available", ...detail }]);
  });

  test("of a node", async () => {
    const ports = fakePorts({ nodePools: { pools: [workers], nodes: [web] } });
    await tellOfNode(ports, workers, web, slow);
    expect(ports.nodePools.events()).toMatchObject([{ ...eventOf(slow), about: "web" }]);
    const detail = { ...about, node: "web", image: imageB, digest: digestB, reason: slow.message };
    expect(ports.publishedOfPools).toEqual([{ type: "Node Drain Slow", ...detail }]);
  });

  test("of a pool of which it is not known what to run", async () => {
    const ports = fakePorts({ nodePools: { pools: [workers] } });
    await tellOfPool(ports, workers, { ...available, image: null });
    expect(ports.publishedOfPools).toMatchObject([{ image: null, digest: null }]);
  });
});

test("what each node does is told as an Event and not on the bus", async () => {
  const ports = fakePorts({ nodePools: { pools: [workers], nodes: [web] } });
  await tellOfNode(ports, workers, web, rebooting);
  expect(ports.nodePools.events()).toMatchObject([{ reason: "Rebooting", about: "web" }]);
  expect(ports.publishedOfPools).toEqual([]);
});

test("told again after it was interrupted, it is one Event", async () => {
  const ports = fakePorts({ nodePools: { pools: [workers] }, atMoment: killedAt("before publishPool") });
  await expect(tellOfPool(ports, workers, available)).rejects.toMatchObject({ name: "Killed" });
  expect(ports.publishedOfPools).toEqual([]);
  await tellOfPool(ports, workers, available);
  expect(ports.nodePools.events()).toHaveLength(1);
  expect(ports.publishedOfPools).toHaveLength(1);
});
