import { expect, test } from "vitest";
import { planSteps } from "../../../../functions/domain/node-pool/step/plan-steps.ts";
import type { BootcNode, Member } from "../../../../functions/domain/node-pool/node/bootc-node.ts";
import { cordoned, member, pool, poolState, slotted, staged, staging } from "../pools.ts";

const key = "topology.kubernetes.io/zone";

function inZone(name: string, zone: string | null, bootc: Partial<BootcNode> = staged, isCordoned = false): Member {
  const one = member(name, bootc, isCordoned ? cordoned : {});
  const labels = { ...one.node.labels, ...(zone !== null && { [key]: zone }) };
  return { ...one, node: { ...one.node, labels } };
}

const left = inZone("l", "a", slotted, true);
const { role: _, ...others } = left.node.labels;
const leaving: Member = { ...left, node: { ...left.node, labels: others } };

test.for<{ when: string; nodes: readonly Member[]; recipients: readonly string[] }>([
  {
    when: "none holds a slot",
    nodes: [inZone("w1", "a"), inZone("w2", "b"), inZone("w3", "a")],
    recipients: ["w1", "w3"],
  },
  {
    when: "one of a holds a slot",
    nodes: [inZone("s", "a", slotted, true), inZone("w1", "b"), inZone("w2", "a")],
    recipients: ["w2"],
  },
  {
    when: "one of c holds a slot",
    nodes: [inZone("s", "c", slotted, true), inZone("w1", "b"), inZone("w2", "a")],
    recipients: [],
  },
  { when: "one of a leaves with its slot", nodes: [leaving, inZone("w1", "b"), inZone("w2", "a")], recipients: ["w2"] },
  {
    when: "two zones hold slots already",
    nodes: [inZone("s", "a", slotted, true), inZone("t", "b", slotted, true), inZone("w1", "a")],
    recipients: [],
  },
  {
    when: "the first node is still staging",
    nodes: [inZone("w1", "a", staging), inZone("w2", "b")],
    recipients: ["w2"],
  },
  { when: "none may acquire one", nodes: [inZone("w1", "a", staging)], recipients: [] },
  {
    when: "nodes have no zone",
    nodes: [inZone("w1", null), inZone("w2", "b"), inZone("w3", null)],
    recipients: ["w1", "w3"],
  },
])("of one zone at a time, if $when: $recipients", ({ nodes, recipients }) => {
  const spec = { topologyKey: key, maxUnavailable: { unit: "nodes", amount: 5 } } as const;
  const state = poolState(nodes, { pool: pool(spec) });
  expect([...state.slotRecipients]).toEqual(recipients);
  const reasons = planSteps(state).flatMap(({ step }) =>
    step.kind === "wait" && step.for === "slot" ? [step.reason] : [],
  );
  for (const reason of reasons) expect(reason).toBe("all slots are in use, or another zone has them");
});
