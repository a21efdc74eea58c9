import { describe, expect, test } from "vitest";
import type { FanOutOutcome, PollBatchInput } from "../../../functions/contract/poll-fanout.ts";
import { functionSpecs } from "../../../infra/constructs/functions/function-specs.ts";
import { fanOutMachine, readMachine } from "../asl-files.ts";
import type { LintedMachine, LintedState, Rule } from "../lint/definition.ts";
import { boundedMaps, childrenThatEnd, fanOutFeatures, visibleOutcomes } from "../lint/fan-out.ts";

const outcomes = { list: true, again: true, complete: true, incomplete: true } satisfies Readonly<
  Record<FanOutOutcome, true>
>;
const rules = {
  features: fanOutFeatures,
  bounds: boundedMaps,
  children: childrenThatEnd({ PollBatch: functionSpecs["poll-batch"].timeoutSeconds }),
  outcomes: visibleOutcomes(Object.keys(outcomes)),
} satisfies Readonly<Record<string, Rule>>;

interface MapState extends LintedState {
  readonly ItemSelector: { readonly Payload: object };
  readonly ItemProcessor: LintedMachine & { readonly ProcessorConfig: object };
}

const machine = readMachine(fanOutMachine);
const map = machine.States["PollBatches"] as MapState;
const child = map.ItemProcessor;

function withState(name: string, change: object): LintedMachine {
  return { ...machine, States: { ...machine.States, [name]: { Type: "Map", ...machine.States[name], ...change } } };
}

function withChild(name: string, change: object): LintedMachine {
  const States = { ...child.States, [name]: { Type: "Pass", ...child.States[name], ...change } };
  return withState("PollBatches", { ItemProcessor: { ...child, States } });
}

test.for(Object.entries(rules))("the machine obeys the rule of %s", ([, rule]) => {
  expect(rule(machine)).toEqual([]);
});

test("each child receives exactly the input of the function, and passes it on", () => {
  const input = {
    cluster: true,
    poll: true,
    listedAt: true,
    isComplete: true,
    round: true,
    starts: true,
    batch: true,
  } satisfies Readonly<Record<keyof PollBatchInput, true>>;
  const expected = Object.keys(input).map((field) => `${field}.$`);
  const { Parameters, TimeoutSecondsPath } = child.States["PollBatch"] as LintedState;
  expect(Object.keys(map.ItemSelector.Payload).sort()).toEqual([...expected].sort());
  expect(Parameters).toEqual({ FunctionName: "${PollBatchArn}", "Payload.$": "$.Payload" });
  // The same value in the input of the Task and in its parameters.
  expect(TimeoutSecondsPath).toBe("$.Payload.batch.seconds");
});

test("the machine ends a poll that does not end itself, and has no Retry without jitter", () => {
  expect(machine["TimeoutSeconds"]).toBe(3600);
  const retriers = JSON.stringify(machine).match(/"MaxAttempts"/g) ?? [];
  expect(JSON.stringify(machine).match(/"JitterStrategy":"FULL"/g)).toHaveLength(retriers.length);
});

describe("rejects", () => {
  const retrier = { IntervalSeconds: 1, BackoffRate: 2, MaxAttempts: 2, JitterStrategy: "FULL" };
  test.for([
    { of: "features", bad: withState("Wait", { Type: "Wait" }), message: "Wait: Wait is not allowed" },
    {
      of: "features",
      bad: withState("PollBatches", { ItemReader: {} }),
      message: "PollBatches: ItemReader is not allowed",
    },
    { of: "features", bad: withChild("Both", { Type: "Parallel" }), message: "Both: Parallel is not allowed" },
    {
      of: "bounds",
      bad: withState("PollBatches", { MaxConcurrency: undefined }),
      message: "PollBatches: MaxConcurrency is nothing",
    },
    {
      of: "bounds",
      bad: withState("PollBatches", { MaxConcurrency: 1000 }),
      message: "PollBatches: MaxConcurrency is 1000",
    },
    {
      of: "bounds",
      bad: withState("PollBatches", { ToleratedFailurePercentage: 5 }),
      message: "PollBatches: tolerates 5 % of failures",
    },
    {
      of: "bounds",
      bad: withState("PollBatches", { ItemProcessor: { ...child, ProcessorConfig: { Mode: "INLINE" } } }),
      message: 'PollBatches: its children are {"Mode":"INLINE"}',
    },
    {
      of: "bounds",
      bad: withState("PollBatches", { Catch: [{ ErrorEquals: ["States.ALL"], Next: "RoundFailed" }] }),
      message: "PollBatches: an error of all ends the poll unseen",
    },
    {
      of: "children",
      bad: withChild("PollBatch", { TimeoutSeconds: 200, TimeoutSecondsPath: undefined }),
      message: "PollBatch: ends before its function, after 200 s",
    },
    {
      of: "children",
      bad: withChild("PollBatch", { TimeoutSeconds: 290, TimeoutSecondsPath: undefined }),
      message: "PollBatch: takes up to 305 s",
    },
    {
      of: "children",
      bad: withChild("PollBatch", { Retry: [{ ...retrier, ErrorEquals: ["Runtime.OutOfMemory"] }] }),
      message: "PollBatch: Runtime.OutOfMemory is retried",
    },
    {
      of: "children",
      bad: withChild("PollBatch", { Catch: [] }),
      message: "PollBatch: does not catch all errors in one way",
    },
    {
      of: "children",
      bad: withChild("BatchFailed", { Parameters: { kind: "failed" } }),
      message: "PollBatch: a failure leads to BatchFailed, which is no result",
    },
    {
      of: "outcomes",
      bad: withState("NextRound?", { Default: "Polled" }),
      message: "incomplete leads to Polled",
    },
    {
      of: "outcomes",
      bad: withState("PollIncomplete", { Error: "Broken" }),
      message: "it ends as Fail Broken, Succeed Polled",
    },
  ] as const)("$message", ({ of, bad, message }) => {
    expect(rules[of](bad)).toEqual([message]);
  });
});
