import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
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

function executionsAt(endpoint: string, qualifier = "") {
  const client = new SFNClient({ endpoint, region: "us-east-1", credentials, maxAttempts: 1 });
  onTestFinished(() => client.destroy());
  const stateMachineArn = `arn:aws:states:us-east-1:000000000000:stateMachine:workload-update${qualifier}`;
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
  await expect(executions.listRunning()).rejects.toBeInstanceOf(expected);
});

describe("the list of those that run", () => {
  const page = (names: readonly string[], nextToken?: string) => ({
    status: 200,
    body: { executions: names.map((name) => ({ name, status: "RUNNING" })), nextToken },
  });

  /** Returns executions listed by these answers, one for each page, and the requests. */
  async function listedBy(answers: readonly { readonly status: number; readonly body: object }[]) {
    const requests: unknown[] = [];
    const server = createServer((request, response) => void answer(request, response));
    async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const { status = 500, body = {} } = answers[requests.push(JSON.parse(await text(request))) - 1] ?? {};
      response.writeHead(status, { "content-type": "application/x-amz-json-1.0" }).end(JSON.stringify(body));
    }
    return { executions: executionsAt(await listen(server), ":live"), requests };
  }

  const stateMachineArn = "arn:aws:states:us-east-1:000000000000:stateMachine:workload-update";
  const first = { stateMachineArn, statusFilter: "RUNNING", maxResults: 1000 };

  test("is asked for by the machine, not by the alias, which did not start all", async () => {
    const { executions, requests } = await listedBy([page(["a"])]);
    expect([...(await executions.listRunning()).keys()]).toEqual(["a"]);
    expect(requests).toEqual([first]);
  });

  test("is read to its last page, also after one without executions", async () => {
    const { executions, requests } = await listedBy([page(["a", "b"], "1"), page([], "2"), page(["b", "c"])]);
    expect([...(await executions.listRunning()).keys()]).toEqual(["a", "b", "c"]);
    expect(requests).toEqual([first, { ...first, nextToken: "1" }, { ...first, nextToken: "2" }]);
  });

  test.for([
    { when: "its token expires", type: "InvalidToken" },
    { when: "the role may not read it", type: "AccessDeniedException" },
    { when: "AWS throttles its second page", type: "ThrottlingException", name: "Throttled" },
  ])("is not returned in part if $when", async ({ type, name = type }) => {
    const refusal = { status: 400, body: { __type: type, message: "no" } };
    const { executions } = await listedBy([page(["a"], "1"), refusal]);
    await expect(executions.listRunning()).rejects.toMatchObject({ name });
  });
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
