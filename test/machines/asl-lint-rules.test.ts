import { describe, expect, test } from "vitest";
import { answerKinds, inputKinds } from "./answers.ts";
import { readMachine } from "./asl-files.ts";
import { choices } from "./lint/choices.ts";
import { handlerFiles } from "./lint/handler-files.ts";
import { plainFeatures } from "./lint/plain-features.ts";
import { tasks } from "./lint/tasks.ts";
import { rejects } from "./spoilt.ts";

describe("not among the plain features", () => {
  rejects(plainFeatures, [
    { name: "JSONata", spoilt: { QueryLanguage: "JSONata" }, says: "the machine: no QueryLanguage here" },
    { name: "no end", spoilt: { TimeoutSeconds: undefined }, says: "the machine: no TimeoutSeconds" },
    { name: "Map", state: "Each", spoilt: { Type: "Map" }, says: "Each: no Map here" },
    { name: "Parallel", state: "Both", spoilt: { Type: "Parallel" }, says: "Both: no Parallel here" },
    { name: "Assign", state: "RollBack", spoilt: { Assign: { n: 1 } }, says: "RollBack: no Assign here" },
    { name: "Output", state: "Updated", spoilt: { Output: "{% 1 %}" }, says: "Updated: no Output here" },
    { name: "OutputPath", state: "RollBack", spoilt: { OutputPath: "$" }, says: "RollBack: no OutputPath here" },
    {
      name: "a Wait for a time",
      state: "WaitForRollout",
      spoilt: { TimestampPath: "$.due" },
      says: "WaitForRollout: no TimestampPath here",
    },
    {
      name: "$$.State",
      state: "ExplainError",
      spoilt: { Parameters: { "n.$": "$$.State.RetryCount" } },
      says: "the machine: $$.State is read",
    },
    {
      name: "an intrinsic in CausePath",
      state: "RolledBack",
      spoilt: { CausePath: "States.Format('{}', $.outcome.reason)" },
      says: "RolledBack: CausePath States.Format('{}', $.outcome.reason) is no path",
    },
  ]);
});

describe("not a whole Task", () => {
  const elsewhere = "arn:aws:states:::sns:publish";
  const narrow = [{ ErrorEquals: ["Unreachable"], ResultPath: "$.error", Next: "Interrupted" }];
  const greedy = [{ ErrorEquals: ["States.ALL"], ResultPath: "$", Next: "Interrupted" }];
  rejects(tasks, [
    {
      name: "no Lambda",
      state: "RollBack",
      spoilt: { Resource: elsewhere },
      says: `RollBack: ${elsewhere} is not lambda:invoke`,
    },
    {
      name: "unbounded",
      state: "RollBack",
      spoilt: { TimeoutSeconds: undefined },
      says: "RollBack: no TimeoutSeconds",
    },
    { name: "all kept", state: "RollBack", spoilt: { ResultSelector: undefined }, says: "RollBack: no ResultSelector" },
    {
      name: "another's Lambda",
      state: "RollBack",
      spoilt: { Parameters: { FunctionName: "${HandOverArn}" } },
      says: "RollBack: FunctionName ${HandOverArn} is not ${RollBackArn}",
    },
    {
      name: "the state is replaced",
      state: "RollBack",
      spoilt: { ResultPath: "$" },
      says: "RollBack: ResultPath $ is neither $.name nor null",
    },
    {
      name: "a Pass that replaces the state",
      state: "ExplainError",
      spoilt: { ResultPath: undefined },
      says: "ExplainError: ResultPath nothing is neither $.name nor null",
    },
    {
      name: "no Catch",
      state: "RollBack",
      spoilt: { Catch: undefined },
      says: "RollBack: the last Catch is not States.ALL",
    },
    {
      name: "a Catch of some errors only",
      state: "RollBack",
      spoilt: { Catch: narrow },
      says: "RollBack: the last Catch is not States.ALL",
    },
    {
      name: "a Catch that replaces the state",
      state: "RollBack",
      spoilt: { Catch: greedy },
      says: "RollBack's Catch: ResultPath $ is neither $.name nor null",
    },
  ]);
});

describe("not a Choice by what Lambdas answered", () => {
  const chooses = (rule: object) => ({ Choices: [{ Next: "RecordSuccess", ...rule }] });
  rejects(choices(answerKinds, inputKinds), [
    { name: "no Default", state: "Ready?", spoilt: { Default: undefined }, says: "Ready?: no Default" },
    {
      name: "a timestamp",
      state: "Ready?",
      spoilt: chooses({ Variable: "$.due", TimestampLessThanPath: "$.now" }),
      says: "Ready?: compares by TimestampLessThanPath",
    },
    {
      name: "a pattern",
      state: "Ready?",
      spoilt: chooses({ Variable: "$.rollout.kind", StringMatches: "re*" }),
      says: "Ready?: compares by StringMatches",
    },
    { name: "a nested rule", state: "Ready?", spoilt: chooses({ Not: {} }), says: "Ready?: compares by Not" },
    {
      name: "free text",
      state: "Ready?",
      spoilt: chooses({ Variable: "$.rollout.reason", StringEquals: "ready" }),
      says: "Ready?: $.rollout.reason is not the kind that the Task before it answers",
    },
    {
      name: "a kind that is never answered",
      state: "Ready?",
      spoilt: chooses({ Variable: "$.rollout.kind", StringEquals: "healthy" }),
      says: 'Ready?: CheckReadiness never answers "healthy"',
    },
    {
      name: "a word that the input never has",
      state: "ChooseStrategy",
      spoilt: chooses({ Variable: "$.strategy", StringEquals: "bluegreen" }),
      says: 'ChooseStrategy: $.strategy is never "bluegreen"',
    },
  ]);
});

test("a Task without a handler and a handler without a Task are found", () => {
  expect(handlerFiles([readMachine("workload-update")], ["roll-back.ts", "go-home.ts"])).toEqual(
    expect.arrayContaining(["no handler apply-update.ts", "no Task for go-home.ts"]),
  );
});
