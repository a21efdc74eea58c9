import { describe, expect, test } from "vitest";
import { resultKinds, inputKinds } from "../task-results.ts";
import { readMachine } from "../asl-files.ts";
import { validChoices } from "./choices.ts";
import { handlerFiles } from "./handler-files.ts";
import { inconclusiveFailures } from "./failures.ts";
import { plainFeatures } from "./allowed-features.ts";
import { completeTasks } from "./tasks.ts";
import { testRejections } from "../mutate-definition.ts";

describe("features that are not allowed", () => {
  testRejections(plainFeatures, [
    { when: "JSONata", change: { QueryLanguage: "JSONata" }, message: "the machine: QueryLanguage is not allowed" },
    {
      when: "a machine without TimeoutSeconds",
      change: { TimeoutSeconds: undefined },
      message: "the machine: no TimeoutSeconds",
    },
    { when: "Map", state: "Each", change: { Type: "Map" }, message: "Each: Map is not allowed" },
    { when: "Parallel", state: "Both", change: { Type: "Parallel" }, message: "Both: Parallel is not allowed" },
    { when: "Assign", state: "RollBack", change: { Assign: { n: 1 } }, message: "RollBack: Assign is not allowed" },
    { when: "Output", state: "Updated", change: { Output: "{% 1 %}" }, message: "Updated: Output is not allowed" },
    {
      when: "OutputPath",
      state: "RollBack",
      change: { OutputPath: "$" },
      message: "RollBack: OutputPath is not allowed",
    },
    {
      when: "a Wait until a timestamp",
      state: "WaitForRollout",
      change: { TimestampPath: "$.due" },
      message: "WaitForRollout: TimestampPath is not allowed",
    },
    {
      when: "$$.State",
      state: "Prepare",
      change: { Type: "Pass", Parameters: { "n.$": "$$.State.RetryCount" } },
      message: "the machine: $$.State is not allowed",
    },
    {
      when: "an intrinsic in CausePath",
      state: "RolledBack",
      change: { CausePath: "States.Format('{}', $.outcome.reason)" },
      message: "RolledBack: CausePath States.Format('{}', $.outcome.reason) is not a path",
    },
  ]);
});

describe("an incomplete Task", () => {
  const otherResource = "arn:aws:states:::sns:publish";
  const narrow = [{ ErrorEquals: ["Unreachable"], ResultPath: "$.error", Next: "ClusterUnreachable" }];
  const greedy = [{ ErrorEquals: ["States.ALL"], ResultPath: "$", Next: "ClusterUnreachable" }];
  testRejections(completeTasks, [
    {
      when: "a Task that invokes no Lambda",
      state: "RollBack",
      change: { Resource: otherResource },
      message: `RollBack: ${otherResource} is not lambda:invoke`,
    },
    {
      when: "a Task without TimeoutSeconds",
      state: "RollBack",
      change: { TimeoutSeconds: undefined },
      message: "RollBack: no TimeoutSeconds",
    },
    {
      when: "a Task without ResultSelector",
      state: "RollBack",
      change: { ResultSelector: undefined },
      message: "RollBack: no ResultSelector",
    },
    {
      when: "the Lambda of another Task",
      state: "RollBack",
      change: { Parameters: { FunctionName: "${ContinueAsNewArn}" } },
      message: "RollBack: FunctionName ${ContinueAsNewArn} is not ${RollBackArn}",
    },
    {
      when: "a Task that replaces the state",
      state: "RollBack",
      change: { ResultPath: "$" },
      message: "RollBack: ResultPath $ is neither $.name nor null",
    },
    {
      when: "a Pass that replaces the state",
      state: "Prepare",
      change: { Type: "Pass", ResultPath: undefined },
      message: "Prepare: ResultPath nothing is neither $.name nor null",
    },
    {
      when: "a Task without Catch",
      state: "RollBack",
      change: { Catch: undefined },
      message: "RollBack: the last Catch is not States.ALL",
    },
    {
      when: "a Catch of only some errors",
      state: "RollBack",
      change: { Catch: narrow },
      message: "RollBack: the last Catch is not States.ALL",
    },
    {
      when: "a Catch that replaces the state",
      state: "RollBack",
      change: { Catch: greedy },
      message: "RollBack's Catch: ResultPath $ is neither $.name nor null",
    },
  ]);
});

describe("a conclusion from an error", () => {
  const catching = (next: string) => ({ Catch: [{ ErrorEquals: ["States.ALL"], ResultPath: "$.error", Next: next }] });
  testRejections(inconclusiveFailures, [
    {
      when: "a rollback",
      state: "CheckReadiness",
      change: catching("RollBack"),
      message: "CheckReadiness: an error leads to RollBack",
    },
    {
      when: "a success",
      state: "CheckReadiness",
      change: catching("Updated"),
      message: "CheckReadiness: an error leads to Updated",
    },
    {
      when: "an execution that ends as rolled back",
      state: "RecordSuccess",
      change: catching("RolledBack"),
      message: "RecordSuccess: an error leads to RolledBack",
    },
    {
      when: "a rollback after any error",
      state: "ApplyUpdate",
      change: catching("FormatRefusal"),
      message: "ApplyUpdate: an error leads to FormatRefusal",
    },
    {
      when: "a state that formats the error",
      state: "ApplyUpdate",
      change: catching("Prepare"),
      message: "ApplyUpdate: an error leads to Prepare",
    },
  ]);
});

describe("an invalid Choice", () => {
  const withRule = (rule: object) => ({ Choices: [{ Next: "RecordSuccess", ...rule }] });
  testRejections(validChoices(resultKinds, inputKinds), [
    {
      when: "a Choice without Default",
      state: "Ready?",
      change: { Default: undefined },
      message: "Ready?: no Default",
    },
    {
      when: "a comparison of timestamps",
      state: "Ready?",
      change: withRule({ Variable: "$.due", TimestampLessThanPath: "$.now" }),
      message: "Ready?: compares by TimestampLessThanPath",
    },
    {
      when: "a comparison with a pattern",
      state: "Ready?",
      change: withRule({ Variable: "$.rollout.kind", StringMatches: "re*" }),
      message: "Ready?: compares by StringMatches",
    },
    { when: "a nested rule", state: "Ready?", change: withRule({ Not: {} }), message: "Ready?: compares by Not" },
    {
      when: "a comparison of free text",
      state: "Ready?",
      change: withRule({ Variable: "$.rollout.reason", StringEquals: "ready" }),
      message: "Ready?: $.rollout.reason is not the kind that the Task before it returns",
    },
    {
      when: "a kind that is never returned",
      state: "Ready?",
      change: withRule({ Variable: "$.rollout.kind", StringEquals: "healthy" }),
      message: 'Ready?: CheckReadiness never returns "healthy"',
    },
    {
      when: "a value that the input never has",
      state: "ChooseStrategy",
      change: withRule({ Variable: "$.strategy", StringEquals: "bluegreen" }),
      message: 'ChooseStrategy: $.strategy is never "bluegreen"',
    },
  ]);
});

test("a Task without a handler and a handler without a Task are reported", () => {
  expect(handlerFiles([readMachine("workload-update")], ["roll-back.ts", "go-home.ts"])).toEqual(
    expect.arrayContaining(["no handler apply-update.ts", "no Task for go-home.ts"]),
  );
});
