import type { PoolEvent } from "../../functions/domain/node-pool/event/event.ts";
import { stepEvent, pendingNodeEvents } from "../../functions/domain/node-pool/event/node-events.ts";
import { poolEvents } from "../../functions/domain/node-pool/event/pool-events.ts";
import {
  updateAvailableEvent,
  updateHeldEvent,
  updateStartedEvent,
} from "../../functions/domain/workload/event/events.ts";
import { emitEvent, emitNodeEvent, emitPoolEvent } from "../../functions/workflows/emit-events.ts";
import { cordoned, digestA, digestB, imageB, member, pool, slotted, poolState } from "../domain/node-pool/pools.ts";
import { fakePorts, killedAt } from "../support/fake-ports.ts";
import { after, target, workload, updateTarget } from "../support/workloads.ts";
import { describe, expect, test } from "vitest";
import { circuitOpenedEvent } from "../../functions/domain/workload/event/revert-events.ts";

const workers = pool({}, { status: { targetDigest: digestA, nodeCount: 1 } });
const web = member("web", slotted, cordoned);
const [available] = poolEvents(workers, pool({}, { status: { nodeCount: 1 } }).status, "e-1") as [PoolEvent];
const [slow] = pendingNodeEvents(poolState([web], { now: after(5) }), "e-1").flatMap(({ events }) =>
  events.slice(1),
) as [PoolEvent];
const rebooting = stepEvent(web, { kind: "approve", readyDaemonSets: [] }, "e-1") as PoolEvent;

const about = { cluster: "production", nodePool: { name: "workers", uid: "pool-1" }, execution: "e-1", notify: [] };
const eventOf = ({ type, reason, message, key }: PoolEvent) => ({ type, reason, message, key });

describe("is emitted as an Event and, with all details, on the bus", () => {
  test("an event of a node", async () => {
    const ports = fakePorts({ nodePools: { pools: [workers], nodes: [web] } });
    await emitNodeEvent(ports, workers, web, slow);
    expect(ports.nodePools.events()).toMatchObject([{ ...eventOf(slow), about: "web" }]);
    const detail = { ...about, node: "web", image: imageB, digest: digestB, reason: slow.message };
    expect(ports.publishedPoolEvents).toEqual([{ type: "Node Drain Slow", ...detail }]);
  });

  test("an event of a pool without a target image", async () => {
    const ports = fakePorts({ nodePools: { pools: [workers] } });
    await emitPoolEvent(ports, workers, { ...available, image: null });
    expect(ports.publishedPoolEvents).toMatchObject([{ image: null, digest: null }]);
  });
});

test("a step of a node is emitted as an Event and not on the bus", async () => {
  const ports = fakePorts({ nodePools: { pools: [workers], nodes: [web] } });
  await emitNodeEvent(ports, workers, web, rebooting);
  expect(ports.nodePools.events()).toMatchObject([{ reason: "Rebooting", about: "web" }]);
  expect(ports.publishedPoolEvents).toEqual([]);
});

const notify = ["team-a"];
const app = workload({ policy: { notify }, updateRecord: { currentVersion: "1.0.0", rollbackCount: 3 } });
const detail = { cluster: "production", workload: app.ref, currentVersion: "1.0.0", evidence: null, notify };

test.for([
  {
    event: updateAvailableEvent(app, updateTarget),
    reason: "AutoUpdateAvailable",
    key: "1.1.0",
    published: { type: "Update Available", execution: null, version: "1.1.0", image: target },
  },
  {
    event: updateStartedEvent(updateTarget, "e-1"),
    reason: "AutoUpdateStarting",
    key: "e-1",
    published: { type: "Update Started", execution: "e-1", version: "1.1.0", image: target },
  },
  {
    event: circuitOpenedEvent(app, updateTarget, "e-1"),
    reason: "AutoUpdateCircuitOpen",
    key: "e-1",
    published: { type: "Circuit Opened", execution: "e-1", version: "1.1.0", image: target },
  },
  {
    event: updateHeldEvent("AutoUpdateHeld", "pinned manually", null),
    reason: "AutoUpdateHeld",
    key: "pinned manually",
    published: { type: "Update Held", execution: null, version: null, image: null },
  },
])(
  "$published.type is emitted as an Event and, with all details, on the bus",
  async ({ event, reason, key, published }) => {
    const ports = fakePorts({ workloads: [app] });
    await emitEvent(ports, app, event);
    expect(ports.cluster.events()).toEqual([{ type: event.type, reason, message: event.message, key }]);
    expect(ports.published).toEqual([{ ...detail, ...published, reason: event.message }]);
  },
);

test("an event that is emitted again after an interruption is one Event", async () => {
  const ports = fakePorts({ workloads: [app], atMoment: killedAt("before publish") });
  const event = updateStartedEvent(updateTarget, "e-1");
  await expect(emitEvent(ports, app, event)).rejects.toMatchObject({ name: "Killed" });
  expect(ports.published).toEqual([]);
  await emitEvent(ports, app, event);
  expect(ports.cluster.events()).toHaveLength(1);
  expect(ports.published).toHaveLength(1);
});
