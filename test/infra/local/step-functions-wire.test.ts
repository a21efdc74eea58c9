import {
  DescribeExecutionCommand,
  DescribeStateMachineCommand,
  GetExecutionHistoryCommand,
  ListExecutionsCommand,
  ListStateMachinesCommand,
  StartExecutionCommand,
  StopExecutionCommand,
  paginateGetExecutionHistory,
} from "@aws-sdk/client-sfn";
import { describe, expect, test } from "vitest";
import { definition, done, held, startedAt, startFixture } from "./step-functions-fixture.ts";

describe("StartExecution", () => {
  test("is idempotent for the same name and input while the execution runs", async () => {
    const { task, release } = held();
    const fixture = await startFixture(task);
    const [first, second] = [await fixture.start("twin"), await fixture.start("twin")];
    expect(second).toBe(first);
    release();
    await fixture.end("twin");
    expect(fixture.changes.filter(({ type }) => type === "ExecutionStarted")).toHaveLength(1);
  });

  test.for([
    { when: "the input is different", ended: false, input: '{"job":2}' },
    { when: "the execution has ended", ended: true, input: '{"job":1}' },
  ])("is rejected if $when", async ({ ended, input }) => {
    const { task, release } = held();
    const fixture = await startFixture(task);
    await fixture.start("taken");
    if (ended) {
      release();
      await fixture.end("taken");
    }
    await expect(fixture.start("taken", input)).rejects.toMatchObject({ name: "ExecutionAlreadyExists" });
    release();
  });

  test("accepts an ARN with an alias, and generates a name if none is given", async () => {
    const { sfn, stateMachineArn } = await startFixture(done);
    const started = await sfn.send(
      new StartExecutionCommand({ stateMachineArn: `${stateMachineArn}:live`, input: '{"job":1}' }),
    );
    expect(started.executionArn).toMatch(/:execution:test-machine:[0-9a-f-]{36}$/);
    expect(started.startDate).toEqual(startedAt);
  });
});

test("DescribeExecution returns the status, and the input unchanged", async () => {
  const { task, release } = held();
  const fixture = await startFixture(task);
  const executionArn = await fixture.start("one", '{ "job" : 1 }');
  const running = await fixture.sfn.send(new DescribeExecutionCommand({ executionArn }));
  expect(running).toMatchObject({ status: "RUNNING", name: "one", input: '{ "job" : 1 }', startDate: startedAt });
  expect(running).not.toHaveProperty("stopDate");
  expect(running).not.toHaveProperty("output");
  release();
  await fixture.end("one");
  const ended = await fixture.sfn.send(new DescribeExecutionCommand({ executionArn }));
  expect(ended).toMatchObject({ status: "SUCCEEDED", stopDate: startedAt, output: expect.any(String) });
});

test("StopExecution aborts immediately, and does not change an execution that has ended", async () => {
  const { task, release } = held();
  const fixture = await startFixture(task);
  const executionArn = await fixture.start("one");
  await fixture.sfn.send(new StopExecutionCommand({ executionArn, error: "Operator", cause: "enough" }));
  const again = await fixture.sfn.send(new StopExecutionCommand({ executionArn, error: "Other" }));
  const found = await fixture.sfn.send(new DescribeExecutionCommand({ executionArn }));
  expect(found).toMatchObject({ status: "ABORTED", error: "Operator", cause: "enough", stopDate: again.stopDate });
  release();
});

describe("lists", () => {
  test("return executions newest first, in pages without duplicates or gaps if another one starts in between", async () => {
    const fixture = await startFixture(done);
    const { sfn, stateMachineArn } = fixture;
    for (const name of ["a", "b", "c", "d", "e"]) await fixture.start(name);
    const first = await sfn.send(new ListExecutionsCommand({ stateMachineArn, maxResults: 2 }));
    await fixture.start("f");
    const { nextToken } = first;
    const second = await sfn.send(new ListExecutionsCommand({ stateMachineArn, maxResults: 2, nextToken }));
    const third = await sfn.send(
      new ListExecutionsCommand({ stateMachineArn, maxResults: 2, nextToken: second.nextToken }),
    );
    const pages = [first, second, third].map(({ executions }) => executions?.map(({ name }) => name));
    expect(pages).toEqual([["e", "d"], ["c", "b"], ["a"]]);
    expect(third.nextToken).toBeUndefined();
  });

  test("filter executions by status", async () => {
    const { task, release } = held();
    const fixture = await startFixture((payload, context) =>
      context.execution === "stays" ? task(payload, context) : done(payload, context),
    );
    await fixture.start("stays");
    await fixture.start("goes");
    await fixture.end("goes");
    const names = async (statusFilter: "RUNNING" | "SUCCEEDED") => {
      const { executions } = await fixture.sfn.send(
        new ListExecutionsCommand({ stateMachineArn: fixture.stateMachineArn, statusFilter }),
      );
      return executions?.map(({ name }) => name);
    };
    expect(await names("RUNNING")).toEqual(["stays"]);
    expect(await names("SUCCEEDED")).toEqual(["goes"]);
    expect(fixture.endpoint.running()).toBe(1);
    release();
  });

  test("return a history in pages, and in reverse order", async () => {
    const fixture = await startFixture(done);
    const executionArn = await fixture.start("one");
    await fixture.end("one");
    const ids: unknown[] = [];
    for await (const { events } of paginateGetExecutionHistory(
      { client: fixture.sfn, pageSize: 4 },
      { executionArn },
    )) {
      ids.push(events?.map(({ id }) => id));
    }
    expect(ids).toEqual([
      [1, 2, 3, 4],
      [5, 6, 7, 8],
      [9, 10, 11],
    ]);
    const back = await fixture.sfn.send(
      new GetExecutionHistoryCommand({ executionArn, reverseOrder: true, maxResults: 2 }),
    );
    expect(back.events?.map(({ type }) => type)).toEqual(["ExecutionSucceeded", "SucceedStateExited"]);
  });
});

test("the machines are listed and described with their original definitions", async () => {
  const { sfn, stateMachineArn } = await startFixture(done);
  const { stateMachines } = await sfn.send(new ListStateMachinesCommand({}));
  expect(stateMachines).toEqual([{ stateMachineArn, name: "test-machine", type: "STANDARD", creationDate: startedAt }]);
  const described = await sfn.send(new DescribeStateMachineCommand({ stateMachineArn }));
  expect(JSON.parse(described.definition ?? "")).toEqual(definition);
});

test("only the last `maxEnded` ended executions are kept", async () => {
  const fixture = await startFixture(done, { maxEnded: 2 });
  for (const name of ["a", "b", "c"]) {
    await fixture.start(name);
    await fixture.end(name);
  }
  const { executions } = await fixture.sfn.send(
    new ListExecutionsCommand({ stateMachineArn: fixture.stateMachineArn }),
  );
  expect(executions?.map(({ name }) => name)).toEqual(["c", "b"]);
  await expect(fixture.start("a")).resolves.toMatch(/:execution:test-machine:a$/);
});
