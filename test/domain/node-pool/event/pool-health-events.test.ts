import { describe, expect, test } from "vitest";
import { poolEvents } from "../../../../functions/domain/node-pool/event/pool-events.ts";
import type { NodePoolStatus, PoolCondition } from "../../../../functions/domain/node-pool/pool/node-pool.ts";
import { pool } from "../pools.ts";

const noTarget: Partial<NodePoolStatus> = { targetDigest: null, targetRef: null, deployedDigest: null, conditions: [] };

describe("Events of a pool's health", () => {
  const healthy: PoolCondition = { type: "Degraded", status: "False", reason: "Healthy", message: "" };
  const degraded: PoolCondition = {
    type: "Degraded",
    status: "True",
    reason: "NodeDegraded",
    message: "Degraded nodes: a",
  };
  const halted: PoolCondition = {
    ...degraded,
    reason: "RolloutHalted",
    message: "Unhealthy nodes in reboot slots: a (NotReady)",
  };

  test.for<[string, PoolCondition[], PoolCondition[], string[]]>([
    ["a node fails", [healthy], [degraded], ["Node Pool Degraded: Warning NodeDegraded: Degraded nodes: a"]],
    [
      "a node fails at the first evaluation",
      [],
      [degraded],
      ["Node Pool Degraded: Warning NodeDegraded: Degraded nodes: a"],
    ],
    ["another fails", [degraded], [{ ...degraded, message: "Degraded nodes: a, b" }], []],
    [
      "the rollout is halted",
      [degraded],
      [halted],
      [`Node Pool Rollout Halted: Warning RolloutHalted: ${halted.message}`],
    ],
    ["the rollout resumes", [halted], [degraded], ["Node Pool Degraded: Warning NodeDegraded: Degraded nodes: a"]],
    [
      "the pool is healthy again",
      [degraded],
      [healthy],
      ["Node Pool Recovered: Normal Healthy: Healthy again: no longer NodeDegraded"],
    ],
    ["the pool is healthy at the first evaluation", [], [healthy], []],
    ["there are no conditions yet", [], [], []],
  ])("if %s", ([, before, after, events]) => {
    const [was, is] = [before, after].map((conditions) => pool({}, { status: { conditions } }));
    const emitted = poolEvents(was ?? pool(), (is ?? pool()).status, null);
    expect(emitted.map(({ event, type, reason, message: text }) => `${event}: ${type} ${reason}: ${text}`)).toEqual(
      events,
    );
  });

  test("are also emitted without a target, and for a pool that is being deleted", () => {
    const unresolved: PoolCondition = { ...degraded, reason: "TagResolutionError", message: "no answer" };
    const before = pool({ imageRef: "quay.io/example/myos:stable" }, { isBeingDeleted: true, status: noTarget });
    const after = { ...before.status, conditions: [unresolved] };
    expect(poolEvents(before, after, null)).toMatchObject([
      { reason: "TagResolutionError", image: null, key: "1 null" },
    ]);
  });
});
