import { describe, expect, test } from "vitest";
import type { FanOutOutcome, FanOutState, PollBatchInput } from "../../../functions/contract/poll-fanout.ts";
import type { Batch } from "../../../functions/domain/execution/poll-batches.ts";
import { emptyReport } from "../../../functions/domain/execution/poll-totals.ts";
import { collectRound } from "../../../functions/workflows/poll/fan-out/collect-round.ts";
import { type FanOutTasks, runInProcess } from "../../../functions/workflows/poll/fan-out/run-in-process.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import { noon } from "../../support/workloads.ts";
import { fanOutMachine, readMachine } from "../asl-files.ts";
import { runFanOut } from "./machine.ts";
import { named } from "../script.ts";
import { transitionsOf } from "../transitions.ts";

const batch = (bucket: number): Batch => ({ bucket, from: 0, to: 8, attempt: 0, seconds: 250 });
const state: FanOutState = {
  cluster: "production",
  poll: "p1",
  startedAt: noon.toISOString(),
  listedAt: noon.toISOString(),
  outcome: "again",
  isComplete: true,
  round: 1,
  batches: [batch(0), batch(1)],
  waiting: [],
  totals: { ...emptyReport, quarantined: 0, failedBatches: 0 },
  starts: null,
  lines: [8, 8],
};

const polled = ({ batch: of }: PollBatchInput) => ({ batch: of, kind: "polled", report: emptyReport });

const machine = readMachine(fanOutMachine);
const covered = new Set<string>();

const noList: Pick<FanOutTasks, "continueList"> = {
  continueList: async () => Promise.reject(new Error("the list is complete")),
};

/** Runs with the outcomes of the rounds in order, and records what each function was given. */
async function run(
  outcomes: readonly FanOutOutcome[],
  pollBatch: FanOutTasks["pollBatch"],
  mapError: string | null = null,
  { continueList, ...change }: Partial<FanOutState> & Partial<FanOutTasks> = noList,
) {
  const [given, collected]: [PollBatchInput[], object[]] = [[], []];
  const tasks: FanOutTasks = {
    continueList: continueList ?? noList.continueList,
    async pollBatch(input) {
      given.push(input);
      return pollBatch(input);
    },
    async collectBatches({ results, ...round }) {
      collected.push(results);
      const outcome = outcomes[round.round - 1] as FanOutOutcome;
      return { ...round, round: round.round + 1, batches: [batch(0)], outcome };
    },
  };
  const states = await runFanOut({ ...state, ...change }, tasks, mapError);
  const ofParent = states.filter((name) => name in machine.States);
  for (const [index, name] of ofParent.slice(1).entries())
    covered.add(`${ofParent[index]} ${name === "RoundFailed" ? "!>" : "->"} ${name}`);
  return { states, given, collected };
}

describe("a poll in batches", () => {
  test("ends as Polled if every batch was polled", async () => {
    const { states, given, collected } = await run(["complete"], async (input) => polled(input));
    const visited = ["NextRound?", "PollBatches", "PollBatch", "PollBatch", "CollectBatches"];
    expect(states).toEqual([...visited, "NextRound?", "Polled"]);
    const { cluster, poll, listedAt, isComplete, round, starts } = state;
    expect(given).toEqual(
      state.batches.map((one) => ({ cluster, poll, listedAt, isComplete, round, starts, batch: one })),
    );
    expect(collected).toEqual([state.batches.map((one) => ({ batch: one, kind: "polled", report: emptyReport }))]);
  });

  test("has another round for what failed, with the next state as its input", async () => {
    const { states, given } = await run(["again", "complete"], async (input) => polled(input));
    expect(states.slice(4)).toEqual([
      "CollectBatches",
      "NextRound?",
      "PollBatches",
      "PollBatch",
      "CollectBatches",
      "NextRound?",
      "Polled",
    ]);
    expect(given.map(({ round }) => round)).toEqual([1, 1, 2]);
  });

  test("ends as PollIncomplete if workloads were not reached, which the console shows as failed", async () => {
    const { states } = await run(["incomplete"], async (input) => polled(input));
    expect(states.slice(-2)).toEqual(["NextRound?", "PollIncomplete"]);
  });

  test.for(["Runtime.OutOfMemory", "Sandbox.Timedout", "Runtime.ExitError", "TypeError", "Unreachable"])(
    "that ends with %s is a result of its own, and not tried again at once",
    async (error) => {
      const { states, given, collected } = await run(["complete"], async (input) => {
        if (input.batch.bucket === 1) throw named(error, "x".repeat(10_000));
        return polled(input);
      });
      expect(given).toHaveLength(2);
      expect(states).toContain("BatchFailed");
      const failed = { batch: batch(1), kind: "failed", error: { Error: error } };
      expect(collected).toEqual([[polled(given[0] as PollBatchInput), failed]]);
    },
  );

  test("is tried again if Lambda throttles it, but not for long", async () => {
    const { given, collected } = await run(["complete"], async () => {
      throw named("Lambda.TooManyRequestsException");
    });
    expect(given).toHaveLength(2 * 5);
    expect(collected[0]).toMatchObject([{ kind: "failed" }, { kind: "failed" }]);
  });

  test.for(["States.DataLimitExceeded", "States.ItemReaderFailed", "AccessDeniedException"])(
    "is collected without results if its map fails with %s",
    async (error) => {
      const { states, collected } = await run(["incomplete"], async (input) => polled(input), error);
      const ofParent = states.filter((name) => name in machine.States);
      expect(ofParent.slice(2)).toEqual(["RoundFailed", "CollectBatches", "NextRound?", "PollIncomplete"]);
      expect(collected).toEqual([[]]);
    },
  );

  test("first continues its list, part by part, with the state that each part returns", async () => {
    const listed: FanOutState[] = [];
    const outcomes: readonly FanOutOutcome[] = ["list", "list", "again"];
    async function continueList(part: FanOutState): Promise<FanOutState> {
      listed.push(part);
      // A retry of AWS.
      if (listed.length === 2) throw named("Unreachable");
      return { ...part, lines: [...part.lines, 1], outcome: outcomes[part.lines.length - 1] ?? "again" };
    }
    const { states } = await run(["complete"], async (input) => polled(input), null, {
      continueList,
      outcome: "list",
      lines: [8],
    });
    const parts = Array.from({ length: 3 }, () => ["NextRound?", "Poll"]).flat();
    expect(states.slice(0, 8)).toEqual([...parts, "NextRound?", "PollBatches"]);
    expect(listed.map(({ lines }) => lines.length)).toEqual([1, 2, 2, 3]);
  });

  test("ends as PollIncomplete if another poll has taken over in its list", async () => {
    const continueList = async (part: FanOutState) => ({ ...part, outcome: "again" as const });
    const change = { continueList, outcome: "list" as const, batches: [] };
    const { states } = await run(["incomplete"], async (input) => polled(input), null, change);
    const visited = ["NextRound?", "Poll", "NextRound?", "PollBatches", "CollectBatches", "NextRound?"];
    expect(states).toEqual([...visited, "PollIncomplete"]);
  });

  test("fails visibly if its rounds cannot be collected", async () => {
    const states = await runFanOut(state, {
      ...noList,
      pollBatch: async (input) => polled(input),
      collectBatches: async () => Promise.reject(named("TypeError")),
    });
    expect(states.at(-1)).toBe("CollectBatches");
  });

  test("takes every transition of the file in these tests", () => {
    expect([...covered].sort()).toEqual([...new Set(transitionsOf(machine))].sort());
  });
});

test("the machine and its stand-in of pawl local do the same", async () => {
  const killer = { bucket: 1, line: 5 };
  async function pollBatch(input: PollBatchInput) {
    const { bucket, from, to } = input.batch;
    if (bucket === killer.bucket && from <= killer.line && killer.line < to) throw named("Runtime.OutOfMemory");
    return { ...polled(input), report: { ...emptyReport, evaluated: to - from } };
  }
  const [onAws, inProcess] = [[], []] as [Batch[], Batch[]];
  const ports = fakePorts({});
  let last: object = {};
  await runFanOut(state, {
    ...noList,
    pollBatch: (input) => (onAws.push(input.batch), pollBatch(input)),
    async collectBatches(input) {
      const output = await collectRound(ports, input);
      last = output;
      return output;
    },
  });
  const ended = await runInProcess(fakePorts({}), state, {
    tasks: { pollBatch: (input) => (inProcess.push(input.batch), pollBatch(input)) },
  });
  expect(onAws.length).toBeGreaterThan(4);
  expect(inProcess).toEqual(onAws);
  expect(ended).toEqual(last);
});
