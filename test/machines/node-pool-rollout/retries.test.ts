import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { claimed, completed, working } from "./results.ts";
import { taskPaths } from "./failures.ts";
import { type PoolMachine, startNodePoolRollout } from "./machine.ts";
import { retriedErrors } from "../retried-errors.ts";
import { named } from "../script.ts";

let machine: PoolMachine;

beforeAll(async () => {
  machine = await startNodePoolRollout();
});

afterAll(() => machine.close());

describe("the claim stays after the last retry", () => {
  test.for(retriedErrors)("$error: $tries attempts", async ({ error, tries, ending }) => {
    const run = await machine.run(`up-${error}`, { ClaimPool: [claimed], ReconcileNodes: [named(error)] });
    expect(run.ending.error).toBe(ending);
    expect(run.ending.cause).toContain(`${error} happened`);
    expect(run.payloads.ReconcileNodes).toHaveLength(tries);
    expect(run.payloads).not.toHaveProperty("ReleasePool");
  });
});

describe("a retry that succeeds", () => {
  test.for(retriedErrors.filter(({ tries }) => tries > 1))(
    "$error: the rollout continues",
    async ({ error, tries }) => {
      const failures = Array.from({ length: tries - 1 }, () => named(error));
      const run = await machine.run(`ok-${error}`, {
        ClaimPool: [claimed],
        ReconcileNodes: [working, ...failures, completed],
        ReleasePool: [{ kind: "completed", reason: "all up to date" }],
      });
      expect(run.ending.type).toBe("ExecutionSucceeded");
      expect(run.states.at(-1)).toBe("Completed");
    },
  );
});

test.for(taskPaths)("$task gets the same payload at each attempt", async ({ task, script }) => {
  const failures = [named("Conflict"), named("Unreachable"), named("States.Timeout")];
  const results = script[task] as readonly object[];
  const run = await machine.run(`same-${task}`, { ...script, [task]: [...failures, ...results] });
  const [first, ...others] = run.payloads[task];
  expect(run.ending.type).toBe("ExecutionSucceeded");
  expect(others.slice(0, failures.length)).toEqual(failures.map(() => first));
});
