import { expect, test } from "vitest";
import { isRollbackPending } from "../../../../functions/domain/node-pool/halt/rollback.ts";
import { computePoolStatus } from "../../../../functions/domain/node-pool/pool/status.ts";
import type { NodePoolSpec, PoolCondition } from "../../../../functions/domain/node-pool/pool/node-pool.ts";
import type { BootcNode, KubeNode } from "../../../../functions/domain/node-pool/node/bootc-node.ts";
import { assessWork, planSteps } from "../../../../functions/domain/node-pool/step/plan-steps.ts";
import { computeWaitSeconds } from "../../../../functions/domain/node-pool/step/wait-time.ts";
import { after, noon } from "../../../support/workloads.ts";
import { cordoned, digestC, failing, imageC, member, pool, poolState, slot, staged, updated } from "../pools.ts";

const halted = { type: "Degraded", status: "True", reason: "RolloutHalted", message: "" } satisfies PoolCondition;
/** Approved at noon, seen on its image 4 min later. */
const back: Partial<BootcNode> = {
  ...updated,
  desiredImageState: "Booted",
  slot: { ...slot, approvedAt: noon, bootedAt: after(4) },
};

function state(
  bootc: Partial<BootcNode>,
  node: Partial<KubeNode>,
  minutes: number,
  { conditions = [halted], spec = {} }: { conditions?: readonly PoolCondition[]; spec?: Partial<NodePoolSpec> } = {},
) {
  const nodes = [member("w1", bootc, { readyChangedAt: after(8), ...node }), member("w2", staged)];
  return poolState(nodes, { pool: pool(spec, { status: { conditions } }), now: after(minutes) });
}

test.for<{
  when: string;
  bootc?: Partial<BootcNode>;
  node?: Partial<KubeNode>;
  conditions?: readonly PoolCondition[];
  spec?: Partial<NodePoolSpec>;
  minutes?: number;
  unhealthy: string | null;
}>([
  { when: "is Ready again", unhealthy: "Recovering" },
  { when: "is Ready again, in a pool that is not halted", conditions: [], unhealthy: null },
  { when: "is not Ready", node: { ready: false }, unhealthy: "NotReady" },
  { when: "fails a health check again", node: { conditions: {} }, unhealthy: "Unhealthy" },
  { when: "was Ready in time", node: { readyChangedAt: after(4.9) }, unhealthy: null },
  { when: "was Ready since an unknown time", node: { readyChangedAt: null }, unhealthy: null },
  { when: "has released its slot", bootc: { ...back, slot: null }, unhealthy: null },
  { when: "was not seen on its image", bootc: { ...back, slot: { ...slot, approvedAt: noon } }, unhealthy: null },
  { when: "runs an image before", bootc: { ...back, bootedDigest: digestC, desiredImage: imageC }, unhealthy: null },
  { when: "reports an error", bootc: { ...back, ...failing }, unhealthy: "Degraded" },
  { when: "is back late", node: { readyChangedAt: after(16) }, minutes: 16.5, unhealthy: "Recovering" },
  { when: "flaps past its deadline", node: { readyChangedAt: after(19) }, minutes: 19.5, unhealthy: "SlotOverdue" },
])("a slot holder that $when is unhealthy: $unhealthy", (one) => {
  const { bootc = back, node = {}, minutes = 8.5, unhealthy } = one;
  const healthChecks = { conditions: one.when.includes("health check") ? [{ type: "GPU", status: "True" }] : [] };
  const { conditions = [halted] } = one;
  const spec = { healthChecks: { ...healthChecks, daemonSets: [] } };
  const read = state(bootc, node, minutes, { conditions, spec });
  expect(read.unhealthy.map(({ name, reason }) => `${name} ${reason}`)).toEqual(
    unhealthy === null ? [] : [`w1 ${unhealthy}`],
  );
  expect(read.isHalted).toBe(unhealthy !== null);
});

test("a node that recovers does not blame the image", () => {
  const spec = { onHalt: "Rollback" } as const;
  const pending = (node: Partial<KubeNode>, minutes: number) => isRollbackPending(state(back, node, minutes, { spec }));
  expect([pending({}, 8.5), pending({ ready: false }, 8.5)]).toEqual([false, true]);
  const flapping = state(back, { readyChangedAt: after(19) }, 19.5, { spec });
  expect(computePoolStatus(flapping, null).haltedAt).toEqual(after(19.5));
});

test.for([
  { when: "halted", conditions: [halted], wait: 30, step: { kind: "wait", for: "soak" } },
  { when: "is not halted", conditions: [], wait: 2, step: { kind: "release-slot" } },
])("without a soak, a node that was not Ready must stay Ready for a minute if the rollout $when", (one) => {
  const spec = { minReadySeconds: 0 };
  const read = state(back, { readyChangedAt: after(8) }, 8.5, { conditions: one.conditions, spec });
  const steps = planSteps(read).filter(({ name }) => name === "w1");
  expect(steps[0]?.step).toMatchObject(one.step);
  expect(computeWaitSeconds(steps, read)).toBe(one.wait);
});

test.for([
  { when: "is back late", bootedAt: 30, minutes: 44, work: "working" },
  { when: "flaps", bootedAt: 30, minutes: 45, work: "held" },
])("an execution waits for the soak of a node unless it flaps: if it $when, it is $work", (one) => {
  const bootc = { ...back, slot: { ...slot, approvedAt: noon, bootedAt: after(one.bootedAt) } };
  const read = state(bootc, { readyChangedAt: after(one.minutes - 0.5) }, one.minutes);
  expect(planSteps(read)[0]?.step).toMatchObject({ kind: "wait", for: "soak" });
  expect(assessWork(read).kind).toBe(one.work);
  const stayed = state(bootc, { readyChangedAt: after(one.minutes - 1) }, one.minutes);
  expect(assessWork(stayed).kind).toBe("working");
});

test("a pool in which one of two slots flaps past its deadline is degraded", () => {
  const spec = { maxUnavailable: { unit: "nodes", amount: 2 } } as const;
  const flaps = member("w1", back, { ...cordoned, readyChangedAt: after(19) });
  const read = poolState([flaps, member("w2", staged)], { pool: pool(spec), now: after(19.5) });
  const { conditions, degradedCount } = computePoolStatus(read, null);
  expect([read.isHalted, degradedCount]).toEqual([false, 1]);
  expect(conditions.find(({ type }) => type === "Degraded")).toMatchObject({
    reason: "NodeDegraded",
    message: "Degraded nodes: w1 (slot not released after 1080 s)",
  });
});
