import { expect, test } from "vitest";
import type { PoolNode } from "../../../../functions/domain/node-pool/node/bootc-node.ts";
import { planSteps } from "../../../../functions/domain/node-pool/step/plan-steps.ts";
import { cordoned, kubeNode, member, pool, poolState, slotted, staged, unmanagedNode, updated } from "../pools.ts";

const role = (name: string) => ({ labels: { ...kubeNode.labels, [`node-role.kubernetes.io/${name}`]: "" } });
const controlPlane = role("control-plane");
const ready = (name: string, of: object = controlPlane) => member(name, staged, of);
const foreign = (node: object) => unmanagedNode("z", { labels: { "node-role.kubernetes.io/master": "" }, ...node });

test.for<{ when: string; nodes: readonly PoolNode[]; etcd?: readonly string[]; recipients: readonly string[] }>([
  { when: "three are staged", nodes: [ready("c"), ready("a"), ready("b")], recipients: ["a"] },
  { when: "one is alone", nodes: [ready("a")], recipients: ["a"] },
  { when: "one runs etcd only", nodes: [ready("a", role("etcd")), ready("b")], recipients: ["a"] },
  { when: "two run pods of etcd", etcd: ["a", "b"], nodes: [ready("b", {}), ready("a", {})], recipients: ["a"] },
  {
    when: "one that runs etcd is not Ready",
    etcd: ["a"],
    nodes: [member("a", updated, { ready: false }), ready("b")],
    recipients: [],
  },
  { when: "the first is not staged", nodes: [member("a", {}, controlPlane), ready("b")], recipients: ["b"] },
  {
    when: "one holds a slot",
    nodes: [member("a", slotted, { ...controlPlane, ...cordoned }), ready("b")],
    recipients: [],
  },
  {
    when: "an updated one is not Ready",
    nodes: [member("a", updated, { ...controlPlane, ready: false }), ready("b")],
    recipients: [],
  },
  { when: "one of no pool is not Ready", nodes: [foreign({ ready: false }), ready("a")], recipients: [] },
  {
    when: "one of another pool holds a slot",
    nodes: [foreign({ cordonedByPool: "others" }), ready("a")],
    recipients: [],
  },
  { when: "all others are Ready", nodes: [foreign({}), ready("a")], recipients: ["a"] },
  {
    when: "workers are staged too",
    nodes: [ready("a"), ready("b"), member("w1", staged), member("w2", staged)],
    recipients: ["a", "w1", "w2"],
  },
  { when: "its Node was deleted", nodes: [{ ...ready("z"), node: null }, ready("a")], recipients: ["a"] },
])("nodes of the control plane acquire slots one at a time: $when", ({ nodes, etcd = [], recipients }) => {
  const many = pool({ maxUnavailable: { unit: "nodes", amount: 9 } });
  expect([...poolState(nodes, { pool: many, etcdNodes: new Set(etcd) }).slotRecipients]).toEqual(recipients);
});

test("a node of the control plane that has to wait says for what", () => {
  const state = poolState([member("a", slotted, { ...controlPlane, ...cordoned }), ready("b")], {
    pool: pool({ maxUnavailable: { unit: "nodes", amount: 9 } }),
  });
  const [, waiting] = planSteps(state);
  expect(waiting?.step).toMatchObject({
    for: "slot",
    reason: expect.stringContaining("another node of the control plane"),
  });
});
