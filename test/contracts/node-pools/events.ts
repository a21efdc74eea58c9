import { expect, test } from "vitest";
import type { KubernetesEvent } from "../../../functions/ports/cluster.ts";
import type { Subject } from "../../../functions/ports/node-pools.ts";
import { type GetHarness, readNode } from "./harness.ts";
import { createBootcNode, createNode, createPool } from "./fixtures.ts";

const halted: KubernetesEvent = { type: "Warning", reason: "RolloutHalted", message: "w1, w2", key: "k-1" };

const microTime = { eventTime: "2026-11-20T12:00:00.000000Z", firstTimestamp: null, lastTimestamp: null };
/** On Kubernetes 1.20, which accepts no `eventTime` for cluster-scoped objects in `default`. */
const deprecatedTimes = {
  eventTime: null,
  firstTimestamp: "2026-11-20T12:00:00Z",
  lastTimestamp: "2026-11-20T12:00:00Z",
};

function timesOf(event: object) {
  const { eventTime = null, firstTimestamp = null, lastTimestamp = null } = event as Partial<typeof deprecatedTimes>;
  return { eventTime, firstTimestamp, lastTimestamp };
}

/** Events of cluster-scoped objects are in the namespace `default`. */
export function testPoolEvents(harness: GetHarness): void {
  const eventsOn = async (uid: string) => {
    const path = `/api/v1/namespaces/default/events?fieldSelector=involvedObject.uid%3D${uid}`;
    return (await harness().request("GET", path)).body.items ?? [];
  };

  test("the same key is one Event on the pool, another key is another Event", async () => {
    const pool = await createPool(harness());
    const subject: Subject = { kind: "pool", pool };
    await harness().pools.emitEvent(subject, halted);
    harness().now = new Date("2026-11-20T13:00:00Z");
    await harness().pools.emitEvent(subject, halted);
    const { type, reason, message } = halted;
    const about = { apiVersion: "node.bootc.dev/v1alpha1", kind: "BootcNodePool", name: pool.name, uid: pool.uid };
    const events = await eventsOn(pool.uid);
    expect(events).toMatchObject([
      {
        type,
        reason,
        message,
        involvedObject: about,
        source: { component: "pawl" },
        reportingComponent: "pawl.dev/controller",
        action: "ReconcileNodes",
      },
    ]);
    expect([microTime, deprecatedTimes]).toContainEqual(timesOf(events[0] ?? {}));
    await harness().pools.emitEvent(subject, { ...halted, key: "k-2" });
    expect(await eventsOn(pool.uid)).toHaveLength(2);
  });

  test("an Event of a node regards its BootcNode, or its Node if there is none", async () => {
    await createNode(harness(), "w1");
    await createBootcNode(harness(), "w1");
    await createNode(harness(), "w2");
    const [w1, w2] = [await readNode(harness(), "w1"), await readNode(harness(), "w2")];
    for (const node of [w1, w2]) await harness().pools.emitEvent({ kind: "node", node }, halted);
    expect(await eventsOn(w1.bootcNode?.uid ?? "")).toMatchObject([{ involvedObject: { kind: "BootcNode" } }]);
    expect(await eventsOn(w1.node?.uid ?? "")).toEqual([]);
    expect(await eventsOn(w2.node?.uid ?? "")).toMatchObject([
      { involvedObject: { apiVersion: "v1", kind: "Node", name: w2.name } },
    ]);
    const absent = { name: harness().uniqueName("w3"), node: null, bootcNode: null };
    await harness().pools.emitEvent({ kind: "node", node: absent }, halted);
  });
}
