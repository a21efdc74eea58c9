import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { retriedErrors } from "../retried-errors.ts";
import { named } from "../script.ts";
import { startWorkloadUpdate, type UpdateMachine } from "./machine.ts";

let machine: UpdateMachine;

beforeAll(async () => {
  machine = await startWorkloadUpdate();
});

afterAll(() => machine.close());

const applied = { kind: "applied", waitSeconds: 15, reason: "set the image" } as const;
const ready = { kind: "ready", waitSeconds: 0, reason: "all ready" } as const;
const recorded = { kind: "recorded", reason: "recorded" } as const;
const expired = { kind: "expired", waitSeconds: 0, reason: "too late" } as const;
const reverting = { kind: "reverting", reason: "too late" } as const;
const rolledBack = { kind: "rolled-back", waitSeconds: 0, reason: "too late" } as const;

describe("after the last try the execution fails, without a rollback", () => {
  test.for(retriedErrors)("$error after $tries tries", async ({ error, tries, ending }) => {
    const run = await machine.run(`up-${error}`, { ApplyUpdate: [applied], CheckReadiness: [named(error)] });
    expect(run.ending.error).toBe(ending);
    expect(run.ending.cause).toContain(`${error} happened`);
    expect(run.payloads.CheckReadiness).toHaveLength(tries);
    expect(run.payloads).not.toHaveProperty("RollBack");
  });
});

describe("a try before the last that succeeds", () => {
  test.for(retriedErrors.filter(({ tries }) => tries > 1))("$error: the update continues", async ({ error, tries }) => {
    const failures = Array.from({ length: tries - 1 }, () => named(error));
    const run = await machine.run(`ok-${error}`, {
      ApplyUpdate: [applied],
      CheckReadiness: [...failures, ready],
      RecordSuccess: [recorded],
    });
    expect(run.ending.type).toBe("ExecutionSucceeded");
    expect(run.states.at(-1)).toBe("Updated");
  });
});

test.for([
  { task: "ApplyUpdate", script: { ApplyUpdate: [named("Conflict"), named("Unreachable"), applied] } },
  { task: "CheckReadiness", script: { CheckReadiness: [named("Conflict"), named("Unreachable"), expired] } },
  { task: "RollBack", script: { RollBack: [named("Conflict"), named("Unreachable"), reverting] } },
  { task: "CheckRollback", script: { CheckRollback: [named("Conflict"), named("Unreachable"), rolledBack] } },
] as const)("$task is given the same payload at each try", async ({ task, script }) => {
  const usual = {
    ApplyUpdate: [applied],
    CheckReadiness: [expired],
    RollBack: [reverting],
    CheckRollback: [rolledBack],
  };
  const run = await machine.run(`same-${task}`, { ...usual, ...script });
  const [first, ...others] = run.payloads[task];
  expect(run.ending.error).toBe("RolledBack");
  expect(others).toEqual([first, first]);
});
