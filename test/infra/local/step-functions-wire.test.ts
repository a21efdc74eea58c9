import {
  DescribeExecutionCommand,
  DescribeStateMachineCommand,
  GetExecutionHistoryCommand,
  ListExecutionsCommand,
  ListStateMachinesCommand,
  ListActivitiesCommand,
  SFNServiceException,
  StartExecutionCommand,
  StopExecutionCommand,
  paginateGetExecutionHistory,
  type SFNClient,
} from "@aws-sdk/client-sfn";
import { describe, expect, test } from "vitest";
import { definition, done, held, startedAt, startFixture, type Fixture } from "./step-functions-fixture.ts";

async function start({ sfn, stateMachineArn }: Fixture, name: string, input = '{"job":1}') {
  return sfn.send(new StartExecutionCommand({ stateMachineArn, name, input }));
}

const machineArn = "arn:aws:states:us-east-1:000000000000:stateMachine:test-machine";
const nowhere = machineArn.replace("test-machine", "nowhere");
const unknownRun = "arn:aws:states:us-east-1:000000000000:execution:test-machine:unknown";

describe("errors reach the SDK under their own names", () => {
  test.for<{ name: string; when: string; send: (sfn: SFNClient) => Promise<unknown> }>([
    {
      name: "StateMachineDoesNotExist",
      when: "the machine is unknown",
      send: (sfn) => sfn.send(new StartExecutionCommand({ stateMachineArn: nowhere })),
    },
    {
      name: "StateMachineDoesNotExist",
      when: "an unknown machine is listed",
      send: (sfn) => sfn.send(new ListExecutionsCommand({ stateMachineArn: nowhere })),
    },
    {
      name: "InvalidArn",
      when: "the machine's ARN is none",
      send: (sfn) => sfn.send(new StartExecutionCommand({ stateMachineArn: "test-machine" })),
    },
    {
      name: "InvalidArn",
      when: "an execution's ARN is a machine's",
      send: (sfn) => sfn.send(new DescribeExecutionCommand({ executionArn: machineArn })),
    },
    {
      name: "InvalidName",
      when: "a name is 81 long",
      send: (sfn) => sfn.send(new StartExecutionCommand({ stateMachineArn: machineArn, name: "n".repeat(81) })),
    },
    {
      name: "InvalidName",
      when: "a name has a slash",
      send: (sfn) => sfn.send(new StartExecutionCommand({ stateMachineArn: machineArn, name: "a/b" })),
    },
    {
      name: "InvalidName",
      when: "a name has a space",
      send: (sfn) => sfn.send(new StartExecutionCommand({ stateMachineArn: machineArn, name: "a b" })),
    },
    {
      name: "InvalidExecutionInput",
      when: "the input is not JSON",
      send: (sfn) => sfn.send(new StartExecutionCommand({ stateMachineArn: machineArn, input: "{" })),
    },
    {
      name: "ValidationException",
      when: "the input is too large",
      send: (sfn) =>
        sfn.send(new StartExecutionCommand({ stateMachineArn: machineArn, input: `"${"x".repeat(262_144)}"` })),
    },
    {
      name: "ValidationException",
      when: "a required field is missing",
      send: (sfn) => sfn.send(new StartExecutionCommand({ stateMachineArn: undefined })),
    },
    {
      name: "ValidationException",
      when: "a page is too large",
      send: (sfn) => sfn.send(new ListExecutionsCommand({ stateMachineArn: machineArn, maxResults: 1001 })),
    },
    {
      name: "ValidationException",
      when: "a status is none",
      send: (sfn) =>
        sfn.send(new ListExecutionsCommand({ stateMachineArn: machineArn, statusFilter: "LOST" as "FAILED" })),
    },
    {
      name: "InvalidToken",
      when: "a token is not one of ours",
      send: (sfn) => sfn.send(new ListExecutionsCommand({ stateMachineArn: machineArn, nextToken: "garbage" })),
    },
    {
      name: "ExecutionDoesNotExist",
      when: "an unknown execution is described",
      send: (sfn) => sfn.send(new DescribeExecutionCommand({ executionArn: unknownRun })),
    },
    {
      name: "ExecutionDoesNotExist",
      when: "an unknown execution is stopped",
      send: (sfn) => sfn.send(new StopExecutionCommand({ executionArn: unknownRun })),
    },
    {
      name: "ExecutionDoesNotExist",
      when: "an unknown execution's history is read",
      send: (sfn) => sfn.send(new GetExecutionHistoryCommand({ executionArn: unknownRun })),
    },
    {
      name: "UnknownOperationException",
      when: "an operation is not served",
      send: (sfn) => sfn.send(new ListActivitiesCommand({})),
    },
  ])("$name, when $when", async ({ name, send }) => {
    const { sfn } = await startFixture(done);
    const error = await send(sfn).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(SFNServiceException);
    expect(error).toMatchObject({ name, $metadata: { httpStatusCode: 400 } });
  });
});

describe("StartExecution", () => {
  test("is the same start for the same name and input while it runs", async () => {
    const { task, release } = held();
    const fixture = await startFixture(task);
    const [first, second] = [await start(fixture, "twin"), await start(fixture, "twin")];
    expect(second).toMatchObject({ executionArn: first.executionArn, startDate: first.startDate });
    release();
    await fixture.end("twin");
    expect(fixture.changes.filter(({ type }) => type === "ExecutionStarted")).toHaveLength(1);
  });

  test.for([
    { when: "the input is another", ended: false, input: '{"job":2}' },
    { when: "the execution has ended", ended: true, input: '{"job":1}' },
  ])("is refused where $when", async ({ ended, input }) => {
    const { task, release } = held();
    const fixture = await startFixture(task);
    await start(fixture, "taken");
    if (ended) {
      release();
      await fixture.end("taken");
    }
    await expect(start(fixture, "taken", input)).rejects.toMatchObject({ name: "ExecutionAlreadyExists" });
    release();
  });

  test("takes the machine's ARN with an alias, and makes up a name where none is given", async () => {
    const { sfn, stateMachineArn } = await startFixture(done);
    const started = await sfn.send(
      new StartExecutionCommand({ stateMachineArn: `${stateMachineArn}:live`, input: '{"job":1}' }),
    );
    expect(started.executionArn).toMatch(/:execution:test-machine:[0-9a-f-]{36}$/);
    expect(started.startDate).toEqual(startedAt);
  });
});

test("DescribeExecution tells a running one from an ended one, and keeps the input to the byte", async () => {
  const { task, release } = held();
  const fixture = await startFixture(task);
  const { executionArn } = await start(fixture, "one", '{ "job" : 1 }');
  const running = await fixture.sfn.send(new DescribeExecutionCommand({ executionArn }));
  expect(running).toMatchObject({ status: "RUNNING", name: "one", input: '{ "job" : 1 }', startDate: startedAt });
  expect(running).not.toHaveProperty("stopDate");
  expect(running).not.toHaveProperty("output");
  release();
  await fixture.end("one");
  const ended = await fixture.sfn.send(new DescribeExecutionCommand({ executionArn }));
  expect(ended).toMatchObject({ status: "SUCCEEDED", stopDate: startedAt, output: expect.any(String) });
});

test("StopExecution aborts at once, and leaves an ended one as it ended", async () => {
  const { task, release } = held();
  const fixture = await startFixture(task);
  const { executionArn } = await start(fixture, "one");
  await fixture.sfn.send(new StopExecutionCommand({ executionArn, error: "Operator", cause: "enough" }));
  const again = await fixture.sfn.send(new StopExecutionCommand({ executionArn, error: "Other" }));
  const found = await fixture.sfn.send(new DescribeExecutionCommand({ executionArn }));
  expect(found).toMatchObject({ status: "ABORTED", error: "Operator", cause: "enough", stopDate: again.stopDate });
  release();
});

describe("lists", () => {
  test("give executions newest first, in pages that neither repeat nor miss one started in between", async () => {
    const fixture = await startFixture(done);
    const { sfn, stateMachineArn } = fixture;
    for (const name of ["a", "b", "c", "d", "e"]) await start(fixture, name);
    const first = await sfn.send(new ListExecutionsCommand({ stateMachineArn, maxResults: 2 }));
    await start(fixture, "f");
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
    await start(fixture, "stays");
    await start(fixture, "goes");
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

  test("give a history in pages, and backwards", async () => {
    const fixture = await startFixture(done);
    const { executionArn } = await start(fixture, "one");
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

test("the machines can be listed and described as their files have them", async () => {
  const { sfn, stateMachineArn } = await startFixture(done);
  const { stateMachines } = await sfn.send(new ListStateMachinesCommand({}));
  expect(stateMachines).toEqual([{ stateMachineArn, name: "test-machine", type: "STANDARD", creationDate: startedAt }]);
  const described = await sfn.send(new DescribeStateMachineCommand({ stateMachineArn }));
  expect(JSON.parse(described.definition ?? "")).toEqual(definition);
});

test("the executions that ended first are forgotten beyond the bound", async () => {
  const fixture = await startFixture(done, { keepEnded: 2 });
  for (const name of ["a", "b", "c"]) {
    await start(fixture, name);
    await fixture.end(name);
  }
  const { executions } = await fixture.sfn.send(
    new ListExecutionsCommand({ stateMachineArn: fixture.stateMachineArn }),
  );
  expect(executions?.map(({ name }) => name)).toEqual(["c", "b"]);
  await expect(start(fixture, "a")).resolves.toMatchObject({ executionArn: expect.any(String) });
});

test("another host's name is not answered", async () => {
  const { request } = await import("node:http");
  const { endpoint } = await startFixture(done);
  const headers = { host: "evil.example", "x-amz-target": "AWSStepFunctions.ListStateMachines" };
  const status = await new Promise((resolve, reject) => {
    request(endpoint.url, { method: "POST", headers }, (response) => resolve(response.resume().statusCode))
      .on("error", reject)
      .end("{}");
  });
  expect(status).toBe(403);
});
