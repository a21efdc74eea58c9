import { afterAll, beforeAll, expect, test } from "vitest";
import { claimed, completed, claimedByOther } from "./results.ts";
import { type PoolMachine, startNodePoolRollout } from "./machine.ts";

let machine: PoolMachine;

beforeAll(async () => {
  machine = await startNodePoolRollout();
});

afterAll(() => machine.close());

const ends = { ReconcileNodes: [completed], ReleasePool: [{ kind: "completed", reason: "all up to date" }] } as const;

test("a duplicate start is the same execution", async () => {
  const run = await machine.run("pool-workers-1", {
    ClaimPool: async () => {
      await machine.start("pool-workers-1");
      return claimed;
    },
    ...ends,
  });
  expect(run.ending.type).toBe("ExecutionSucceeded");
  expect(run.payloads.ClaimPool).toHaveLength(1);
  expect(run.payloads.ReconcileNodes).toHaveLength(1);
});

test("a start of the same name after another execution is rejected", async () => {
  let rejection: unknown;
  await machine.run("pool-workers-2", {
    ClaimPool: async () => {
      rejection = await machine
        .start("pool-workers-2", { previousExecution: "e-9" })
        .catch((error: Error) => error.name);
      return claimed;
    },
    ...ends,
  });
  expect(rejection).toBe("ExecutionAlreadyExists");
});

test("of two executions for one pool the one without the claim changes nothing", async () => {
  const [winner, loser] = await Promise.all([
    machine.run("pool-workers-3", { ClaimPool: [claimed], ...ends }),
    machine.run("pool-workers-4", { ClaimPool: [claimedByOther], ...ends }),
  ]);
  expect(winner.states.at(-1)).toBe("Completed");
  expect(loser.states).toEqual(["ClaimPool", "Claimed?", "Superseded"]);
  expect(Object.keys(loser.payloads)).toEqual(["ClaimPool"]);
});
