import { expect, test } from "vitest";
import { startExecutionIdempotently } from "../../functions/workflows/start-execution.ts";
import { fakeExecutions } from "../support/fake-executions.ts";

const executionNameFor = (attempt: number) => `e-${attempt}`;

/** Returns executions of which the first `count` ended before they wrote anything. */
async function executionsAfter(count: number) {
  const executions = fakeExecutions<string>();
  for (let attempt = 0; attempt < count; attempt += 1) {
    await executions.start(executionNameFor(attempt), "previous");
    executions.finish(executionNameFor(attempt));
  }
  return executions;
}

test.for([{ count: 0 }, { count: 1 }, { count: 49 }])(
  "after $count ended executions the next name is started, and no other",
  async ({ count }) => {
    const executions = await executionsAfter(count);
    await startExecutionIdempotently(executions, executionNameFor, "input", "node pool workers");
    expect(executions.running()).toEqual([{ name: executionNameFor(count), input: "input" }]);
    expect(executions.started).toHaveLength(count + 1);
  },
);

test("a running execution is not started again", async () => {
  const executions = await executionsAfter(1);
  for (const input of ["first", "second"])
    await startExecutionIdempotently(executions, executionNameFor, input, "node pool workers");
  expect(executions.running()).toEqual([{ name: "e-1", input: "first" }]);
});

test("the name of an execution that was stopped manually is not reused", async () => {
  const executions = fakeExecutions<string>();
  await executions.start("e-0", "previous");
  executions.abort("e-0");
  await startExecutionIdempotently(executions, executionNameFor, "input", "node pool workers");
  expect(executions.running().map(({ name }) => name)).toEqual(["e-1"]);
});

test("after 50 ended executions none is started, and the error names the subject", async () => {
  const executions = await executionsAfter(50);
  await expect(startExecutionIdempotently(executions, executionNameFor, "input", "node pool workers")).rejects.toThrow(
    "50 executions of node pool workers ended without writing to it; see why they were stopped or superseded",
  );
  expect(executions.started).toHaveLength(50);
});

test("an error of Step Functions is rethrown, and no other name is tried", async () => {
  let starts = 0;
  const executions = fakeExecutions<string>(() => {
    starts += 1;
    throw new Error("Step Functions is down");
  });
  await expect(startExecutionIdempotently(executions, executionNameFor, "input", "node pool workers")).rejects.toThrow(
    "Step Functions is down",
  );
  expect(starts).toBe(1);
});
