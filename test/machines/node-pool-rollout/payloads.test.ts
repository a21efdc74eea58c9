import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PoolTasks } from "../../../functions/contract/node-pool-rollout.ts";
import { noon } from "../../support/workloads.ts";
import {
  commandsSent,
  drainingWithCommands,
  claimed,
  drained,
  continued,
  nearHistoryLimit,
  completed,
} from "./results.ts";
import { input, type PoolMachine, startNodePoolRollout } from "./machine.ts";
import type { Payloads } from "../script.ts";

let machine: PoolMachine;

beforeAll(async () => {
  machine = await startNodePoolRollout();
});

afterAll(() => machine.close());

const released = { kind: "completed", reason: "all up to date" } as const;
const executionStartedAt = noon.toISOString();

describe("the payload of each Lambda is the input, the name of the execution and results of previous Tasks", () => {
  test("of a rollout, with the count of its rounds", async () => {
    const { payloads } = await machine.run("pool-workers-1", {
      ClaimPool: [claimed],
      ReconcileNodes: ({ rounds }) =>
        rounds < 2 ? { ...drainingWithCommands, rounds: rounds + 1 } : { ...completed, rounds: rounds + 1 },
      RunCommands: [commandsSent],
      DrainNodes: [drained],
      ReleasePool: [released],
    });
    const step = { ...input, execution: "pool-workers-1" };
    expect(payloads).toEqual({
      ClaimPool: [step],
      ReconcileNodes: [0, 1, 2].map((rounds) => ({ ...step, executionStartedAt, rounds })),
      RunCommands: [step, step],
      DrainNodes: [step, step],
      ReleasePool: [{ ...step, verdict: "completed", reason: completed.reason }],
    } satisfies Partial<Payloads<PoolTasks>>);
  });

  test("of a rollout that adopts a claim and continues as new", async () => {
    const own = { previousExecution: "pool-workers-1", adopting: true };
    const script = { ClaimPool: [claimed], ReconcileNodes: [nearHistoryLimit], ContinuePoolAsNew: [continued] };
    const { payloads } = await machine.run("pool-workers-2", script, own);
    const step = { ...input, ...own, execution: "pool-workers-2" };
    expect(payloads).toEqual({
      ClaimPool: [step],
      ReconcileNodes: [{ ...step, executionStartedAt, rounds: 0 }],
      ContinuePoolAsNew: [step],
    } satisfies Partial<Payloads<PoolTasks>>);
  });
});
