import { afterAll, beforeAll, expect, test } from "vitest";
import { nearsHistoryLimit } from "../../functions/domain/node-pool/hand-over.ts";
import type { PoolTaskInput } from "../../functions/pool-contract.ts";
import { noon } from "../support/workloads.ts";
import { asked, claimed, drained, handedOver, handover, settled, working } from "./node-pool-rollout-answers.ts";
import { type PoolMachine, type PoolScript, startNodePoolRollout } from "./node-pool-rollout-machine.ts";
import { named } from "./script.ts";

let machine: PoolMachine;

beforeAll(async () => {
  machine = await startNodePoolRollout();
});

afterAll(() => machine.close());

/** Fails so many times before each answer. */
function afterFailures<Input, Output>(failures: number, answer: (input: Input) => Output) {
  return (input: Input, call: number) => (call % (failures + 1) === 0 ? answer(input) : named("Unreachable"));
}

interface Round {
  readonly drains: boolean;
  readonly commands: boolean;
  /** Of each call, before it is answered. */
  readonly failures: number;
}

/** Every round is the same, but for what `next` says after so many. */
function rollout({ failures, ...round }: Round, next: (ticks: number) => typeof working | typeof handover): PoolScript {
  const step = ({ ticks }: PoolTaskInput<"StepNodes">) => ({ ...next(ticks + 1), ...round, ticks: ticks + 1 });
  return {
    ClaimPool: [claimed],
    StepNodes: afterFailures(failures, step),
    RunCommands: afterFailures(failures, () => asked),
    DrainNodes: afterFailures(failures, () => drained),
    HandOverPool: [handedOver],
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
    const of = async (rounds: number) => {
      const name = `round-${rounds}-${events}-${round.drains}`;
      const run = await machine.run(
        name,
        rollout(round, (ticks) => (ticks > rounds ? handover : working)),
      );
      return run.events;
    };
    expect((await of(2)) - (await of(1))).toBe(events);
  },
);

const slowlySeconds = 60;

test(
  "an execution of which every round drains and commands, and every call fails four times, hands over in good time",
  async () => {
    const round = { drains: true, commands: true, failures: 4 };
    const next = (ticks: number) => (nearsHistoryLimit(ticks, noon.toISOString(), noon) ? handover : working);
    const run = await machine.run("long", rollout(round, next));
    expect(run.states.at(-1)).toBe("HandedOver");
    expect(run.events).toBeGreaterThan(16_000);
    expect(run.events).toBeLessThan(20_000);
  },
  slowlySeconds * 1000,
);

test("a cluster that is away for as long as it is waited for leaves 720 events", async () => {
  const away = Array.from({ length: 240 }, () => named("Unreachable"));
  const of = async (name: string, failures: readonly Error[]) => {
    const script = { ClaimPool: [claimed], StepNodes: [...failures, settled] };
    return (await machine.run(name, { ...script, ReleasePool: [{ kind: "settled", reason: "done" }] })).events;
  };
  expect((await of("away", away)) - (await of("there", []))).toBe(720);
});
