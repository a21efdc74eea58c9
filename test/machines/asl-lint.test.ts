import validate from "asl-validator";
import { describe, expect, test } from "vitest";
import { resultKinds, inputKinds } from "./task-results.ts";
import { handlerFileNames, machineNames, plainMachineNames, readMachine } from "./asl-files.ts";
import { taskFields } from "./fields.ts";
import { validChoices } from "./lint/choices.ts";
import { statesOf } from "./lint/definition.ts";
import { contractFields } from "./lint/fields.ts";
import { handlerFiles } from "./lint/handler-files.ts";
import { inconclusiveFailures } from "./lint/failures.ts";
import { plainFeatures } from "./lint/allowed-features.ts";
import { commonRetries } from "./lint/retries.ts";
import { completeTasks } from "./lint/tasks.ts";

const lambdaArn = "arn:aws:lambda:us-east-1:123456789012:function:pawl";

describe.for(plainMachineNames)("%s", (name) => {
  test.for([
    ["uses only allowed features", plainFeatures],
    ["has complete Tasks", completeTasks],
    ["concludes nothing from an error", inconclusiveFailures],
    ["has the same Retry list in every Task", commonRetries],
    ["passes and selects the fields of its contracts", contractFields(taskFields)],
    ["has only valid Choices", validChoices(resultKinds, inputKinds)],
  ] as const)("%s", ([, rule]) => {
    expect(rule(readMachine(name))).toEqual([]);
  });
});

test.for(machineNames)("%s is valid ASL", (name) => {
  const text = JSON.stringify(readMachine(name)).replaceAll(/\$\{\w+\}/g, lambdaArn);
  expect(validate(JSON.parse(text) as object).errorsText()).toBe("");
});

test("every Task of all machines that run in both engines has the same Retry list", () => {
  const tasksOfAll = plainMachineNames.flatMap((name) => statesOf(readMachine(name), "Task"));
  expect(new Set(tasksOfAll.map(([, state]) => JSON.stringify(state["Retry"]))).size).toBe(1);
});

test("all machines exist, and every Task has a handler and vice versa", () => {
  expect(machineNames).toEqual(expect.arrayContaining(["node-pool-rollout", "poll-fanout", "workload-update"]));
  expect(handlerFiles(machineNames.map(readMachine), handlerFileNames)).toEqual([]);
});
