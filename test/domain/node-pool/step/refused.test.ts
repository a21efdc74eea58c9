import { describe, expect, test } from "vitest";
import { evictionBlockedEvent } from "../../../../functions/domain/node-pool/event/node-events.ts";
import { planSteps, assessWork } from "../../../../functions/domain/node-pool/step/plan-steps.ts";
import {
  computePoolStatus,
  computePoolStatusFromPoll,
  hasDeniedWrites,
} from "../../../../functions/domain/node-pool/pool/status.ts";
import type { BootcNode, PoolNode } from "../../../../functions/domain/node-pool/node/bootc-node.ts";
import type { PoolCondition } from "../../../../functions/domain/node-pool/pool/node-pool.ts";
import { after } from "../../../support/workloads.ts";
import {
  cordoned,
  failing,
  unmanagedNode,
  member,
  pool,
  slot,
  slotted,
  staged,
  staging,
  poolState,
  updated,
} from "../pools.ts";

const denialsFor = (...names: readonly string[]) => new Map(names.map((name) => [name, `no ${name}`]));
const finishedHolder = member("a", { ...updated, slot }, cordoned);
const degradedOf = ({ conditions }: { readonly conditions: readonly PoolCondition[] }) =>
  conditions.find(({ type }) => type === "Degraded");

describe("a denied write", () => {
  test("is not retried, and the other nodes continue", () => {
    const state = poolState([finishedHolder, member("b", staged)], { refused: denialsFor("a") });
    expect(planSteps(state).map(({ step }) => step)).toEqual([
      { kind: "wait", for: "owner", reason: "no a" },
      expect.objectContaining({ kind: "wait", for: "slot" }),
    ]);
  });

  test("leaves the slot to the next node by name", () => {
    const nodes = [member("a", staged), member("b", staged)];
    expect([...poolState(nodes, { refused: denialsFor("a") }).slotRecipients]).toEqual(["b"]);
  });

  test.for<[string, readonly PoolNode[], readonly string[] | null]>([
    ["nothing else moves", [finishedHolder], ["a: no a"]],
    [
      "the others wait for the slot or fail",
      [member("0", failing), finishedHolder, member("b", staged), member("c", staged)],
      ["a: no a", "its agent reports an error: stage failed", "all slots are in use"],
    ],
    ["another stages", [finishedHolder, member("b", staging)], null],
  ])("holds the pool if %s", ([, nodes, reasons]) => {
    const work = assessWork(poolState(nodes, { refused: denialsFor("a") }));
    expect(work).toEqual(reasons === null ? { kind: "working" } : { kind: "held", reasons });
  });

  test.for<[string, readonly PoolNode[], string]>([
    ["of a member", [finishedHolder, member("b", updated)], "a (no a)"],
    [
      "of a joining or leaving node",
      [unmanagedNode("a"), unmanagedNode("b"), member("c", updated, { labels: {} })],
      "a (no a), c (no c)",
    ],
    ["of a node with an error", [member("a", failing)], "a (no a)"],
    [
      "of many nodes",
      ["a", "b", "c", "d", "e", "f", "g"].map((name) => member(name, updated)),
      "a (no a), b (no b), c (no c), d (no d), e (no e), 2 more",
    ],
  ])("makes the pool degraded: %s", ([, nodes, message]) => {
    const names = nodes
      .map(({ name }) => name)
      .filter((name) => message.includes("more") || message.includes(`${name} (`));
    const status = computePoolStatus(poolState(nodes, { refused: denialsFor(...names) }), null);
    expect(degradedOf(status)).toMatchObject({ reason: "NodeDegraded", message: `Degraded nodes: ${message}` });
  });
});

describe("a status without an attempt", () => {
  const was = { type: "Degraded", status: "True", reason: "NodeDegraded", message: "Degraded nodes: a" } as const;
  const healthy = { type: "Degraded", status: "False", reason: "Healthy", message: "" } as const;
  const denied = { ...was, message: "Degraded nodes: a (is uncordoned, which admission denies: no)" };
  const other = { ...denied, reason: "SecretError" } as const;
  const late = { ...was, message: "Degraded nodes: b" };

  test.for<[string, readonly PoolCondition[], readonly PoolNode[], PoolCondition]>([
    ["a degraded node stays degraded, because its write may still be denied", [was], [finishedHolder], was],
    ["a healthy pool stays healthy", [healthy], [finishedHolder], healthy],
    ["a pool without conditions is healthy", [], [finishedHolder], healthy],
    ["a pool without pending writes is healthy again", [was], [member("a", updated)], healthy],
    ["another degraded node replaces the message", [was], [finishedHolder, member("b", failing)], late],
    ["a denied write stays beside another degraded node", [denied], [finishedHolder, member("b", failing)], denied],
    ["a denied write beside another reason goes with it", [other], [finishedHolder], healthy],
  ])("%s", ([, conditions, nodes, expected]) => {
    const state = poolState(nodes, { pool: pool({}, { status: { conditions } }) });
    expect(degradedOf(computePoolStatusFromPoll(state, null))).toEqual(expected);
  });
});

describe("blocked evictions", () => {
  const blocked = ["shop/web: no", "shop/db: never"];
  const eventOf = (bootcNode: Partial<BootcNode>, texts: readonly string[], minutes: number) =>
    evictionBlockedEvent(
      member("a", bootcNode),
      texts,
      poolState([], { pool: pool({}, { execution: "e-1" }), now: after(minutes) }),
    );

  test("a slow drain emits an Event once per slot", () => {
    expect(eventOf(slotted, blocked, 5)).toMatchObject({
      event: null,
      type: "Warning",
      reason: "EvictionRefused",
      message: "Not evicted for quay.io/example/myos@sha256:bbbbbbbbbbbb: shop/web: no; shop/db: never (execution e-1)",
      key: "draining=2026-11-20T12:00:00Z",
    });
  });

  test.for<[string, Partial<BootcNode>, readonly string[], number]>([
    ["no eviction is blocked", slotted, [], 5],
    ["the drain has just started", slotted, blocked, 4],
    ["the start of the drain is unknown", { ...slotted, slot: { ...slot, acquiredAt: null } }, blocked, 5],
    ["it holds no slot", staged, blocked, 5],
  ])("no Event if %s", ([, bootcNode, texts, minutes]) => {
    expect(eventOf(bootcNode, texts, minutes)).toBeNull();
  });
});

test.for([
  { reason: "NodeDegraded", message: "Degraded nodes: w1 (is uncordoned, which admission denies: no)", isDenied: true },
  { reason: "SecretError", message: "x. Degraded nodes: w1 (joins, which admission denies: no)", isDenied: true },
  { reason: "NodeDegraded", message: "Degraded nodes: w1", isDenied: false },
  { reason: "RolloutHalted", message: "Unhealthy nodes in reboot slots: w1 (Degraded)", isDenied: false },
] as const)(
  "a pool that is $reason because of $message was denied a write: $isDenied",
  ({ reason, message, isDenied }) => {
    const { status } = pool({}, { status: { conditions: [{ type: "Degraded", status: "True", reason, message }] } });
    expect(hasDeniedWrites(status)).toBe(isDenied);
  },
);
