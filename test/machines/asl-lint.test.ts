import validate from "asl-validator";
import { describe, expect, test } from "vitest";
import { answerKinds, inputKinds } from "./answers.ts";
import { handlerFileNames, machineNames, readMachine } from "./asl-files.ts";
import { choices } from "./lint/choices.ts";
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
    ["chooses by what Lambdas answered", choices(answerKinds, inputKinds)],
  ] as const)("%s", ([, rule]) => {
    expect(rule(readMachine(name))).toEqual([]);
  });

  test("is valid ASL", () => {
    const text = JSON.stringify(readMachine(name)).replaceAll(/\$\{\w+\}/g, lambdaArn);
    expect(validate(JSON.parse(text) as object).errorsText()).toBe("");
  });
});

test("there is a machine, and every Task has its handler and vice versa", () => {
  expect(machineNames).toContain("workload-update");
  expect(handlerFiles(machineNames.map(readMachine), handlerFileNames)).toEqual([]);
});
