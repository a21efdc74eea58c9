import { describe, expect, test } from "vitest";
import { degradedCondition, type Findings } from "../../../functions/domain/node-pool/conditions.ts";
import { computePoolStatus } from "../../../functions/domain/node-pool/status.ts";
import type { PoolObservation } from "../../../functions/domain/node-pool/pool-state.ts";
import type { PoolNode } from "../../../functions/domain/node-pool/bootc-node.ts";
import type { PoolCondition } from "../../../functions/domain/node-pool/node-pool.ts";
import { after } from "../../support/workloads.ts";
import {
  digestA,
  digestB,
  failing,
  unmanagedNode,
  imageA,
  member,
  pool,
  rebooting,
  slot,
  staged,
  staging,
  poolState,
  updated,
} from "./pools.ts";

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
    ["there are no nodes", [], { nodeCount: 0, deployedDigest: digestB, updateAvailable: false }, "AllUpdated"],
    [
      "all run it, and one is joining",
      [member("a", updated), unmanagedNode("b")],
      { nodeCount: 2, updatedCount: 1, updatingCount: 1, deployedDigest: digestA },
      "RolloutInProgress",
    ],
    [
      "one reports an error on the target",
      [member("a", { ...updated, ...failing })],
      { updatedCount: 0, degradedCount: 1, deployedDigest: digestA },
      "RolloutInProgress",
    ],
    [
      "one runs its previous desired image",
      [member("a", { desiredImage: imageA })],
      { updatedCount: 0, updatingCount: 1 },
      "RolloutInProgress",
    ],
  ])("if %s", ([, nodes, counts, reason]) => {
    const status = computeStatus(nodes);
    expect(status).toMatchObject(counts);
    expect(upToDate(status)?.reason).toBe(reason);
  });

  test("a node past a timeout counts as degraded, and is named with the reason", () => {
    const status = computeStatus(five, { pool: pool({ rebootTimeoutSeconds: 60 }), now: after(2) });
    expect(status).toMatchObject({ updatingCount: 3, degradedCount: 1 });
    const message = "Degraded nodes: e (not back on its new image and Ready after 60 s)";
    expect(degraded(status)).toMatchObject({ reason: "NodeDegraded", message });
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
    secretProblem: null,
    halting: [],
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

  test("Healthy without findings", () => {
    expect(degradedCondition(noFindings)).toEqual({
      type: "Degraded",
      status: "False",
      reason: "Healthy",
      message: "",
    });
  });

  test.for(bySeverity.map((entry, index) => [...entry, index] as const))(
    "%s takes precedence over findings of lower severity",
    ([reason, message, , index]) => {
      const found = Object.assign({}, noFindings, ...bySeverity.slice(0, index + 1).map(([, , findings]) => findings));
      expect(degradedCondition(found)).toEqual({ type: "Degraded", status: "True", reason, message });
    },
  );

  test.for<[string, readonly PoolNode[], string]>([
    ["an error of a node without a slot", [member("w1", failing)], "NodeDegraded"],
    ["a node of another pool", [member("w1", { owner: { name: "infra", uid: "pool-2" } })], "NodeConflict"],
    [
      "two unhealthy slot holders",
      ["w1", "w2"].map((name) => member(name, { ...updated, slot }, { ready: false })),
      "RolloutHalted",
    ],
    ["one unhealthy slot holder", [member("w1", { ...updated, slot }, { ready: false })], "Healthy"],
  ])("%s", ([, nodes, reason]) => {
    expect(degraded(computeStatus(nodes))?.reason).toBe(reason);
  });

  test("a missing pull secret does not stop the rollout", () => {
    const status = computeStatus([member("w1", updated)], {}, "os/pull is missing");
    expect(degraded(status)?.reason).toBe("SecretError");
    expect(status.deployedDigest).toBe(digestB);
  });
});
