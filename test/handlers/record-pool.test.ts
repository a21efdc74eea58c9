import { describe, expect, test } from "vitest";
import { handler, recordPool } from "../../functions/handlers/record-pool.ts";
import type { RecordPoolInput } from "../../functions/ports/pool-checks.ts";
import { digestA, digestB, pool } from "../domain/node-pool/pools.ts";
import { type FakePorts, Killed, killedAt, once } from "../support/fake-ports.ts";
import { newPool, poolWorld } from "./pool-world.ts";
import { refusalBy } from "./refusing.ts";

const tag = "quay.io/example/myos:stable";
const byTag = newPool({ imageRef: tag });
const input = {
  cluster: "production",
  pool: { name: "workers", uid: "pool-1" },
  resolution: { kind: "resolved", ref: tag, digest: digestB },
} satisfies RecordPoolInput;
const failed: RecordPoolInput = { ...input, resolution: { kind: "failed", ref: tag, reason: "no answer" } };

function told({ nodePools, publishedOfPools }: FakePorts): readonly (readonly string[])[] {
  return [nodePools.events().map(({ reason }) => reason), publishedOfPools.map(({ type }) => type)];
}

describe("what a poll saw of a pool", () => {
  test("is written and told", async () => {
    const { ports } = poolWorld({ of: byTag });
    expect(await recordPool(ports, input)).toEqual({ kind: "written", reason: "recorded on workers" });
    expect(ports.nodePools.pool("workers").status).toMatchObject({ targetDigest: digestB, nodeCount: 3 });
    expect(told(ports)).toEqual([["RolloutStarted"], ["Node Pool Rollout Started"]]);
  });

  test("is nothing new where it was recorded", async () => {
    const { ports } = poolWorld({ of: byTag });
    await recordPool(ports, input);
    const recorded = ports.nodePools.pool("workers");
    for (const again of [input, { ...input, resolution: null }]) {
      expect(await recordPool(ports, again)).toEqual({ kind: "nothing-new", reason: "nothing is new about workers" });
    }
    expect(ports.nodePools.pool("workers")).toEqual(recorded);
    expect(ports.publishedOfPools).toHaveLength(1);
  });

  test("of a pool that is gone is left, and that is said", async () => {
    const { ports } = poolWorld({ of: byTag });
    ports.nodePools.remove("workers");
    expect(await recordPool(ports, input)).toEqual({ kind: "changed", reason: "node pool workers is gone" });
    expect(told(ports)).toEqual([[], []]);
  });

  test("of a pool that somebody writes to meanwhile is left, and that is said", async () => {
    const atMoment = once("before saveStatus", () => {
      world.ports.nodePools.putPool({ ...world.ports.nodePools.pool("workers"), generation: 2 });
    });
    const world = poolWorld({ of: byTag, atMoment });
    expect(await recordPool(world.ports, input)).toEqual({ kind: "changed", reason: "pool workers has changed" });
    expect(world.ports.nodePools.pool("workers")).toMatchObject({ generation: 2, status: byTag.status });
  });

  test.for(["before list pools", "before saveStatus", "before publishPool"] as const)(
    "fails where something else is wrong %s",
    async (moment) => {
      const { ports } = poolWorld({ of: byTag, atMoment: killedAt(moment) });
      await expect(recordPool(ports, input)).rejects.toBeInstanceOf(Killed);
      expect(ports.nodePools.pool("workers").status).toEqual(byTag.status);
    },
  );

  test("keeps the former target where the tag could not be resolved, and says so", async () => {
    const status = { targetRef: tag, targetDigest: digestA, deployedDigest: digestA };
    const { ports } = poolWorld({ of: pool({ imageRef: tag }, { status }) });
    expect(await recordPool(ports, failed)).toMatchObject({ kind: "written" });
    const written = ports.nodePools.pool("workers").status;
    expect(written).toMatchObject({ ...status, tagProblem: "no answer" });
    expect(written.conditions).toContainEqual(
      expect.objectContaining({ type: "Degraded", status: "True", reason: "TagResolutionError" }),
    );
    expect(told(ports)).toEqual([["TagResolutionError"], ["Node Pool Degraded"]]);
  });
});

describe("it is told before it is written, and once however often it is cut off", () => {
  test("in this order", async () => {
    const moments: string[] = [];
    const { ports } = poolWorld({ of: byTag, atMoment: (moment) => void moments.push(moment) });
    await recordPool(ports, input);
    expect(moments.slice(-6)).toEqual(
      ["announce", "publishPool", "saveStatus"].flatMap((call) => [`before ${call}`, `after ${call}`]),
    );
  });

  test.for([
    { moment: "before announce", kind: "written" },
    { moment: "after announce", kind: "written" },
    { moment: "after publishPool", kind: "written" },
    { moment: "before saveStatus", kind: "written" },
    { moment: "after saveStatus", kind: "nothing-new" },
  ] as const)("killed $moment, then $kind", async ({ moment, kind }) => {
    const { ports } = poolWorld({ of: byTag, atMoment: killedAt(moment) });
    await expect(recordPool(ports, input)).rejects.toBeInstanceOf(Killed);
    expect(await recordPool(ports, input)).toMatchObject({ kind });
    expect(ports.nodePools.events().map(({ reason }) => reason)).toEqual(["RolloutStarted"]);
    expect(new Set(ports.publishedOfPools.map(({ type }) => type))).toEqual(new Set(["Node Pool Rollout Started"]));
    expect(ports.nodePools.pool("workers").status.targetDigest).toBe(digestB);
  });
});

describe("invoked with what it cannot work on, it says so", () => {
  const { resolution } = input;
  test.for([
    { asked: { ...input, cluster: "" }, says: "cluster must be a text that is not empty" },
    { asked: { ...input, pool: { name: "workers" } }, says: "pool.uid must be a text that is not empty" },
    { asked: { ...input, resolution: "resolved" }, says: "resolution must be an object" },
    { asked: { ...input, resolution: {} }, says: "resolution.kind must be one of resolved, failed" },
    { asked: { ...input, resolution: { kind: "moved" } }, says: "resolution.kind must be one of resolved, failed" },
    {
      asked: { ...input, resolution: { ...resolution, digest: null } },
      says: "resolution.digest must be a text that is not empty",
    },
    {
      asked: { ...input, resolution: { ...resolution, ref: "" } },
      says: "resolution.ref must be a text that is not empty",
    },
    {
      asked: { ...input, resolution: { kind: "failed", ref: tag } },
      says: "resolution.reason must be a text that is not empty",
    },
  ])("$says", async ({ asked, says }) => {
    const message = expect.stringContaining(says) as string;
    expect(await refusalBy(handler, asked)).toMatchObject({ name: "InputInvalid", message });
  });
});
