import { DescribeExecutionCommand, GetExecutionHistoryCommand } from "@aws-sdk/client-sfn";
import { expect, test } from "vitest";
import { definition, done, finished, held, named, script, startFixture } from "./step-functions-fixture.ts";

test("retry delays and waits are scaled", async () => {
  const { task } = script(named("Unreachable", "no answer"), { kind: "moving", waitSeconds: 500 }, finished);
  // In real time this would take 600 s, and the test has 5.
  const fixture = await startFixture(task, { waitScale: 0.0001 });
  await fixture.start();
  expect(await fixture.end("run")).toMatchObject({ type: "ExecutionSucceeded" });
});

test.for([
  { when: "in the future", timestamp: "2026-11-20T10:16:40.250Z" },
  { when: "in the past", timestamp: "2020-01-01T00:00:00Z" },
])("a wait until a timestamp $when uses the runtime's clock and scale", async ({ timestamp }) => {
  const pause = { Type: "Wait", Timestamp: timestamp, End: true };
  const machines = { "test-machine": { definition: { StartAt: "Pause", States: { Pause: pause } }, tasks: {} } };
  const fixture = await startFixture(done, { machines, waitScale: 0.0001 });
  const executionArn = await fixture.start();
  expect(await fixture.end("run")).toMatchObject({ type: "ExecutionSucceeded", output: '{"job":1}' });
  const { events } = await fixture.sfn.send(new GetExecutionHistoryCommand({ executionArn }));
  expect(events?.[1]?.type).toBe("WaitStateEntered");
});

test("a wait uses the given sleep function", async () => {
  const { task } = script({ kind: "moving", waitSeconds: 500 }, finished);
  const slept: number[] = [];
  const sleep = async (seconds: number) => void slept.push(seconds);
  const fixture = await startFixture(task, { waitScale: 1, sleep });
  await fixture.start();
  expect(await fixture.end("run")).toMatchObject({ type: "ExecutionSucceeded" });
  expect(slept).toEqual([500]);
});

test("the machine's timeout is scaled", async () => {
  const { task, release } = held();
  const machines = { "test-machine": { definition: { ...definition, TimeoutSeconds: 600 }, tasks: { Work: task } } };
  const fixture = await startFixture(task, { machines, waitScale: 0.0001 });
  const executionArn = await fixture.start();
  await fixture.end("run");
  const { status } = await fixture.sfn.send(new DescribeExecutionCommand({ executionArn }));
  expect(status).toBe("TIMED_OUT");
  release();
});

test("a Task's timeout is in real time, and can be retried and caught", async () => {
  const { task, release } = held();
  const { Work, ...others } = definition.States;
  const withShortTimeout = { ...definition, States: { Work: { ...Work, TimeoutSeconds: 1 }, ...others } };
  const fixture = await startFixture(task, {
    machines: { "test-machine": { definition: withShortTimeout, tasks: { Work: task } } },
  });
  await fixture.start();
  expect(await fixture.end("run")).toMatchObject({ type: "ExecutionFailed", error: "States.Timeout" });
  expect(fixture.changes).toContainEqual(expect.objectContaining({ type: "TaskTimedOut", error: "States.Timeout" }));
  release();
});

test.for([
  { when: "a Task has no function", tasks: {}, message: "Work: no function is given for this Task" },
  { when: "a function has no Task", tasks: { Work: done, Unknown: done }, message: "Unknown: a function is given" },
])("a machine is rejected if $when", async ({ tasks, message }) => {
  await expect(startFixture(done, { machines: { m: { definition, tasks } } })).rejects.toThrow(message);
});

test("a machine is rejected if its definition is invalid", async () => {
  const broken = { ...definition, StartAt: "Nowhere" };
  await expect(startFixture(done, { machines: { m: { definition: broken, tasks: { Work: done } } } })).rejects.toThrow(
    /definition is invalid/,
  );
});
