import { describe, expect, test } from "vitest";
import type { Resolution } from "../../functions/domain/node-pool/target.ts";
import type { NodePool } from "../../functions/domain/node-pool/types.ts";
import type { PoolChecks } from "../../functions/ports/pool-checks.ts";
import { digestA, digestB, digestC, pool } from "../domain/node-pool/pools.ts";
import { newPool, type PoolWorldOptions } from "../handlers/pool-world.ts";
import { type FakePorts, once } from "../support/fake-ports.ts";
import { after } from "../support/workloads.ts";

export interface PoolChecksUnderTest {
  readonly checks: PoolChecks;
  /** Where it writes and tells. */
  readonly ports: FakePorts;
}

const tag = "quay.io/example/myos:stable";
const byTag = newPool({ imageRef: tag });
const resolvedBefore = { targetRef: tag, targetDigest: digestA, deployedDigest: digestA };
const resolved = pool({ imageRef: tag }, { status: resolvedBefore });
const toB = { kind: "resolved", ref: tag, digest: digestB } satisfies Resolution;
const failed: Resolution = { kind: "failed", ref: tag, reason: "the registry is down" };
const unchanged = { ...resolvedBefore, nextTagResolution: null, tagProblem: null };

function standing({ nodePools }: FakePorts): NodePool {
  return nodePools.pool("workers");
}

/** What every implementation of the port does. `prepare` gives one on a cluster with this pool and three nodes for it. */
export function poolChecksContract(prepare: (options: PoolWorldOptions) => Promise<PoolChecksUnderTest>): void {
  describe("PoolChecks", () => {
    test.for([
      {
        what: "a pool that was never looked at",
        of: newPool(),
        resolution: null,
        told: ["RolloutStarted"],
        written: { observedGeneration: 1, targetDigest: digestB, nodeCount: 3, updatedCount: 0 },
      },
      {
        what: "what a tag stands for, at first",
        of: byTag,
        resolution: toB,
        told: ["RolloutStarted"],
        written: { targetDigest: digestB, targetRef: tag, nextTagResolution: after(3.75), tagProblem: null },
      },
      {
        what: "what a tag has come to stand for",
        of: resolved,
        resolution: toB,
        told: ["ImageUpdateAvailable", "RolloutStarted"],
        written: { targetDigest: digestB, deployedDigest: digestA, updateAvailable: true },
      },
      {
        what: "that a tag cannot be resolved, and keep the former target",
        of: resolved,
        resolution: failed,
        told: ["TagResolutionError"],
        written: { targetDigest: digestA, nextTagResolution: after(3.75), tagProblem: "the registry is down" },
      },
      {
        what: "that a tag was never resolved",
        of: byTag,
        resolution: failed,
        told: ["TagResolutionError"],
        written: { targetDigest: null, targetRef: null, nodeCount: 0, tagProblem: "the registry is down" },
      },
      {
        what: "of a pool that an execution leads the target alone",
        of: { ...resolved, execution: "e-1" },
        resolution: toB,
        told: ["ImageUpdateAvailable"],
        written: { targetDigest: digestB, deployedDigest: digestA, nodeCount: 0, conditions: [] },
      },
      {
        what: "of a pool whose reference has changed since nothing that was said of the former",
        of: resolved,
        resolution: { ...toB, ref: "quay.io/example/myos:former" },
        told: [],
        written: { ...unchanged, nodeCount: 3 },
      },
    ])("record $what", async ({ of, resolution, told, written }) => {
      const { checks, ports } = await prepare({ of });
      expect(await checks.record(of, resolution)).toBe("recorded");
      expect(ports.nodePools.events().map(({ reason }) => reason)).toEqual(told);
      expect(ports.publishedOfPools).toHaveLength(told.length);
      expect(standing(ports).status).toMatchObject(written);
      expect(standing(ports)).toMatchObject({ spec: of.spec, execution: of.execution });
    });

    test("record nothing twice", async () => {
      const { checks, ports } = await prepare({ of: byTag });
      await checks.record(byTag, toB);
      const recorded = standing(ports);
      expect(await checks.record(recorded, toB)).toBe("none");
      expect(await checks.record(byTag, null)).toBe("none");
      expect(standing(ports)).toEqual(recorded);
      expect(ports.publishedOfPools).toHaveLength(1);
    });

    test("touch no node", async () => {
      const { checks, ports } = await prepare({ of: byTag });
      await checks.record(byTag, toB);
      expect(ports.nodePools.writes).toEqual([]);
    });

    test.for([
      { when: "is gone", change: (ports: FakePorts) => ports.nodePools.remove("workers") },
      {
        when: "has given its name to another",
        change({ nodePools }: FakePorts) {
          nodePools.remove("workers");
          nodePools.putPool({ ...byTag, uid: "pool-2" });
        },
      },
    ])("write nothing where the pool $when", async ({ change }) => {
      const { checks, ports } = await prepare({ of: byTag });
      change(ports);
      await expect(checks.record(byTag, toB)).rejects.toMatchObject({ name: "Conflict" });
      expect(ports.publishedOfPools).toEqual([]);
    });

    test("write nothing where the pool is written to while it is looked at", async () => {
      const atMoment = once("after outline nodes", () => world.ports.nodePools.putPool({ ...resolved, generation: 2 }));
      const world = await prepare({ of: resolved, atMoment });
      await expect(world.checks.record(resolved, { ...toB, digest: digestC })).rejects.toMatchObject({
        name: "Conflict",
      });
      expect(standing(world.ports)).toMatchObject({ generation: 2, status: { targetDigest: digestA } });
    });
  });
}
