import { setImmediate as nextTurn } from "node:timers/promises";
import { StopExecutionCommand } from "@aws-sdk/client-sfn";
import { describe, expect, test } from "vitest";
import { finished, named, script, startedAt, startFixture } from "./step-functions-fixture.ts";

/** Waits long enough for all pending microtasks and immediates to run. */
async function manyTurns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await nextTurn();
}

describe("a stopped execution", () => {
  test("calls no function after a Wait", async () => {
    const { task, calls } = script({ kind: "moving", waitSeconds: 3600 }, finished);
    const fixture = await startFixture(task, { waitScale: 1 });
    const executionArn = await fixture.start();
    await fixture.until(({ type }) => type === "WaitStateEntered");
    await fixture.sfn.send(new StopExecutionCommand({ executionArn }));
    await fixture.endpoint.close();
    expect(calls).toHaveLength(1);
  });

  test("calls no function after a retry's backoff", async () => {
    const { task, calls } = script(named("Unreachable", "no answer"), finished);
    const fixture = await startFixture(task, { waitScale: 1 });
    const executionArn = await fixture.start();
    await fixture.until(({ type }) => type === "TaskFailed");
    await fixture.sfn.send(new StopExecutionCommand({ executionArn }));
    // All remaining retries would run within these turns if they were not rejected.
    await manyTurns();
    expect(calls).toHaveLength(1);
    expect(fixture.changes.at(-1)?.type).toBe("ExecutionAborted");
  });

  test("lets the running function return, and does not retry it", async () => {
    const { promise, reject } = Promise.withResolvers<unknown>();
    let calls = 0;
    const fixture = await startFixture(() => (calls++, promise));
    const executionArn = await fixture.start();
    await fixture.until(({ type }) => type === "TaskStarted");
    await fixture.sfn.send(new StopExecutionCommand({ executionArn, error: "Operator", cause: "enough" }));
    reject(named("Unreachable", "no answer"));
    await fixture.endpoint.close();
    await manyTurns();
    expect(calls).toBe(1);
    const last = fixture.changes.at(-1);
    expect(last).toMatchObject({ type: "ExecutionAborted", error: "Operator", cause: "enough", at: startedAt });
  });
});

test("closing stops all executions, including one that a running function starts meanwhile", async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const fixture = await startFixture(
    async (_payload, { execution }) => {
      if (execution === "second") return { kind: "moving", waitSeconds: 3600 };
      await promise;
      return fixture.start("second");
    },
    { waitScale: 1 },
  );
  await fixture.start("first");
  await fixture.until(({ type }) => type === "TaskStarted");
  const closed = fixture.endpoint.close();
  resolve(null);
  await closed;
  const aborted = fixture.changes.filter(({ type }) => type === "ExecutionAborted");
  expect(aborted.map(({ execution }) => execution)).toEqual(["first", "second"]);
});
