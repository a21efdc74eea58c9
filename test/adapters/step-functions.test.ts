import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { SFNClient } from "@aws-sdk/client-sfn";
import { describe, expect, onTestFinished, test } from "vitest";
import { Throttled, Unreachable } from "../../functions/adapters/errors.ts";
import { stepFunctionsExecutions } from "../../functions/adapters/step-functions.ts";
import type { TaskFunction } from "../../infra/local/step-functions/invoke.ts";
import { executionsContract, input } from "../contracts/executions.ts";
import { credentials, startFixture } from "../infra/local/step-functions-fixture.ts";

const forever = {
  StartAt: "Run",
  States: {
    Run: {
      Type: "Task",
      Resource: "arn:aws:states:::lambda:invoke",
      Parameters: { FunctionName: "run", Payload: { "image.$": "$.image" } },
      End: true,
    },
  },
};

async function prepare(qualifier = "") {
  const gates = new Map<string, PromiseWithResolvers<unknown>>();
  const gateOf = (name: string) => gates.get(name) ?? gates.set(name, Promise.withResolvers()).get(name);
  const run: TaskFunction = async (_payload, { execution }) => gateOf(execution)?.promise;
  const machines = { "workload-update": { definition: forever, tasks: { Run: run } } };
  const { endpoint, sfn, end } = await startFixture(run, { machines });
  const stateMachineArn = endpoint.stateMachineArn("workload-update") + qualifier;
  onTestFinished(() => gates.forEach(({ resolve }) => resolve(null)));
  return {
    executions: stepFunctionsExecutions({ client: sfn, stateMachineArn }),
    async finish(name: string) {
      gateOf(name)?.resolve(null);
      await end(name);
    },
  };
}

executionsContract(() => prepare());

describe("by an alias of the machine", () => {
  executionsContract(() => prepare(":live"));
});

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function against(endpoint: string) {
  const client = new SFNClient({ endpoint, region: "us-east-1", credentials, maxAttempts: 1 });
  onTestFinished(() => client.destroy());
  const stateMachineArn = "arn:aws:states:us-east-1:000000000000:stateMachine:workload-update";
  return stepFunctionsExecutions({ client, stateMachineArn });
}

test.for([
  { status: 400, type: "ThrottlingException", becomes: Throttled },
  { status: 400, type: "ExecutionLimitExceeded", becomes: Throttled },
  { status: 429, type: "TooManyRequestsException", becomes: Throttled },
  { status: 500, type: "InternalFailure", becomes: Unreachable },
  { status: 503, type: "ServiceUnavailable", becomes: Unreachable },
])("$type ($status) becomes $becomes.name", async ({ status, type, becomes }) => {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status, { "content-type": "application/x-amz-json-1.0" });
    response.end(JSON.stringify({ __type: type, message: "no" }));
  });
  const executions = against(await listen(server));
  await expect(executions.start("a", input)).rejects.toBeInstanceOf(becomes);
  await expect(executions.state("a")).rejects.toBeInstanceOf(becomes);
});

test("a closed port and a connection that breaks are Unreachable", async () => {
  const server = createServer((request) => request.socket.destroy());
  const url = await listen(server);
  await expect(against(url).state("a")).rejects.toBeInstanceOf(Unreachable);
  await new Promise((closed) => server.close(closed));
  await expect(against(url).state("a")).rejects.toBeInstanceOf(Unreachable);
});

test("what is neither passes as it is", async () => {
  const { executions } = await prepare();
  await expect(executions.start("a name", input)).rejects.toMatchObject({ name: "InvalidName" });
});
