import { expect, test } from "vitest";
import type { Announcement } from "../../../functions/ports/cluster.ts";
import type { Subject } from "../../../functions/ports/node-pools.ts";
import { type At, readNode } from "./bench.ts";
import { makeBootcNode, makeNode, makePool } from "./fixtures.ts";

const halted: Announcement = { type: "Warning", reason: "RolloutHalted", message: "w1, w2", key: "k-1" };

/** Events about what lives in no namespace lie in `default`. */
export function announcing(at: At): void {
  const eventsOn = async (uid: string) => {
    const path = `/api/v1/namespaces/default/events?fieldSelector=involvedObject.uid%3D${uid}`;
    return (await at().request("GET", path)).body.items ?? [];
  };

  test("told twice, it is one Event on the pool; another key is another", async () => {
    const pool = await makePool(at());
    const subject: Subject = { kind: "pool", pool };
    await at().pools.announce(subject, halted);
    at().now = new Date("2026-11-20T13:00:00Z");
    await at().pools.announce(subject, halted);
    const { type, reason, message } = halted;
    const about = { apiVersion: "node.bootc.dev/v1alpha1", kind: "BootcNodePool", name: pool.name, uid: pool.uid };
    expect(await eventsOn(pool.uid)).toMatchObject([
      { type, reason, message, involvedObject: about, source: { component: "pawl" }, count: 1 },
    ]);
    await at().pools.announce(subject, { ...halted, key: "k-2" });
    expect(await eventsOn(pool.uid)).toHaveLength(2);
  });

  test("an Event of a node is on its BootcNode, and without one on its Node", async () => {
    await makeNode(at(), "w1");
    await makeBootcNode(at(), "w1");
    await makeNode(at(), "w2");
    const [w1, w2] = [await readNode(at(), "w1"), await readNode(at(), "w2")];
    for (const node of [w1, w2]) await at().pools.announce({ kind: "node", node }, halted);
    expect(await eventsOn(w1.bootcNode?.uid ?? "")).toMatchObject([{ involvedObject: { kind: "BootcNode" } }]);
    expect(await eventsOn(w1.node?.uid ?? "")).toEqual([]);
    expect(await eventsOn(w2.node?.uid ?? "")).toMatchObject([
      { involvedObject: { apiVersion: "v1", kind: "Node", name: w2.name } },
    ]);
    const gone = { name: at().named("w3"), node: null, bootcNode: null };
    await at().pools.announce({ kind: "node", node: gone }, halted);
  });
}
