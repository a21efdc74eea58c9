import { DescribeExecutionCommand, GetExecutionHistoryCommand } from "@aws-sdk/client-sfn";
import { expect, test } from "vitest";
import { definition, done, finished, held, named, script, startFixture } from "./step-functions-fixture.ts";

test("a retry's delay and a wait follow the scale", async () => {
  const { task } = script(named("Unreachable", "no answer"), { kind: "moving", waitSeconds: 500 }, finished);
  // In real time this would take 600 s, and the test has 5.
  const fixture = await startFixture(task, { waitScale: 0.0001 });
  await fixture.start();
  expect(await fixture.end("run")).toMatchObject({ type: "ExecutionSucceeded" });
});

test.for([
  { when: "one is ahead", timestamp: "2026-11-20T10:16:40.250Z" },
  { when: "it has passed", timestamp: "2020-01-01T00:00:00Z" },
])("a wait until a timestamp goes by the runtime's clock and scale: $when", async ({ timestamp }) => {
  const pause = { Type: "Wait", Timestamp: timestamp, End: true };
  const machines = { "test-machine": { definition: { StartAt: "Pause", States: { Pause: pause } }, tasks: {} } };
  const fixture = await startFixture(done, { machines, waitScale: 0.0001 });
  const executionArn = await fixture.start();
  expect(await fixture.end("run")).toMatchObject({ type: "ExecutionSucceeded", output: '{"job":1}' });
  const { events } = await fixture.sfn.send(new GetExecutionHistoryCommand({ executionArn }));
  expect(events?.[1]?.type).toBe("WaitStateEntered");
});

test("where time does not pass by itself, a wait is slept out", async () => {
  const { task } = script({ kind: "moving", waitSeconds: 500 }, finished);
  const slept: number[] = [];
  const sleep = async (seconds: number) => void slept.push(seconds);
  const fixture = await startFixture(task, { waitScale: 1, sleep });
  await fixture.start();
  expect(await fixture.end("run")).toMatchObject({ type: "ExecutionSucceeded" });
  expect(slept).toEqual([500]);
});

test("the machine's own timeout follows the scale", async () => {
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
  const hasty = { ...definition, States: { Work: { ...Work, TimeoutSeconds: 1 }, ...others } };
  const fixture = await startFixture(task, {
    machines: { "test-machine": { definition: hasty, tasks: { Work: task } } },
  });
  await fixture.start();
  expect(await fixture.end("run")).toMatchObject({ type: "ExecutionFailed", error: "States.Timeout" });
  expect(fixture.changes).toContainEqual(expect.objectContaining({ type: "TaskTimedOut", error: "States.Timeout" }));
  release();
});

test.for([
  { when: "a Task has no function", tasks: {}, says: "Work has no function" },
  { when: "a function has no Task", tasks: { Work: done, Stray: done }, says: "given for Stray" },
])("a machine is refused where $when", async ({ tasks, says }) => {
  await expect(startFixture(done, { machines: { m: { definition, tasks } } })).rejects.toThrow(says);
});

test("a machine is refused where its definition is not valid", async () => {
  const broken = { ...definition, StartAt: "Nowhere" };
  await expect(startFixture(done, { machines: { m: { definition: broken, tasks: { Work: done } } } })).rejects.toThrow(
    /definition is invalid/,
  );
});
