import { describe } from "vitest";
import { readMachine } from "../asl-files.ts";
import { taskFields } from "../fields.ts";
import type { LintedState } from "./definition.ts";
import { contractFields } from "./fields.ts";
import { testRejections } from "../mutate-definition.ts";

describe("fields that differ from the contract", () => {
  const { Parameters: parameters, ResultSelector: selector } = readMachine("workload-update").States[
    "ContinueAsNew"
  ] as LintedState;
  const { Payload: payload } = parameters as { readonly Payload: object };
  const withoutInput = Object.fromEntries(Object.entries(payload).filter(([field]) => field !== "input.$"));
  const withInput = (fields: object) => ({ Parameters: { Payload: { ...payload, ...fields } } });
  const withOutput = (fields: object) => ({ ResultSelector: { ...(selector as object), ...fields } });
  testRejections(contractFields(taskFields), [
    {
      when: "a missing input field",
      state: "ContinueAsNew",
      change: { Parameters: { Payload: withoutInput } },
      message: "ContinueAsNew: input is not passed",
    },
    {
      when: "an additional input field",
      state: "ContinueAsNew",
      change: withInput({ "tag.$": "$.tag" }),
      message: "ContinueAsNew: tag is not an input field",
    },
    {
      when: "an input value that is not a path",
      state: "ContinueAsNew",
      change: withInput({ attempt: 1 }),
      message: "ContinueAsNew: attempt: 1 is not an input field",
    },
    {
      when: "a missing output field",
      state: "ContinueAsNew",
      change: { ResultSelector: { "kind.$": "$.Payload.kind" } },
      message: "ContinueAsNew: reason is not selected",
    },
    {
      when: "an unknown output field",
      state: "ContinueAsNew",
      change: withOutput({ "waitSeconds.$": "$.Payload.waitSeconds" }),
      message: "ContinueAsNew: waitSeconds.$ is $.Payload.waitSeconds, which is not an output field",
    },
    {
      when: "the path of another output field",
      state: "ContinueAsNew",
      change: withOutput({ "reason.$": "$.Payload.kind" }),
      message: "ContinueAsNew: reason.$ is $.Payload.kind, which is not an output field",
    },
    { when: "a Task without a contract", state: "GoHome", change: { Type: "Task" }, message: "GoHome: no contract" },
  ]);
});
