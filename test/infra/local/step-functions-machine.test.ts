import { DescribeExecutionCommand, GetExecutionHistoryCommand } from "@aws-sdk/client-sfn";
import { describe, expect, test } from "vitest";
import type { TaskFunction } from "../../../infra/local/step-functions/invoke.ts";
import { finished, named, script, startedAt, startFixture } from "./step-functions-fixture.ts";

async function run(work: TaskFunction, input: object = { job: 1 }) {
  const fixture = await startFixture(work);
  const executionArn = await fixture.start("run", JSON.stringify(input));
  await fixture.end("run");
  return { fixture, executionArn, ended: await fixture.sfn.send(new DescribeExecutionCommand({ executionArn })) };
}

describe("a Task", () => {
  test("receives only the Payload, with the Context Object's start time from the runtime's clock", async () => {
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

  test("receives the machine, the state and the execution as context", async () => {
    const contexts: unknown[] = [];
    const { executionArn } = await run(async (_payload, context) => {
      contexts.push(context);
      return finished;
    });
    expect(contexts).toEqual([{ machine: "test-machine", state: "Work", execution: "run", executionArn }]);
  });

  test("returns its result as JSON under Payload", async () => {
    const { ended } = await run(async () => ({ kind: "done", waitSeconds: new Date(0), dropped: undefined }));
    const work = { kind: "done", waitSeconds: "1970-01-01T00:00:00.000Z" };
    expect(JSON.parse(ended.output ?? "")).toEqual({ job: 1, work });
  });

  test("cannot change the execution's state or input by mutating its payload", async () => {
    const seen: unknown[] = [];
    await run(
      async (payload) => {
        const { job, input } = payload as { job: { n: number }; input: { job: { n: number } } };
        seen.push(job.n, input.job.n);
        job.n = 2;
        input.job.n = 3;
        return seen.length > 2 ? finished : { kind: "moving", waitSeconds: 0 };
      },
      { job: { n: 1 } },
    );
    expect(seen).toEqual([1, 1, 1, 1]);
  });

  test("is called again after a Wait", async () => {
    const { task, calls } = script({ kind: "moving", waitSeconds: 3600 }, { kind: "moving", waitSeconds: 0 }, finished);
    const { ended } = await run(task);
    expect(ended.status).toBe("SUCCEEDED");
    expect(calls).toHaveLength(3);
  });
});

describe("an error", () => {
  test("is retried by its name, and has no effect after a retry succeeds", async () => {
    const { task, calls } = script(named("Unreachable", "no answer"), named("Unreachable", "no answer"), finished);
    const { ended } = await run(task);
    expect(ended.status).toBe("SUCCEEDED");
    expect(calls).toHaveLength(3);
  });

  test("fails the execution after the last retry", async () => {
    const { task, calls } = script(...Array.from({ length: 9 }, () => named("Unreachable", "no answer")));
    const { ended } = await run(task);
    expect(ended).toMatchObject({ status: "FAILED", error: "Unreachable" });
    expect(calls).toHaveLength(4);
  });

  test.for([
    { thrown: new RangeError("out of it"), error: "RangeError", message: "out of it" },
    { thrown: named("Conflict", "changed"), error: "Conflict", message: "changed" },
    { thrown: "a string", error: "string", message: "a string" },
  ])("without a matching retrier is caught: $error", async ({ thrown, error, message }) => {
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

  test("of a Wait with invalid seconds is not caught", async () => {
    const { ended } = await run(async () => ({ kind: "moving", waitSeconds: -1 }));
    expect(ended).toMatchObject({
      status: "FAILED",
      error: "States.Runtime",
      cause: "wait: invalid seconds -1; use a non-negative integer",
    });
  });
});

test("the history has the same events in the same order as Step Functions", async () => {
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
