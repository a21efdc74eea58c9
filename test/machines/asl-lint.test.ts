import validate from "asl-validator";
import { describe, expect, test } from "vitest";
import { answerKinds, inputKinds } from "./answers.ts";
import { handlerFileNames, machineNames, readMachine } from "./asl-files.ts";
import { taskFields } from "./fields.ts";
import { choices } from "./lint/choices.ts";
import { statesOf } from "./lint/definition.ts";
import { fieldsAsAgreed } from "./lint/fields.ts";
import { handlerFiles } from "./lint/handler-files.ts";
import { plainFeatures } from "./lint/plain-features.ts";
import { retries } from "./lint/retries.ts";
import { tasks } from "./lint/tasks.ts";

const lambdaArn = "arn:aws:lambda:us-east-1:123456789012:function:pawl";

describe.for(machineNames)("%s", (name) => {
  test.for([
    ["has plain features only", plainFeatures],
    ["has whole Tasks", tasks],
    ["retries the same everywhere", retries],
    ["gives and keeps what its contract says", fieldsAsAgreed(taskFields)],
    ["chooses by what Lambdas answered", choices(answerKinds, inputKinds)],
  ] as const)("%s", ([, rule]) => {
    expect(rule(readMachine(name))).toEqual([]);
  });

  test("is valid ASL", () => {
    const text = JSON.stringify(readMachine(name)).replaceAll(/\$\{\w+\}/g, lambdaArn);
    expect(validate(JSON.parse(text) as object).errorsText()).toBe("");
  });
});

test("every Task of all machines retries alike", () => {
  const tasksOfAll = machineNames.flatMap((name) => statesOf(readMachine(name), "Task"));
  expect(new Set(tasksOfAll.map(([, state]) => JSON.stringify(state["Retry"]))).size).toBe(1);
});

test("there are both machines, and every Task has its handler and vice versa", () => {
  expect(machineNames).toEqual(expect.arrayContaining(["node-pool-rollout", "workload-update"]));
  expect(handlerFiles(machineNames.map(readMachine), handlerFileNames)).toEqual([]);
});
