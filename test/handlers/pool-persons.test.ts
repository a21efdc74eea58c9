import { describe, expect, test } from "vitest";
import type { BootcNode, KubeNode } from "../../functions/domain/node-pool/types.ts";
import { digestB, imageA } from "../domain/node-pool/pools.ts";
import { commandedWorld, instanceOfNode } from "./commanded-world.ts";
import { rollToTheEnd } from "./pool-by-hand.ts";
import { type PoolWorld, poolWorld } from "./pool-world.ts";

interface Change {
  readonly node?: Partial<KubeNode>;
  readonly slot?: Partial<NonNullable<BootcNode["slot"]>>;
}

/** `kubectl cordon` and `uncordon` write `unschedulable` alone, and nothing where it stands so already. */
const cordon: Change = { node: { unschedulable: true } };
const uncordon: Change = { node: { unschedulable: false } };
/** `kubectl annotate bootcnode w1 bootc.dev/was-cordoned=true --overwrite` */
const keep: Change = { slot: { wasCordoned: true } };
/** `kubectl label node w1 role-` */
const takeOut: Change = { node: { labels: { "bootc.dev/managed": "" } } };

type During = "drain" | "reboot";

/** Rolls out, and has a person change `w1` once, in the midst of its drain or of its reboot. */
async function rolled(during: During, change: Change): Promise<PoolWorld> {
  let isDone = false;
  const world = poolWorld({ isKept: () => during === "drain" && !isDone });
  await rollToTheEnd(world.ports, () => {
    const { name, node, bootcNode } = world.ports.nodePools.node("w1");
    const slot = bootcNode?.slot ?? null;
    const isNow = node?.unschedulable && slot !== null && (slot.approvedAt === null) === (during === "drain");
    if (isDone || !isNow || bootcNode === null) return world.turn();
    const changed = {
      node: { ...node, ...change.node },
      bootcNode: { ...bootcNode, slot: { ...slot, ...change.slot } },
    };
    world.ports.nodePools.putNode({ name, ...changed });
    isDone = true;
  });
  expect(isDone).toBe(true);
  return world;
}

describe.for<During>(["drain", "reboot"])("in its %s", (during) => {
  test.for([
    { what: "cordons it, which writes nothing", change: cordon, unschedulable: false },
    { what: "uncordons it", change: uncordon, unschedulable: false },
    { what: "says that it was cordoned", change: keep, unschedulable: true },
  ])("a person $what: it is back on its image, cordoned: $unschedulable", async ({ change, unschedulable }) => {
    const { ports } = await rolled(during, change);
    expect(ports.nodePools.node("w1")).toMatchObject({
      node: { unschedulable, cordonedFor: null },
      bootcNode: { slot: null, bootedDigest: digestB },
    });
    expect(ports.nodePools.pool("workers").status).toMatchObject({ nodeCount: 3, updatedCount: 3 });
  });
});

test("a node that a person uncordons in its drain is cordoned again before the drain goes on", async () => {
  const { ports } = await rolled("drain", uncordon);
  const steps = ports.nodePools.writes.filter(({ node }) => node === "w1").map(({ step }) => step.kind);
  expect(steps.filter((kind) => kind === "cordon")).toHaveLength(2);
  expect(steps.lastIndexOf("cordon")).toBeLessThan(steps.indexOf("approve"));
});

test("a node that loses its label in its drain leaves uncordoned on its image, and the others go on", async () => {
  const { ports } = await rolled("drain", takeOut);
  expect(ports.nodePools.node("w1")).toMatchObject({
    node: { unschedulable: false, cordonedFor: null, labels: {} },
    bootcNode: null,
  });
  expect(ports.nodePools.pool("workers").status).toMatchObject({ nodeCount: 2, updatedCount: 2 });
});

test("a machine without a daemon that was replaced is asked anew once its BootcNode is deleted", async () => {
  const { ports, hosts, turn } = commandedWorld();
  await rollToTheEnd(ports, turn);
  Object.assign(hosts.host(instanceOfNode("w2")), { booted: imageA });
  ports.nodePools.putNode({ ...ports.nodePools.node("w2"), bootcNode: null });
  await rollToTheEnd(ports, turn);
  expect(ports.nodePools.node("w2").bootcNode).toMatchObject({ bootedDigest: digestB, slot: null });
  expect(hosts.host(instanceOfNode("w2")).reboots).toBe(2);
});
