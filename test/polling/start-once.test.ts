import { expect, test } from "vitest";
import { startOnce } from "../../functions/polling/start-once.ts";
import { fakeExecutions } from "../support/fake-executions.ts";

const nameOf = (attempt: number) => `e-${attempt}`;

/** Executions of which these many ended before they left a trace. */
async function ended(count: number) {
  const executions = fakeExecutions<string>();
  for (let attempt = 0; attempt < count; attempt += 1) {
    await executions.start(nameOf(attempt), "former");
    executions.finish(nameOf(attempt));
  }
  return executions;
}

test.for([{ count: 0 }, { count: 1 }, { count: 49 }])(
  "where $count ended, the next name is started, and no other",
  async ({ count }) => {
    const executions = await ended(count);
    await startOnce(executions, nameOf, "input", "node pool workers");
    expect(executions.running()).toEqual([{ name: nameOf(count), input: "input" }]);
    expect(executions.started).toHaveLength(count + 1);
  },
);

test("what runs already is left to run", async () => {
  const executions = await ended(1);
  for (const input of ["first", "second"]) await startOnce(executions, nameOf, input, "node pool workers");
  expect(executions.running()).toEqual([{ name: "e-1", input: "first" }]);
});

test("a name that was stopped by a person is used up too", async () => {
  const executions = fakeExecutions<string>();
  await executions.start("e-0", "former");
  executions.abort("e-0");
  await startOnce(executions, nameOf, "input", "node pool workers");
  expect(executions.running().map(({ name }) => name)).toEqual(["e-1"]);
});

test("where 50 ended there is no 51st: it is said of what", async () => {
  const executions = await ended(50);
  await expect(startOnce(executions, nameOf, "input", "node pool workers")).rejects.toThrow(
    "50 executions of node pool workers ended without a trace on it",
  );
  expect(executions.started).toHaveLength(50);
});

test("what Step Functions throws is thrown on, and no other name is tried", async () => {
  let starts = 0;
  const executions = fakeExecutions<string>(() => {
    starts += 1;
    throw new Error("Step Functions is down");
  });
  await expect(startOnce(executions, nameOf, "input", "node pool workers")).rejects.toThrow("Step Functions is down");
  expect(starts).toBe(1);
});
