import { describe, expect, test } from "vitest";
import { newsOfKept } from "../../../functions/domain/node-pool/node-news.ts";
import { stepsOf, workOf } from "../../../functions/domain/node-pool/settled.ts";
import { statusOf, statusUntried } from "../../../functions/domain/node-pool/status.ts";
import type { BootcNode, PoolCondition, PoolNode } from "../../../functions/domain/node-pool/types.ts";
import { after } from "../../support/workloads.ts";
import { cordoned, failing, fresh, member, pool, slot, slotted, staged, staging, tick, updated } from "./pools.ts";

const refusing = (...names: readonly string[]) => new Map(names.map((name) => [name, `no ${name}`]));
const back = member("a", { ...updated, slot }, cordoned);
const degradedOf = ({ conditions }: { readonly conditions: readonly PoolCondition[] }) =>
  conditions.find(({ type }) => type === "Degraded");

describe("what the cluster refuses", () => {
  test("is not tried again, and the others go on", () => {
    const seen = tick([back, member("b", staged)], { refused: refusing("a") });
    expect(stepsOf(seen).map(({ step }) => step)).toEqual([
      { kind: "wait", for: "owner", reason: "no a" },
      expect.objectContaining({ kind: "wait", for: "slot" }),
    ]);
  });

  test("leaves the slot to the next in the order of names", () => {
    const nodes = [member("a", staged), member("b", staged)];
    expect([...tick(nodes, { refused: refusing("a") }).takers]).toEqual(["b"]);
  });

  test.for<[string, readonly PoolNode[], readonly string[] | null]>([
    ["nothing else moves", [back], ["a: no a"]],
    [
      "others wait for the slot, or fail",
      [member("0", failing), back, member("b", staged), member("c", staged)],
      ["a: no a", "its agent reports an error: stage failed", "all slots are taken"],
    ],
    ["another stages", [back, member("b", staging)], null],
  ])("holds the pool where %s", ([, nodes, reasons]) => {
    const work = workOf(tick(nodes, { refused: refusing("a") }));
    expect(work).toEqual(reasons === null ? { kind: "working" } : { kind: "held", reasons });
  });

  test.for<[string, readonly PoolNode[], string]>([
    ["of a member", [back, member("b", updated)], "a (no a)"],
    [
      "of one that joins, or leaves",
      [fresh("a"), fresh("b"), member("c", updated, { labels: {} })],
      "a (no a), c (no c)",
    ],
    ["of one that reports an error", [member("a", failing)], "a (no a)"],
    [
      "of many",
      ["a", "b", "c", "d", "e", "f", "g"].map((name) => member(name, updated)),
      "a (no a), b (no b), c (no c), d (no d), e (no e), 2 more",
    ],
  ])("makes the pool degraded: %s", ([, nodes, message]) => {
    const names = nodes
      .map(({ name }) => name)
      .filter((name) => message.includes("more") || message.includes(`${name} (`));
    const status = statusOf(tick(nodes, { refused: refusing(...names) }), null);
    expect(degradedOf(status)).toMatchObject({ reason: "NodeDegraded", message: `Degraded nodes: ${message}` });
  });
});

describe("without having tried", () => {
  const was = { type: "Degraded", status: "True", reason: "NodeDegraded", message: "Degraded nodes: a" } as const;
  const healthy = { type: "Degraded", status: "False", reason: "Healthy", message: "" } as const;
  const late = { ...was, message: "Degraded nodes: b" };

  test.for<[string, readonly PoolCondition[], readonly PoolNode[], PoolCondition]>([
    ["a node that was degraded may still be refused", [was], [back], was],
    ["nothing is held against a pool that was healthy", [healthy], [back], healthy],
    ["nothing is held against a pool of which nothing is known", [], [back], healthy],
    ["a pool in which nothing is to be tried is healthy again", [was], [member("a", updated)], healthy],
    ["what is degraded by now is said", [was], [back, member("b", failing)], late],
  ])("%s", ([, conditions, nodes, said]) => {
    const seen = tick(nodes, { pool: pool({}, { status: { conditions } }) });
    expect(degradedOf(statusUntried(seen, null))).toEqual(said);
  });
});

describe("of pods that are kept", () => {
  const kept = ["shop/web: no", "shop/db: never"];
  const newsOf = (of: Partial<BootcNode>, texts: readonly string[], minutes: number) =>
    newsOfKept(member("a", of), texts, tick([], { pool: pool({}, { execution: "e-1" }), now: after(minutes) }));

  test("a slow drain tells, once for each slot", () => {
    expect(newsOf(slotted, kept, 5)).toMatchObject({
      event: null,
      type: "Warning",
      reason: "EvictionRefused",
      message: "Not evicted for quay.io/example/myos@sha256:bbbbbbbbbbbb: shop/web: no; shop/db: never (execution e-1)",
      key: "draining=2026-11-20T12:00:00Z",
    });
  });

  test.for<[string, Partial<BootcNode>, readonly string[], number]>([
    ["none is kept", slotted, [], 5],
    ["the drain has just begun", slotted, kept, 4],
    ["nobody knows since when it drains", { ...slotted, slot: { ...slot, takenAt: null } }, kept, 5],
    ["it holds no slot", staged, kept, 5],
  ])("nothing is told where %s", ([, of, texts, minutes]) => {
    expect(newsOf(of, texts, minutes)).toBeNull();
  });
});
