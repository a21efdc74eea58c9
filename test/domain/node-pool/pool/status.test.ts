import { describe, expect, test } from "vitest";
import { degradedCondition, type Findings } from "../../../../functions/domain/node-pool/pool/conditions.ts";
import { computePoolStatus } from "../../../../functions/domain/node-pool/pool/status.ts";
import type { PoolObservation } from "../../../../functions/domain/node-pool/pool/pool-state.ts";
import type { PoolNode } from "../../../../functions/domain/node-pool/node/bootc-node.ts";
import type { PoolCondition } from "../../../../functions/domain/node-pool/pool/node-pool.ts";
import { after } from "../../../support/workloads.ts";
import {
  digestA,
  digestB,
  failing,
  unmanagedNode,
  member,
  pool,
  rebooting,
  slot,
  staged,
  staging,
  poolState,
  updated,
} from "../pools.ts";

function computeStatus(
  nodes: readonly PoolNode[],
  observed: Partial<PoolObservation> = {},
  secretProblem: string | null = null,
) {
  return computePoolStatus(poolState(nodes, observed), secretProblem);
}
const upToDate = ({ conditions }: { conditions: readonly PoolCondition[] }) =>
  conditions.find(({ type }) => type === "UpToDate");
const degraded = ({ conditions }: { conditions: readonly PoolCondition[] }) =>
  conditions.find(({ type }) => type === "Degraded");

const five = [member("a", updated), member("b"), member("c", staging), member("d", staged), member("e", rebooting)];

describe("counts", () => {
  test("one node in each of five states", () => {
    const status = computeStatus(five);
    const message = "1/5 updated; 1 pending, 1 staging, 1 staged, 1 rebooting, 0 degraded";
    expect(status).toMatchObject({ nodeCount: 5, updatedCount: 1, updatingCount: 4, degradedCount: 0 });
    expect(status).toMatchObject({ deployedDigest: digestA, targetDigest: digestB, updateAvailable: true });
    expect(upToDate(status)).toEqual({ type: "UpToDate", status: "False", reason: "RolloutInProgress", message });
  });

  test.for<[string, readonly PoolNode[], object, string]>([
    [
      "all run the target",
      [member("a", updated), member("b", updated)],
      { deployedDigest: digestB, updateAvailable: false },
      "AllUpdated",
    ],
    ["there are no nodes", [], { nodeCount: 0, deployedDigest: digestA, updateAvailable: false }, "AllUpdated"],
    [
      "all run it, and one is joining",
      [member("a", updated), unmanagedNode("b")],
      { nodeCount: 2, updatedCount: 1, updatingCount: 1, deployedDigest: digestA },
      "RolloutInProgress",
    ],
  ])("if %s", ([, nodes, counts, reason]) => {
    const status = computeStatus(nodes);
    expect(status).toMatchObject(counts);
    expect(upToDate(status)?.reason).toBe(reason);
  });

  test("a node past a timeout counts as degraded, and is named with the reason", () => {
    const spec = { rebootTimeoutSeconds: 60, maxUnavailable: { unit: "nodes", amount: 2 } } as const;
    const status = computeStatus(five, { pool: pool(spec), now: after(2) });
    expect(status).toMatchObject({ updatingCount: 3, degradedCount: 1 });
    const message = "Degraded nodes: e (not back on its new image and Ready after 60 s)";
    expect(degraded(status)).toMatchObject({ reason: "NodeDegraded", message });
  });

  test("a node that a person has cordoned is named, unless it is up to date", () => {
    const nodes = [member("a", staged, { unschedulable: true }), member("b", updated, { unschedulable: true })];
    expect(upToDate(computeStatus(nodes))?.message).toMatch(/0 degraded; waits for the uncordon of a$/);
    const include = pool({ cordonedNodes: "Include" });
    expect(upToDate(computeStatus(nodes, { pool: include }))?.message).not.toContain("waits");
  });

  test.for([
    { nodes: five, reason: "Paused" },
    { nodes: [member("a", updated)], reason: "AllUpdated" },
  ])("paused: $reason", ({ nodes, reason }) => {
    expect(upToDate(computeStatus(nodes, { pool: pool({ paused: true }) }))?.reason).toBe(reason);
  });
});

describe("counts that are unknown stay unchanged, and the generation is recorded", () => {
  const done: PoolCondition = { type: "UpToDate", status: "True", reason: "AllUpdated", message: "" };
  const was: PoolCondition = { type: "Degraded", status: "False", reason: "Healthy", message: "" };
  const status = { nodeCount: 3, conditions: [done, was], tagProblem: "502", targetDigest: null };
  const unchanged = { nodeCount: 3, observedGeneration: 4 };

  test.for([
    {
      when: "the image was never resolved",
      before: pool({ imageRef: "quay.io/a/b:1" }, { generation: 4, status }),
      reason: "TagResolutionError",
    },
    {
      when: "the spec is invalid",
      before: pool({}, { generation: 4, problems: ["x", "y"], status: { ...status, tagProblem: null } }),
      reason: "InvalidSpec",
    },
  ])("$when", ({ before, reason }) => {
    const written = computeStatus(five, { pool: before });
    expect(written).toMatchObject(unchanged);
    expect(written.conditions).toEqual([done, expect.objectContaining({ status: "True", reason })]);
  });
});

describe("Degraded", () => {
  const noFindings: Findings = {
    degraded: [],
    contested: [],
    overlap: null,
    secretProblem: null,
    halting: [],
    noRollbackReason: null,
    failedDigest: null,
    isAborted: false,
    failedStaged: [],
    problems: [],
    tagProblem: null,
  };
  const bySeverity: readonly [string, string, Partial<Findings>][] = [
    [
      "NodeDegraded",
      "Degraded nodes: w1, w2 (late)",
      {
        degraded: [
          { name: "w1", reason: null },
          { name: "w2", reason: "late" },
        ],
      },
    ],
    [
      "NodeConflict",
      "Nodes of another pool: w3 (infra), w4 (of no pool)",
      {
        contested: [
          { name: "w3", owner: "infra" },
          { name: "w4", owner: null },
        ],
      },
    ],
    ["SecretError", "os/pull is missing", { secretProblem: "os/pull is missing" }],
    [
      "RolloutHalted",
      "Unhealthy nodes in reboot slots: w1 (Degraded), w2 (NotReady)",
      {
        halting: [
          { name: "w1", reason: "Degraded" },
          { name: "w2", reason: "NotReady" },
        ],
      },
    ],
    ["InvalidSpec", "a: x; b: y", { problems: ["a: x", "b: y"] }],
    ["TagResolutionError", "502", { tagProblem: "502" }],
  ];

  test.for(bySeverity.map((entry, index) => [...entry, index] as const))(
    "%s takes precedence over findings of lower severity",
    ([reason, message, , index]) => {
      const found = Object.assign({}, noFindings, ...bySeverity.slice(0, index + 1).map(([, , findings]) => findings));
      expect(degradedCondition(found)).toEqual({ type: "Degraded", status: "True", reason, message });
    },
  );

  test("a denied write is named beside any reason, and before the first nodes of a list", () => {
    const many = ["a", "b", "c", "d", "e", "f"].map((name) => ({ name, reason: null }));
    const found = [...many, { name: "z", reason: "joins, which admission denies: no" }];
    const denied = "Degraded nodes: z (joins, which admission denies: no)";
    const messageOf = (findings: Partial<Findings>) =>
      degradedCondition({ ...noFindings, degraded: found, ...findings }).message;
    expect(messageOf({ secretProblem: "no secret" })).toBe(`no secret. ${denied}`);
    expect(messageOf({})).toBe(`${denied}, a, b, c, d, 2 more`);
    expect(messageOf({ failedDigest: digestB }).split("admission denies")).toHaveLength(2);
  });

  test.for<[string, readonly PoolNode[], string]>([
    ["an error of a node without a slot", [member("w1", failing)], "NodeDegraded"],
    ["a node of another pool", [member("w1", { owner: { name: "infra", uid: "pool-2" } })], "NodeConflict"],
    ["one unhealthy slot holder of one", [member("w1", { ...updated, ...failing, slot })], "RolloutHalted"],
    ["a slot holder that has just rebooted", [member("w1", { ...updated, slot }, { ready: false })], "Healthy"],
  ])("%s", ([, nodes, reason]) => {
    expect(degraded(computeStatus(nodes))?.reason).toBe(reason);
  });

  test("a missing pull secret does not stop the rollout", () => {
    const status = computeStatus([member("w1", updated)], {}, "os/pull is missing");
    expect(degraded(status)?.reason).toBe("SecretError");
    expect(status.deployedDigest).toBe(digestB);
  });
});

describe("nodes without slots that are not Ready", () => {
  const waiting = [member("x", staged), member("y", staged)];
  const dead = (name: string, minutes: number) =>
    member(name, updated, { ready: false, readyChangedAt: after(minutes) });
  const wasDegraded = { type: "Degraded", status: "True", reason: "NodeDegraded", message: "" } as const;
  const stalled = "Degraded nodes: a (not Ready for 900 s, and uses up maxUnavailable)";

  test.for([
    { when: "one stalls the rollout for 16 min", nodes: [dead("a", 0), ...waiting], message: stalled },
    { when: "one stalls the rollout for 15 min", nodes: [dead("a", 1), ...waiting], message: "" },
    { when: "the time is unknown", nodes: [member("a", updated, { ready: false }), ...waiting], message: "" },
    { when: "the pool is updated", nodes: [dead("a", 0), member("x", updated)], message: "" },
    { when: "the pool is paused", nodes: [dead("a", 0), ...waiting], spec: { paused: true }, message: "" },
  ] as const)("Degraded if $when: $message", ({ nodes, spec = {}, message }) => {
    expect(degraded(computeStatus(nodes, { pool: pool(spec), now: after(16) }))?.message).toBe(message);
  });

  test.for([
    { when: "is not Ready again", nodes: [dead("a", 15), ...waiting], message: stalled.replace(" for 900 s", "") },
    { when: "is Ready", nodes: [member("a", updated), ...waiting], message: "" },
    { when: "stalls nothing", nodes: [dead("a", 15), member("x", updated)], message: "" },
  ])("a pool that was degraded stays so while the node flaps: if it $when: $message", ({ nodes, message }) => {
    const before = pool({}, { status: { conditions: [wasDegraded] } });
    expect(degraded(computeStatus(nodes, { pool: before, now: after(16) }))?.message).toBe(message);
  });
});
