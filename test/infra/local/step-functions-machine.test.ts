import {
  DescribeExecutionCommand,
  GetExecutionHistoryCommand,
  StartExecutionCommand,
  StopExecutionCommand,
} from "@aws-sdk/client-sfn";
import { describe, expect, test } from "vitest";
import type { TaskFunction } from "../../../infra/local/step-functions/invoke.ts";
import { definition, done, held, named, script, startedAt, startFixture, type Fixture } from "./step-functions-fixture.ts";

async function start({ sfn, stateMachineArn }: Fixture, input: object = { job: 1 }): Promise<string> {
  const command = new StartExecutionCommand({ stateMachineArn, name: "run", input: JSON.stringify(input) });
  return (await sfn.send(command)).executionArn ?? "";
}

async function run(work: TaskFunction, input?: object) {
  const fixture = await startFixture(work);
  const executionArn = await start(fixture, input);
  await fixture.end("run");
  return { fixture, executionArn, ended: await fixture.sfn.send(new DescribeExecutionCommand({ executionArn })) };
}

const finished = { kind: "done", waitSeconds: 0 };

describe("a Task", () => {
  test("is given the Payload alone, with the Context Object filled in from the runtime's clock", async () => {
    const { task, calls } = script(finished);
    const { executionArn } = await run(task, { job: { at: "12:00" } });
    expect(calls).toEqual([
      {
        job: { at: "12:00" },
        execution: "run",
        id: executionArn,
        startedAt: startedAt.toISOString(),
        input: { job: { at: "12:00" } },
      },
    ]);
  });

  test("is told apart by machine, state and execution", async () => {
    const contexts: unknown[] = [];
    const { executionArn } = await run(async (_payload, context) => {
      contexts.push(context);
      return finished;
    });
    expect(contexts).toEqual([{ machine: "test-machine", state: "Work", execution: "run", executionArn }]);
  });

  test("answers over JSON under Payload", async () => {
    const { ended } = await run(async () => ({ kind: "done", waitSeconds: new Date(0), dropped: undefined }));
    const work = { kind: "done", waitSeconds: "1970-01-01T00:00:00.000Z" };
    expect(JSON.parse(ended.output ?? "")).toEqual({ job: 1, work });
  });

  test("cannot change the execution's state through what it was given", async () => {
    const { ended } = await run(
      async (payload) => {
        (payload as { job: { n: number } }).job.n = 2;
        return finished;
      },
      { job: { n: 1 } },
    );
    expect(JSON.parse(ended.output ?? "")).toMatchObject({ job: { n: 1 } });
  });

  test("is looked at again after a Wait", async () => {
    const { task, calls } = script({ kind: "moving", waitSeconds: 3600 }, { kind: "moving", waitSeconds: 0 }, finished);
    const { ended } = await run(task);
    expect(ended.status).toBe("SUCCEEDED");
    expect(calls).toHaveLength(3);
  });
});

describe("an error", () => {
  test("is retried by its name, and is forgotten when a retry succeeds", async () => {
    const { task, calls } = script(named("Unreachable", "no answer"), named("Unreachable", "no answer"), finished);
    const { ended } = await run(task);
    expect(ended.status).toBe("SUCCEEDED");
    expect(calls).toHaveLength(3);
  });

  test("ends the retries when they are used up", async () => {
    const { task, calls } = script(...Array.from({ length: 9 }, () => named("Unreachable", "no answer")));
    const { ended } = await run(task);
    expect(ended).toMatchObject({ status: "FAILED", error: "Unreachable" });
    expect(calls).toHaveLength(4);
  });

  test.for([
    { thrown: new RangeError("out of it"), error: "RangeError", message: "out of it" },
    { thrown: named("Conflict", "changed"), error: "Conflict", message: "changed" },
    { thrown: "a string", error: "string", message: "a string" },
  ])("of another name is caught: $error", async ({ thrown, error, message }) => {
    const { ended } = await run(async () => {
      throw thrown;
    });
    expect(ended).toMatchObject({ status: "FAILED", error });
    expect(JSON.parse(ended.cause ?? "")).toEqual({
      errorType: error,
      errorMessage: message,
      trace: expect.any(Array),
    });
  });

  test("of a wait that is no number of seconds is not caught", async () => {
    const { ended } = await run(async () => ({ kind: "moving", waitSeconds: -1 }));
    expect(ended).toMatchObject({
      status: "FAILED",
      error: "States.Runtime",
      cause: "a wait of -1 is no number of seconds",
    });
  });
});

describe("a stopped execution", () => {
  test("calls nothing more when it was waiting", async () => {
    const { task, calls } = script({ kind: "moving", waitSeconds: 3600 }, finished);
    const fixture = await startFixture(task, { waitScale: 1 });
    const executionArn = await start(fixture);
    await fixture.until(({ type }) => type === "WaitStateEntered");
    await fixture.sfn.send(new StopExecutionCommand({ executionArn }));
    await fixture.endpoint.close();
    expect(calls).toHaveLength(1);
  });

  test("calls nothing more when it was backing off", async () => {
    const { task, calls } = script(named("Unreachable", "no answer"), finished);
    const fixture = await startFixture(task, { waitScale: 1 });
    const executionArn = await start(fixture);
    await fixture.until(({ type }) => type === "TaskFailed");
    await fixture.sfn.send(new StopExecutionCommand({ executionArn }));
    // All remaining retries would come within these turns, had they not been held back.
    for (let turn = 0; turn < 20; turn++) await new Promise((next) => setImmediate(next));
    expect(calls).toHaveLength(1);
    expect(fixture.changes.at(-1)?.type).toBe("ExecutionAborted");
  });

  test("lets the function that is under way come back, and goes nowhere with its answer", async () => {
    const { task, release } = held();
    const fixture = await startFixture(task);
    const executionArn = await start(fixture);
    await fixture.until(({ type }) => type === "TaskStarted");
    await fixture.sfn.send(new StopExecutionCommand({ executionArn, error: "Operator", cause: "enough" }));
    release();
    await fixture.endpoint.close();
    const last = fixture.changes.at(-1);
    expect(last).toMatchObject({ type: "ExecutionAborted", error: "Operator", cause: "enough", at: startedAt });
  });
});

test("a retry's delay and a wait follow the scale", async () => {
  const { task } = script(named("Unreachable", "no answer"), { kind: "moving", waitSeconds: 500 }, finished);
  // In real time this would take 600 s, and the test has 5.
  const fixture = await startFixture(task, { waitScale: 0.0001 });
  await start(fixture);
  expect(await fixture.end("run")).toMatchObject({ type: "ExecutionSucceeded" });
});

test("the history has Step Functions' events in its order", async () => {
  const { task } = script(named("Unreachable", "no answer"), { kind: "moving", waitSeconds: 1 }, finished);
  const { fixture, executionArn } = await run(task);
  const { events = [] } = await fixture.sfn.send(new GetExecutionHistoryCommand({ executionArn }));
  expect(events.map(({ type }) => type).join(" ")).toBe(
    [
      "ExecutionStarted",
      "TaskStateEntered TaskScheduled TaskStarted TaskFailed TaskScheduled TaskStarted TaskSucceeded TaskStateExited",
      "ChoiceStateEntered ChoiceStateExited WaitStateEntered WaitStateExited",
      "TaskStateEntered TaskScheduled TaskStarted TaskSucceeded TaskStateExited",
      "ChoiceStateEntered ChoiceStateExited SucceedStateEntered SucceedStateExited ExecutionSucceeded",
    ].join(" "),
  );
  expect(events.map(({ id }) => id)).toEqual(events.map((_event, index) => index + 1));
  expect(events.map(({ previousEventId }) => previousEventId)).toEqual(events.map((_event, index) => index));
  expect(events[2]?.taskScheduledEventDetails?.parameters).toContain('"FunctionName":"${WorkArn}"');
  expect(events[4]?.taskFailedEventDetails).toMatchObject({ resource: "invoke", error: "Unreachable" });
  expect(events[11]?.stateEnteredEventDetails?.input).toContain('"waitSeconds":1');
  expect(events.at(-1)?.timestamp).toEqual(startedAt);
  expect(fixture.changes.map(({ type }) => type)).toEqual(events.map(({ type }) => type));
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
