import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { claimed, settled, working } from "./node-pool-rollout-answers.ts";
import { ways } from "./node-pool-rollout-failures.ts";
import { type PoolMachine, startNodePoolRollout } from "./node-pool-rollout-machine.ts";
import { retriedErrors } from "./retried-errors.ts";
import { named } from "./script.ts";

let machine: PoolMachine;

beforeAll(async () => {
  machine = await startNodePoolRollout();
});

afterAll(() => machine.close());

describe("given up, the claim stays", () => {
  test.for(retriedErrors)("$error after $tries tries", async ({ error, tries }) => {
    const run = await machine.run(`up-${error}`, { ClaimPool: [claimed], StepNodes: [named(error)] });
    expect(run.ending.error).toBe("Interrupted");
    expect(run.ending.cause).toContain(`${error} happened`);
    expect(run.payloads.StepNodes).toHaveLength(tries);
    expect(run.payloads).not.toHaveProperty("ReleasePool");
  });
});

describe("a try before the last that succeeds", () => {
  test.for(retriedErrors.filter(({ tries }) => tries > 1))("$error: the rollout goes on", async ({ error, tries }) => {
    const failures = Array.from({ length: tries - 1 }, () => named(error));
    const run = await machine.run(`ok-${error}`, {
      ClaimPool: [claimed],
      StepNodes: [working, ...failures, settled],
      ReleasePool: [{ kind: "settled", reason: "all up to date" }],
    });
    expect(run.ending.type).toBe("ExecutionSucceeded");
    expect(run.states.at(-1)).toBe("Settled");
  });
});

test.for(ways)("$task is given the same payload at each try", async ({ task, script }) => {
  const failures = [named("Conflict"), named("Unreachable"), named("States.Timeout")];
  const usual = script[task] as readonly object[];
  const run = await machine.run(`same-${task}`, { ...script, [task]: [...failures, ...usual] });
  const [first, ...others] = run.payloads[task];
  expect(run.ending.type).toBe("ExecutionSucceeded");
  expect(others.slice(0, failures.length)).toEqual(failures.map(() => first));
});
