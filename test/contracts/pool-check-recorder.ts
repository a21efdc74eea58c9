import { describe, expect, test } from "vitest";
import type { Resolution } from "../../functions/domain/node-pool/pool/target.ts";
import type { NodePool } from "../../functions/domain/node-pool/pool/node-pool.ts";
import type { PoolCheckRecorder } from "../../functions/ports/pool-check-recorder.ts";
import { digestA, digestB, digestC, pool } from "../domain/node-pool/pools.ts";
import { newPool, type PoolFixtureOptions } from "../handlers/node-pool/node-pool-fixtures.ts";
import { type FakePorts, once } from "../support/fake-ports.ts";
import { after } from "../support/workloads.ts";

export interface PoolCheckRecorderUnderTest {
  readonly recorder: PoolCheckRecorder;
  /** The ports that the recorder writes to. */
  readonly ports: FakePorts;
}

const tag = "quay.io/example/myos:stable";
const byTag = newPool({ imageRef: tag });
const resolvedBefore = { targetRef: tag, targetDigest: digestA, deployedDigest: digestA };
const resolved = pool({ imageRef: tag }, { status: resolvedBefore });
const toB = { kind: "resolved", ref: tag, digest: digestB } satisfies Resolution;
const failed: Resolution = { kind: "failed", ref: tag, reason: "the registry is down" };
const unchanged = { ...resolvedBefore, nextTagResolution: null, tagProblem: null };

function storedPool({ nodePools }: FakePorts): NodePool {
  return nodePools.pool("workers");
}

/** The contract of `PoolCheckRecorder`. `prepare` returns a recorder on a cluster with this pool and three nodes. */
export function poolCheckRecorderContract(
  prepare: (options: PoolFixtureOptions) => Promise<PoolCheckRecorderUnderTest>,
): void {
  describe("PoolCheckRecorder", () => {
    test.for([
      {
        when: "a pool was never evaluated",
        before: newPool(),
        resolution: null,
        events: ["RolloutStarted"],
        expected: { observedGeneration: 1, targetDigest: digestB, nodeCount: 3, updatedCount: 0 },
      },
      {
        when: "a tag is resolved for the first time",
        before: byTag,
        resolution: toB,
        events: ["RolloutStarted"],
        expected: { targetDigest: digestB, targetRef: tag, nextTagResolution: after(3.75), tagProblem: null },
      },
      {
        when: "a tag resolves to another digest",
        before: resolved,
        resolution: toB,
        events: ["ImageUpdateAvailable", "RolloutStarted"],
        expected: { targetDigest: digestB, deployedDigest: digestA, updateAvailable: true },
      },
      {
        when: "a tag cannot be resolved: the previous target stays",
        before: resolved,
        resolution: failed,
        events: ["TagResolutionError"],
        expected: { targetDigest: digestA, nextTagResolution: after(3.75), tagProblem: "the registry is down" },
      },
      {
        when: "a tag was never resolved",
        before: byTag,
        resolution: failed,
        events: ["TagResolutionError"],
        expected: { targetDigest: null, targetRef: null, nodeCount: 0, tagProblem: "the registry is down" },
      },
      {
        when: "an execution holds the claim: only the target",
        before: { ...resolved, execution: "e-1", status: { ...resolved.status, nodeCount: 7 } },
        resolution: toB,
        events: ["ImageUpdateAvailable"],
        expected: { targetDigest: digestB, deployedDigest: digestA, nodeCount: 7, conditions: [] },
      },
      {
        when: "the reference has changed since: nothing of the previous reference",
        before: resolved,
        resolution: { ...toB, ref: "quay.io/example/myos:previous" },
        events: [],
        expected: { ...unchanged, nodeCount: 3 },
      },
    ])("records what changed if $when", async ({ before, resolution, events, expected }) => {
      const { recorder, ports } = await prepare({ pool: before });
      expect(await recorder.record(before, resolution)).toBe("recorded");
      expect(ports.nodePools.events().map(({ reason }) => reason)).toEqual(events);
      expect(ports.publishedPoolEvents).toHaveLength(events.length);
      expect(storedPool(ports).status).toMatchObject(expected);
      expect(storedPool(ports)).toMatchObject({ spec: before.spec, execution: before.execution });
    });

    test("records nothing twice", async () => {
      const { recorder, ports } = await prepare({ pool: byTag });
      await recorder.record(byTag, toB);
      const recorded = storedPool(ports);
      expect(await recorder.record(recorded, toB)).toBe("none");
      expect(await recorder.record(byTag, null)).toBe("none");
      expect(storedPool(ports)).toEqual(recorded);
      expect(ports.publishedPoolEvents).toHaveLength(1);
    });

    test("writes to no node", async () => {
      const { recorder, ports } = await prepare({ pool: byTag });
      await recorder.record(byTag, toB);
      expect(ports.nodePools.writes).toEqual([]);
    });

    test.for([
      { when: "was deleted", change: (ports: FakePorts) => ports.nodePools.remove("workers") },
      {
        when: "was recreated",
        change({ nodePools }: FakePorts) {
          nodePools.remove("workers");
          nodePools.putPool({ ...byTag, uid: "pool-2" });
        },
      },
    ])("writes nothing if the pool $when", async ({ change }) => {
      const { recorder, ports } = await prepare({ pool: byTag });
      change(ports);
      await expect(recorder.record(byTag, toB)).rejects.toMatchObject({ name: "Conflict" });
      expect(ports.publishedPoolEvents).toEqual([]);
    });

    test("writes nothing if the pool changes during the evaluation", async () => {
      const atMoment = once("after metadata nodes", () =>
        fixture.ports.nodePools.putPool({ ...resolved, generation: 2 }),
      );
      const fixture = await prepare({ pool: resolved, atMoment });
      await expect(fixture.recorder.record(resolved, { ...toB, digest: digestC })).rejects.toMatchObject({
        name: "Conflict",
      });
      expect(storedPool(fixture.ports)).toMatchObject({ generation: 2, status: { targetDigest: digestA } });
    });
  });
}
