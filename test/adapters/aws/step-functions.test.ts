import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { SFNClient } from "@aws-sdk/client-sfn";
import { describe, expect, onTestFinished, test } from "vitest";
import { Throttled, Unreachable } from "../../../functions/ports/errors.ts";
import { createStepFunctionsExecutions } from "../../../functions/adapters/aws/step-functions.ts";
import type { TaskFunction } from "../../../infra/local/step-functions/invoke.ts";
import { executionsContract, input } from "../../contracts/executions.ts";
import { credentials, startFixture } from "../../infra/local/step-functions-fixture.ts";

const forever = {
  StartAt: "Run",
  States: {
    Run: {
      Type: "Task",
      Resource: "arn:aws:states:::lambda:invoke",
      Parameters: { FunctionName: "run", Payload: { "target.$": "$.target" } },
      End: true,
    },
  },
};

async function prepare(qualifier = "") {
  const gates = new Map<string, PromiseWithResolvers<unknown>>();
  const gateFor = (name: string) => gates.get(name) ?? gates.set(name, Promise.withResolvers()).get(name);
  const run: TaskFunction = async (_payload, { execution }) => gateFor(execution)?.promise;
  const machines = { "workload-update": { definition: forever, tasks: { Run: run } } };
  const { endpoint, sfn, end } = await startFixture(run, { machines });
  const stateMachineArn = endpoint.stateMachineArn("workload-update") + qualifier;
  onTestFinished(() => gates.forEach(({ resolve }) => resolve(null)));
  return {
    executions: createStepFunctionsExecutions({ client: sfn, stateMachineArn }),
    async finish(name: string) {
      gateFor(name)?.resolve(null);
      await end(name);
    },
  };
}

executionsContract(() => prepare());

describe("with an alias of the state machine", () => {
  executionsContract(() => prepare(":live"));
});

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function executionsAt(endpoint: string) {
  const client = new SFNClient({ endpoint, region: "us-east-1", credentials, maxAttempts: 1 });
  onTestFinished(() => client.destroy());
  const stateMachineArn = "arn:aws:states:us-east-1:000000000000:stateMachine:workload-update";
  return createStepFunctionsExecutions({ client, stateMachineArn });
}

test.for([
  { status: 400, type: "ThrottlingException", expected: Throttled },
  { status: 400, type: "ExecutionLimitExceeded", expected: Throttled },
  { status: 429, type: "TooManyRequestsException", expected: Throttled },
  { status: 500, type: "InternalFailure", expected: Unreachable },
  { status: 503, type: "ServiceUnavailable", expected: Unreachable },
])("$type ($status) is mapped to $expected.name", async ({ status, type, expected }) => {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status, { "content-type": "application/x-amz-json-1.0" });
    response.end(JSON.stringify({ __type: type, message: "no" }));
  });
  const executions = executionsAt(await listen(server));
  await expect(executions.start("a", input)).rejects.toBeInstanceOf(expected);
  await expect(executions.state("a")).rejects.toBeInstanceOf(expected);
});

test("a refused and a closed connection are Unreachable", async () => {
  const server = createServer((request) => request.socket.destroy());
  const url = await listen(server);
  await expect(executionsAt(url).state("a")).rejects.toBeInstanceOf(Unreachable);
  await new Promise((closed) => server.close(closed));
  await expect(executionsAt(url).state("a")).rejects.toBeInstanceOf(Unreachable);
});

test("any other error is thrown unchanged", async () => {
  const { executions } = await prepare();
  await expect(executions.start("a name", input)).rejects.toMatchObject({ name: "InvalidName" });
});
