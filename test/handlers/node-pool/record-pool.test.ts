import { describe, expect, test } from "vitest";
import { handler, recordPool } from "../../../functions/handlers/record-pool.ts";
import type { RecordPoolInput } from "../../../functions/ports/pool-check-recorder.ts";
import { digestA, digestB, pool } from "../../domain/node-pool/pools.ts";
import { type FakePorts, Killed, killedAt, once } from "../../support/fake-ports.ts";
import { newPool, createPoolFixture } from "./node-pool-fixtures.ts";
import { handlerError } from "../handler-error.ts";

const tag = "quay.io/example/myos:stable";
const byTag = newPool({ imageRef: tag });
const input = {
  cluster: "production",
  pool: { name: "workers", uid: "pool-1" },
  resolution: { kind: "resolved", ref: tag, digest: digestB },
} satisfies RecordPoolInput;
const failed: RecordPoolInput = { ...input, resolution: { kind: "failed", ref: tag, reason: "no answer" } };

function emittedEvents({ nodePools, publishedPoolEvents }: FakePorts): readonly (readonly string[])[] {
  return [nodePools.events().map(({ reason }) => reason), publishedPoolEvents.map(({ type }) => type)];
}

describe("the check of a pool", () => {
  test("is not recorded twice", async () => {
    const { ports } = createPoolFixture({ pool: byTag });
    await recordPool(ports, input);
    const recorded = ports.nodePools.pool("workers");
    for (const again of [input, { ...input, resolution: null }]) {
      expect(await recordPool(ports, again)).toEqual({ kind: "nothing-new", reason: "no change for workers" });
    }
    expect(ports.nodePools.pool("workers")).toEqual(recorded);
    expect(ports.publishedPoolEvents).toHaveLength(1);
  });

  test("is dropped and reported if the pool was deleted", async () => {
    const { ports } = createPoolFixture({ pool: byTag });
    ports.nodePools.remove("workers");
    expect(await recordPool(ports, input)).toEqual({ kind: "changed", reason: "node pool workers was deleted" });
    expect(emittedEvents(ports)).toEqual([[], []]);
  });

  test("is dropped and reported if the pool changes meanwhile", async () => {
    const atMoment = once("before saveStatus", () => {
      fixture.ports.nodePools.putPool({ ...fixture.ports.nodePools.pool("workers"), generation: 2 });
    });
    const fixture = createPoolFixture({ pool: byTag, atMoment });
    expect(await recordPool(fixture.ports, input)).toEqual({ kind: "changed", reason: "pool workers has changed" });
    expect(fixture.ports.nodePools.pool("workers")).toMatchObject({ generation: 2, status: byTag.status });
  });

  test.for(["before list pools", "before saveStatus", "before publishPool"] as const)(
    "fails on another error %s",
    async (moment) => {
      const { ports } = createPoolFixture({ pool: byTag, atMoment: killedAt(moment) });
      await expect(recordPool(ports, input)).rejects.toBeInstanceOf(Killed);
      expect(ports.nodePools.pool("workers").status).toEqual(byTag.status);
    },
  );

  test("keeps the previous target if the tag cannot be resolved, and reports it", async () => {
    const status = { targetRef: tag, targetDigest: digestA, deployedDigest: digestA };
    const { ports } = createPoolFixture({ pool: pool({ imageRef: tag }, { status }) });
    expect(await recordPool(ports, failed)).toMatchObject({ kind: "written" });
    const written = ports.nodePools.pool("workers").status;
    expect(written).toMatchObject({ ...status, tagProblem: "no answer" });
    expect(written.conditions).toContainEqual(
      expect.objectContaining({ type: "Degraded", status: "True", reason: "TagResolutionError" }),
    );
    expect(emittedEvents(ports)).toEqual([["TagResolutionError"], ["Node Pool Degraded"]]);
  });
});

describe("Events are emitted before the status is written, and once despite crashes", () => {
  test("in this order", async () => {
    const moments: string[] = [];
    const { ports } = createPoolFixture({ pool: byTag, atMoment: (moment) => void moments.push(moment) });
    await recordPool(ports, input);
    expect(moments.slice(-6)).toEqual(
      ["emitEvent", "publishPool", "saveStatus"].flatMap((call) => [`before ${call}`, `after ${call}`]),
    );
  });

  test.for([
    { moment: "before emitEvent", kind: "written" },
    { moment: "after emitEvent", kind: "written" },
    { moment: "after publishPool", kind: "written" },
    { moment: "before saveStatus", kind: "written" },
    { moment: "after saveStatus", kind: "nothing-new" },
  ] as const)("killed $moment, then $kind", async ({ moment, kind }) => {
    const { ports } = createPoolFixture({ pool: byTag, atMoment: killedAt(moment) });
    await expect(recordPool(ports, input)).rejects.toBeInstanceOf(Killed);
    expect(await recordPool(ports, input)).toMatchObject({ kind });
    expect(ports.nodePools.events().map(({ reason }) => reason)).toEqual(["RolloutStarted"]);
    expect(new Set(ports.publishedPoolEvents.map(({ type }) => type))).toEqual(new Set(["Node Pool Rollout Started"]));
    expect(ports.nodePools.pool("workers").status.targetDigest).toBe(digestB);
  });
});

describe("an invalid input is reported", () => {
  const { resolution } = input;
  test.for([
    { input: { ...input, cluster: "" }, message: 'cluster: "" is not a non-empty string' },
    { input: { ...input, pool: { name: "workers" } }, message: "pool.uid: is missing; use a non-empty string" },
    { input: { ...input, resolution: "resolved" }, message: 'resolution: "resolved" is not an object' },
    { input: { ...input, resolution: {} }, message: "resolution.kind: is missing; use one of resolved, failed" },
    {
      input: { ...input, resolution: { kind: "changed" } },
      message: 'resolution.kind: "changed" is not one of resolved, failed',
    },
    {
      input: { ...input, resolution: { ...resolution, digest: null } },
      message: "resolution.digest: null is not a non-empty string",
    },
    {
      input: { ...input, resolution: { ...resolution, ref: "" } },
      message: 'resolution.ref: "" is not a non-empty string',
    },
    {
      input: { ...input, resolution: { kind: "failed", ref: tag } },
      message: "resolution.reason: is missing; use a non-empty string",
    },
  ])("$message", async ({ input: invalid, message: expected }) => {
    const message = expect.stringContaining(expected) as string;
    expect(await handlerError(handler, invalid)).toMatchObject({ name: "InputInvalid", message });
  });
});
