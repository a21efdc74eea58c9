import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PoolTasks } from "../../functions/pool-contract.ts";
import { noon } from "../support/workloads.ts";
import { asked, both, claimed, drained, handedOver, handover, settled } from "./node-pool-rollout-answers.ts";
import { input, type PoolMachine, startNodePoolRollout } from "./node-pool-rollout-machine.ts";
import type { Payloads } from "./script.ts";

let machine: PoolMachine;

beforeAll(async () => {
  machine = await startNodePoolRollout();
});

afterAll(() => machine.close());

const released = { kind: "settled", reason: "all up to date" } as const;
const executionStartedAt = noon.toISOString();

describe("each Lambda is given the input, the execution's name and what it needs of the step before", () => {
  test("of a rollout: the count of its steps is carried on", async () => {
    const { payloads } = await machine.run("pool-workers-1", {
      ClaimPool: [claimed],
      StepNodes: ({ ticks }) => (ticks < 2 ? { ...both, ticks: ticks + 1 } : { ...settled, ticks: ticks + 1 }),
      RunCommands: [asked],
      DrainNodes: [drained],
      ReleasePool: [released],
    });
    const step = { ...input, execution: "pool-workers-1" };
    expect(payloads).toEqual({
      ClaimPool: [step],
      StepNodes: [0, 1, 2].map((ticks) => ({ ...step, executionStartedAt, ticks })),
      RunCommands: [step, step],
      DrainNodes: [step, step],
      ReleasePool: [{ ...step, verdict: "settled", reason: settled.reason }],
    } satisfies Partial<Payloads<PoolTasks>>);
  });

  test("of a rollout that goes on where another was lost, and is handed over", async () => {
    const own = { after: "pool-workers-1", recovering: true };
    const script = { ClaimPool: [claimed], StepNodes: [handover], HandOverPool: [handedOver] };
    const { payloads } = await machine.run("pool-workers-2", script, own);
    const step = { ...input, ...own, execution: "pool-workers-2" };
    expect(payloads).toEqual({
      ClaimPool: [step],
      StepNodes: [{ ...step, executionStartedAt, ticks: 0 }],
      HandOverPool: [step],
    } satisfies Partial<Payloads<PoolTasks>>);
  });
});
