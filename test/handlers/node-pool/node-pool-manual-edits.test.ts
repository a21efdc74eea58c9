import { describe, expect, test } from "vitest";
import type { BootcNode, KubeNode } from "../../../functions/domain/node-pool/node/bootc-node.ts";
import { digestB, imageA } from "../../domain/node-pool/pools.ts";
import { createAgentlessFixture, instanceIdOf } from "./agentless-fixtures.ts";
import { runUntilComplete } from "./run-node-pool-rollout.ts";
import { type PoolFixture, createPoolFixture, newPool } from "./node-pool-fixtures.ts";

interface Change {
  readonly node?: Partial<KubeNode>;
  readonly slot?: Partial<NonNullable<BootcNode["slot"]>>;
}

/** `kubectl cordon` and `uncordon` write `unschedulable` alone, and nothing if it already has that value. */
const cordon: Change = { node: { unschedulable: true } };
const uncordon: Change = { node: { unschedulable: false } };
/** `kubectl annotate bootcnode w1 bootc.dev/was-cordoned=true --overwrite` */
const setWasCordoned: Change = { slot: { wasCordoned: true } };
/** `kubectl label node w1 role-` */
const removeRole: Change = { node: { labels: { "bootc.dev/managed": "" } } };

type Phase = "drain" | "reboot";

/** Runs a rollout with one manual change of `w1`, during its drain or its reboot. */
async function rolloutWithEdit(during: Phase, change: Change): Promise<PoolFixture> {
  let isDone = false;
  const pool = newPool({ cordonedNodes: "Include" });
  const fixture = createPoolFixture({ pool, isBlocked: () => during === "drain" && !isDone });
  await runUntilComplete(fixture.ports, () => {
    const { name, node, bootcNode } = fixture.ports.nodePools.node("w1");
    const slot = bootcNode?.slot ?? null;
    const isNow = node?.unschedulable && slot !== null && (slot.approvedAt === null) === (during === "drain");
    if (isDone || !isNow || bootcNode === null) return fixture.stepAgents();
    const changed = {
      node: { ...node, ...change.node },
      bootcNode: { ...bootcNode, slot: { ...slot, ...change.slot } },
    };
    fixture.ports.nodePools.putNode({ name, ...changed });
    isDone = true;
  });
  expect(isDone).toBe(true);
  return fixture;
}

describe.for<Phase>(["drain", "reboot"])("a manual change during the %s", (during) => {
  test.for([
    { when: "kubectl cordon, which writes nothing", change: cordon, unschedulable: false },
    { when: "kubectl uncordon", change: uncordon, unschedulable: false },
    { when: "was-cordoned is set to true", change: setWasCordoned, unschedulable: true },
  ])("$when: the node runs its new image, cordoned: $unschedulable", async ({ change, unschedulable }) => {
    const { ports } = await rolloutWithEdit(during, change);
    expect(ports.nodePools.node("w1")).toMatchObject({
      node: { unschedulable, cordonedByPool: null },
      bootcNode: { slot: null, bootedDigest: digestB },
    });
    expect(ports.nodePools.pool("workers").status).toMatchObject({ nodeCount: 3, updatedCount: 3 });
  });
});

test("a node that is uncordoned manually during its drain is cordoned again before the drain continues", async () => {
  const { ports } = await rolloutWithEdit("drain", uncordon);
  const steps = ports.nodePools.writes.filter(({ node }) => node === "w1").map(({ step }) => step.kind);
  expect(steps.filter((kind) => kind === "cordon")).toHaveLength(2);
  expect(steps.lastIndexOf("cordon")).toBeLessThan(steps.indexOf("approve"));
});

test("a node that loses its label during its drain leaves uncordoned on its image, and the others continue", async () => {
  const { ports } = await rolloutWithEdit("drain", removeRole);
  expect(ports.nodePools.node("w1")).toMatchObject({
    node: { unschedulable: false, cordonedByPool: null, labels: {} },
    bootcNode: null,
  });
  expect(ports.nodePools.pool("workers").status).toMatchObject({ nodeCount: 2, updatedCount: 2 });
});

test("a replaced machine without a daemon is updated after its BootcNode is deleted", async () => {
  const { ports, hosts, stepHosts } = createAgentlessFixture();
  await runUntilComplete(ports, stepHosts);
  Object.assign(hosts.host(instanceIdOf("w2")), { booted: imageA });
  ports.nodePools.putNode({ ...ports.nodePools.node("w2"), bootcNode: null });
  await runUntilComplete(ports, stepHosts);
  expect(ports.nodePools.node("w2").bootcNode).toMatchObject({ bootedDigest: digestB, slot: null });
  expect(hosts.host(instanceIdOf("w2")).reboots).toBe(2);
});
