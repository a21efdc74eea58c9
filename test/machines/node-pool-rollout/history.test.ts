import { afterAll, beforeAll, expect, test } from "vitest";
import { poolNeedsContinuation } from "../../../functions/domain/execution/history-limit.ts";
import type { PoolTaskInput } from "../../../functions/contract/node-pool-rollout.ts";
import { noon } from "../../support/workloads.ts";
import { commandsSent, claimed, drained, continued, nearHistoryLimit, completed, working } from "./results.ts";
import { type PoolMachine, type PoolScript, startNodePoolRollout } from "./machine.ts";
import { named } from "../script.ts";

let machine: PoolMachine;

beforeAll(async () => {
  machine = await startNodePoolRollout();
});

afterAll(() => machine.close());

/** Fails `failures` times before each result. */
function afterFailures<Input, Output>(failures: number, result: (input: Input) => Output) {
  return (input: Input, call: number) => (call % (failures + 1) === 0 ? result(input) : named("Unreachable"));
}

interface Round {
  readonly drains: boolean;
  readonly commands: boolean;
  /** Failures of each call before its result. */
  readonly failures: number;
}

/** Every round is the same, except for the result of `next`, which gets the count of rounds. */
function rollout(
  { failures, ...round }: Round,
  next: (rounds: number) => typeof working | typeof nearHistoryLimit,
): PoolScript {
  const step = ({ rounds }: PoolTaskInput<"ReconcileNodes">) => ({ ...next(rounds + 1), ...round, rounds: rounds + 1 });
  return {
    ClaimPool: [claimed],
    ReconcileNodes: afterFailures(failures, step),
    RunCommands: afterFailures(failures, () => commandsSent),
    DrainNodes: afterFailures(failures, () => drained),
    ContinuePoolAsNew: [continued],
  };
}

test.for([
  { drains: false, commands: false, failures: 0, events: 13 },
  { drains: true, commands: false, failures: 0, events: 18 },
  { drains: false, commands: true, failures: 0, events: 18 },
  { drains: true, commands: true, failures: 0, events: 23 },
  { drains: true, commands: true, failures: 2, events: 23 + 3 * 3 * 2 },
])(
  "a round leaves $events events: drains $drains, commands $commands, $failures failures",
  async ({ events, ...round }) => {
    const eventsOf = async (rounds: number) => {
      const name = `round-${rounds}-${events}-${round.drains}`;
      const run = await machine.run(
        name,
        rollout(round, (number) => (number > rounds ? nearHistoryLimit : working)),
      );
      return run.events;
    };
    expect((await eventsOf(2)) - (await eventsOf(1))).toBe(events);
  },
);

const timeoutSeconds = 60;

test(
  "an execution of which every round drains and commands, and every call fails four times, continues as new before the history limit",
  async () => {
    const round = { drains: true, commands: true, failures: 4 };
    const next = (rounds: number) =>
      poolNeedsContinuation(rounds, noon.toISOString(), noon) ? nearHistoryLimit : working;
    const run = await machine.run("long", rollout(round, next));
    expect(run.states.at(-1)).toBe("ContinuedAsNew");
    expect(run.events).toBeGreaterThan(16_000);
    expect(run.events).toBeLessThan(20_000);
  },
  timeoutSeconds * 1000,
);

test("retries of an unreachable cluster leave 720 events", async () => {
  const away = Array.from({ length: 240 }, () => named("Unreachable"));
  const eventsOf = async (name: string, failures: readonly Error[]) => {
    const script = { ClaimPool: [claimed], ReconcileNodes: [...failures, completed] };
    return (await machine.run(name, { ...script, ReleasePool: [{ kind: "completed", reason: "done" }] })).events;
  };
  expect((await eventsOf("unreachable", away)) - (await eventsOf("reachable", []))).toBe(720);
});
