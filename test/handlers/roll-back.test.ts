import { describe, expect, test } from "vitest";
import { Conflict } from "../../functions/adapters/errors.ts";
import { rollBack } from "../../functions/handlers/roll-back.ts";
import { once } from "../support/fake-ports.ts";
import { claw, image, inFlight, noon, target, updating, workload } from "../support/workloads.ts";
import { around, expectSelectable, recreated, step, writesNothing } from "./steps.ts";

const giveUp = { ...step, verdict: "expired", reason: "1 of 3 replicas ready" };
const rolledBack = { version: "1.1.0", appliedAt: noon, status: "RolledBack" } as const;

test("restores what ran before, counts the failure, frees stuck pods and tells it", async () => {
  const ports = around(updating());
  const answer = await rollBack(ports, giveUp);
  expect(answer).toEqual({ kind: "rolled-back", reason: "1 of 3 replicas ready" });
  expect(ports.cluster.get()).toMatchObject({
    image,
    inFlight: null,
    bookkeeping: { rollbackCount: 1, circuitOpen: false, failedVersions: ["1.1.0"], versionHistory: [rolledBack] },
  });
  expect(ports.cluster.freed).toEqual([target]);
  expect(ports.cluster.events()).toMatchObject([
    { type: "Warning", reason: "AutoUpdateRollback", message: expect.stringContaining(`to ${image}: 1 of 3`) },
  ]);
  expect(ports.published).toMatchObject([{ type: "Update Rolled Back", execution: "e-1", version: "1.1.0" }]);
  expectSelectable("RollBack", answer);
});

test("a Claw that had no target before is given back to its operator", async () => {
  const seen = claw({ image: target, inFlight: { ...inFlight, previousImage: null } });
  const ports = around(seen);
  expect(await rollBack(ports, { ...giveUp, workload: seen.ref })).toMatchObject({ kind: "rolled-back" });
  expect(ports.cluster.get("u-2")).toMatchObject({ image: null, inFlight: null });
  expect(ports.cluster.events()).toMatchObject([{ message: expect.stringContaining("to the default image") }]);
});

test.for([
  { had: 0, max: 3, kind: "rolled-back" },
  { had: 1, max: 3, kind: "rolled-back" },
  { had: 2, max: 3, kind: "tripped" },
  { had: 0, max: 1, kind: "tripped" },
])("after $had of at most $max rollbacks: $kind", async ({ had, max, kind }) => {
  const ports = around(updating({ policy: { maxRollbacks: max }, bookkeeping: { rollbackCount: had } }));
  expect(await rollBack(ports, giveUp)).toMatchObject({ kind });
  expect(ports.cluster.get().bookkeeping).toMatchObject({ rollbackCount: had + 1, circuitOpen: kind === "tripped" });
});

test("switched off in mid-flight it restores what ran before, counts nothing and blames nobody", async () => {
  const ports = around(updating({ policy: { enabled: false }, bookkeeping: { rollbackCount: 2 } }));
  expect(await rollBack(ports, giveUp)).toMatchObject({ kind: "rolled-back" });
  expect(ports.cluster.get()).toMatchObject({
    image,
    inFlight: null,
    bookkeeping: { rollbackCount: 2, failedVersions: [], versionHistory: [], circuitOpen: false },
  });
});

describe("finds its own work done", () => {
  const parts = { bookkeeping: { rollbackCount: 1, failedVersions: ["1.1.0"], versionHistory: [rolledBack] } };
  test.for([
    { when: "and says so", seen: workload(parts), kind: "rolled-back" },
    {
      when: "and that the circuit is open",
      seen: workload({ bookkeeping: { ...parts.bookkeeping, circuitOpen: true } }),
      kind: "tripped",
    },
    { when: "where it was switched off", seen: workload({ policy: { enabled: false } }), kind: "rolled-back" },
    {
      when: "where it was switched off behind an open circuit",
      seen: workload({ policy: { enabled: false }, bookkeeping: { circuitOpen: true } }),
      kind: "rolled-back",
    },
  ])("$when: $kind", async ({ seen, kind }) => {
    const ports = around(seen);
    expect(await rollBack(ports, giveUp)).toMatchObject({ kind });
    expect(ports.cluster.get()).toEqual(seen);
    expect(ports.published).toMatchObject([{ type: "Update Rolled Back" }]);
  });
});

describe("while the pods' owner still asks for the image that was given up", () => {
  test.for([
    { when: "it failed", parts: {}, count: 1 },
    { when: "it was switched off", parts: { policy: { enabled: false } }, count: 0 },
  ])("it holds on to the marks, and comes back until the pods are free: $when", async ({ parts, count }) => {
    const operatorIsSlow = once("before freeStuckPods", () => {
      throw new Conflict("the StatefulSet still asks for it");
    });
    const ports = around(updating(parts), { atMoment: operatorIsSlow });
    await expect(rollBack(ports, giveUp)).rejects.toMatchObject({ name: "Conflict" });
    expect(ports.cluster.get()).toMatchObject({ image, inFlight: { execution: "e-1", phase: "rollback" } });
    expect(await rollBack(ports, giveUp)).toMatchObject({ kind: "rolled-back" });
    expect(ports.cluster.freed).toEqual([target]);
    expect(ports.cluster.get()).toMatchObject({ image, inFlight: null, bookkeeping: { rollbackCount: count } });
  });
});

describe("touches nothing where", () => {
  const lost = [
    { when: "it is gone", seen: null },
    { when: "another has taken its name", seen: recreated(updating()) },
    { when: "the marks were taken away", seen: workload({ image: target }) },
    {
      when: "auto-update and the marks were taken away",
      seen: workload({ image: target, policy: { enabled: false } }),
    },
    { when: "another execution holds the claim", seen: updating({ inFlight: { ...inFlight, execution: "e-2" } }) },
    { when: "a person changed the image", seen: updating({ image: "app:hotfix" }) },
  ];
  test.for(lost)("$when: superseded", async ({ seen }) => {
    const answer = await rollBack(around(seen, { atMoment: writesNothing }), giveUp);
    expect(answer).toMatchObject({ kind: "superseded", reason: expect.stringMatching(/gone|no longer|held|changed/) });
    expectSelectable("RollBack", answer);
  });

  test.for([...lost, { when: "nothing had begun", seen: workload() }])(
    "$when: after an error nothing was applied",
    async ({ seen }) => {
      const answer = await rollBack(around(seen, { atMoment: writesNothing }), { ...giveUp, verdict: "error" });
      expect(answer).toEqual({ kind: "not-applied", reason: "1 of 3 replicas ready" });
    },
  );
});

test("a change between reading and writing is a Conflict, and nothing is written", async () => {
  const ports = around(updating(), { atMoment: once("before change", () => ports.cluster.put(updating())) });
  await expect(rollBack(ports, giveUp)).rejects.toMatchObject({ name: "Conflict" });
  expect(ports.cluster.get()).toMatchObject({ image: target, inFlight, bookkeeping: { rollbackCount: 0 } });
  expect(ports.cluster.freed).toEqual([]);
});
