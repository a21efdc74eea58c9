import { request } from "node:http";
import { SFN, SFNServiceException } from "@aws-sdk/client-sfn";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { startAwsEndpoint } from "../../../infra/local/runtime/aws-endpoint.ts";
import { credentials, definition, done, startedAt } from "./step-functions-fixture.ts";

const stateMachineArn = "arn:aws:states:us-east-1:000000000000:stateMachine:test-machine";
const nowhere = stateMachineArn.replace("test-machine", "nowhere");
const executionArn = "arn:aws:states:us-east-1:000000000000:execution:test-machine:unknown";
const large = JSON.stringify("x".repeat(262_144));

const endpoint = await startAwsEndpoint({
  machines: { "test-machine": { definition, tasks: { Work: done } } },
  now: () => startedAt,
  waitScale: 0,
  accessKeyId: credentials.accessKeyId,
});
afterAll(() => endpoint.close());

describe("the SDK receives errors by their names", () => {
  test.for<{ name: string; when: string; send: (sfn: SFN) => Promise<unknown> }>([
    {
      name: "StateMachineDoesNotExist",
      when: "the machine is unknown",
      send: (sfn) => sfn.startExecution({ stateMachineArn: nowhere }),
    },
    {
      name: "StateMachineDoesNotExist",
      when: "an unknown machine is listed",
      send: (sfn) => sfn.listExecutions({ stateMachineArn: nowhere }),
    },
    {
      name: "InvalidArn",
      when: "the machine's ARN is invalid",
      send: (sfn) => sfn.startExecution({ stateMachineArn: "test-machine" }),
    },
    {
      name: "InvalidArn",
      when: "an execution's ARN is that of a machine",
      send: (sfn) => sfn.describeExecution({ executionArn: stateMachineArn }),
    },
    ...["n".repeat(81), "", "a/b", "a b", "a\u0007b", "a$b"].map((name) => ({
      name: "InvalidName",
      when: `a name is ${JSON.stringify(name)}`,
      send: (sfn: SFN) => sfn.startExecution({ stateMachineArn, name }),
    })),
    {
      name: "InvalidExecutionInput",
      when: "the input is not JSON",
      send: (sfn) => sfn.startExecution({ stateMachineArn, input: "{" }),
    },
    {
      name: "ValidationException",
      when: "the input is too large",
      send: (sfn) => sfn.startExecution({ stateMachineArn, input: large }),
    },
    {
      name: "ValidationException",
      when: "a required field is missing",
      send: (sfn) => sfn.startExecution({ stateMachineArn: undefined }),
    },
    {
      name: "ValidationException",
      when: "a page is too large",
      send: (sfn) => sfn.listExecutions({ stateMachineArn, maxResults: 1001 }),
    },
    {
      name: "ValidationException",
      when: "a status is invalid",
      send: (sfn) => sfn.listExecutions({ stateMachineArn, statusFilter: "LOST" as "FAILED" }),
    },
    {
      name: "InvalidToken",
      when: "a token is invalid",
      send: (sfn) => sfn.listExecutions({ stateMachineArn, nextToken: "garbage" }),
    },
    {
      name: "ExecutionDoesNotExist",
      when: "an unknown execution is described",
      send: (sfn) => sfn.describeExecution({ executionArn }),
    },
    {
      name: "ExecutionDoesNotExist",
      when: "an unknown execution is stopped",
      send: (sfn) => sfn.stopExecution({ executionArn }),
    },
    {
      name: "ExecutionDoesNotExist",
      when: "an unknown execution's history is read",
      send: (sfn) => sfn.getExecutionHistory({ executionArn }),
    },
    { name: "UnknownOperationException", when: "an operation is not supported", send: (sfn) => sfn.listActivities({}) },
  ])("$name, when $when", async ({ name, send }) => {
    const sfn = new SFN({ endpoint: endpoint.url, region: "us-east-1", credentials, maxAttempts: 1 });
    onTestFinished(() => sfn.destroy());
    const error = await send(sfn).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(SFNServiceException);
    expect(error).toMatchObject({ name, $metadata: { httpStatusCode: 400 } });
  });
});

test("the error for another access key says what to set", async () => {
  const other = { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "secret" };
  const sfn = new SFN({ endpoint: endpoint.url, region: "us-east-1", credentials: other, maxAttempts: 1 });
  onTestFinished(() => sfn.destroy());
  const error = await sfn.startExecution({ stateMachineArn }).catch((caught: unknown) => caught);
  expect(error).toMatchObject({
    name: "UnrecognizedClientException",
    message: expect.stringContaining("AWS_ACCESS_KEY_ID"),
    $metadata: { httpStatusCode: 403 },
  });
});

test("an endpoint has a random access key of its own", async () => {
  const keys = await Promise.all(
    [1, 2].map(async () => {
      const one = await startAwsEndpoint({ machines: {}, now: () => startedAt, waitScale: 0 });
      onTestFinished(() => one.close());
      return one.credentials.accessKeyId;
    }),
  );
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(keys[0]).not.toBe(keys[1]);
});

test.for([
  { when: "its Host header is not a loopback name", headers: { host: "evil.example" }, body: "{}", status: 403 },
  { when: "it has no target", headers: { "x-amz-target": "" }, body: "{}", status: 400 },
  { when: "its body is not JSON", headers: {}, body: "{", status: 400 },
  { when: "its body is not an object", headers: {}, body: "[]", status: 400 },
  { when: "it is not signed", headers: { authorization: "" }, body: "{}", status: 403 },
  { when: "it names no access key", headers: { authorization: "Credential=" }, body: "{}", status: 403 },
  {
    when: "it names the start of the access key",
    headers: { authorization: "Credential=loca/x" },
    body: "{}",
    status: 403,
  },
  { when: "it is valid", headers: {}, body: "{}", status: 200 },
  { when: "its body is too large", headers: {}, body: " ".repeat(3 * 1024 * 1024), status: 413 },
])("a request gets $status if $when", async ({ headers, body, status }) => {
  const authorization = `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/20261120/local/states/aws4_request`;
  const target = { "x-amz-target": "AWSStepFunctions.ListStateMachines" };
  const options = { method: "POST", headers: { ...target, authorization, ...headers } };
  const statusCode = await new Promise((resolve, reject) => {
    request(endpoint.url, options, (response) => resolve(response.resume().statusCode))
      .on("error", reject)
      .end(body);
  });
  expect(statusCode).toBe(status);
});
