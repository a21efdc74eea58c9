import { describe, expect, test } from "vitest";
import type { Environment } from "../../functions/runtime/settings.ts";
import { buildPorts } from "../../functions/runtime/compose-ports.ts";
import { startScriptedServer } from "../adapters/kubernetes/api/scripted-server.ts";
import { imageB } from "../domain/node-pool/pools.ts";
import { type AwsAnswer, type AwsCall, fakeAws } from "../support/aws/aws-services.ts";

const pool = { name: "workers", uid: "pool-1" };
const input = { cluster: "production", pool, previousExecution: "", adopting: false };
const machineArn = "arn:aws:states:eu-west-1:123456789012:stateMachine:node-pool-rollout:live";
const recordArn = "arn:aws:lambda:eu-west-1:123456789012:function:pawl-record-pool:live";
const secretArn = "arn:aws:secretsmanager:eu-west-1:123456789012:secret:kube";

async function portsOn(environment: Environment, answer: (call: AwsCall) => AwsAnswer) {
  const aws = await fakeAws(answer);
  const { maxAttempts: _one, ...options } = aws.options;
  const ports = await buildPorts(environment, "production", { aws: options });
  return { ports, aws, [Symbol.asyncDispose]: () => aws[Symbol.asyncDispose]() };
}

describe("by default", () => {
  test("polls skip node pools, and the digest of a tag is cached for five minutes", async () => {
    expect(await buildPorts({}, "production")).toMatchObject({ nodePoolsEnabled: false, tagCacheSeconds: 300 });
  });

  test("executions cannot be started or described, and the missing setting is reported", async () => {
    const { poolExecutions } = await buildPorts({ PAWL_STATE_MACHINE_ARN: machineArn }, "production");
    await expect(poolExecutions.start("e", input)).rejects.toThrow("PAWL_POOL_MACHINE_ARN is not set");
    await expect(poolExecutions.state("e")).rejects.toThrow("PAWL_POOL_MACHINE_ARN is not set");
  });

  test("no command is sent: each is rejected as Forbidden", async () => {
    const { commands } = await buildPorts({}, "production");
    const rejection = { name: "Forbidden", message: expect.stringContaining("nodePools.runCommand") };
    await expect(commands.send("i-1", { action: "status", image: "" })).rejects.toMatchObject(rejection);
    await expect(commands.result("i-1", "c-1")).rejects.toMatchObject(rejection);
  });

  test("a poll records node pools in its own process", async () => {
    await using cluster = await startScriptedServer(() => ({ code: 200, body: { metadata: {}, items: [] } }));
    const environment = { PAWL_KUBECONFIG_SECRET_ARN: secretArn };
    await using open = await portsOn(environment, () => ({ body: { SecretString: kubeConfigOf(cluster.url) } }));
    await expect(open.ports.poolCheckRecorder.record(pool, null)).rejects.toThrow("node pool workers was deleted");
    expect(open.aws.calls.map(({ operation }) => operation)).toEqual(["GetSecretValue"]);
  });
});

describe("the environment selects", () => {
  test("whether polls evaluate node pools", async () => {
    const environment = { PAWL_NODE_POOLS: "1", PAWL_TAG_CACHE_SECONDS: "60" };
    expect(await buildPorts(environment, "production")).toMatchObject({
      nodePoolsEnabled: true,
      tagCacheSeconds: 60,
    });
  });

  test("the state machine of node pools", async () => {
    const environment = { PAWL_POOL_MACHINE_ARN: machineArn, PAWL_STATE_MACHINE_ARN: "arn:another" };
    await using open = await portsOn(environment, () => ({ body: { executionArn: "arn", startDate: 0 } }));
    expect(await open.ports.poolExecutions.start("e-1", input)).toBe("started");
    expect(open.aws.calls.map(({ operation, body }) => [operation, JSON.parse(body)])).toEqual([
      ["StartExecution", { stateMachineArn: machineArn, name: "e-1", input: JSON.stringify(input) }],
    ]);
  });

  test("the function that records, instead of the cluster", async () => {
    const environment = { PAWL_RECORD_POOL_FUNCTION: recordArn };
    await using open = await portsOn(environment, () => ({ body: { kind: "written", reason: "" } }));
    expect(await open.ports.poolCheckRecorder.record(pool, null)).toBe("recorded");
    expect(open.aws.calls.map(({ operation }) => operation)).toEqual([
      `POST /2015-03-31/functions/${encodeURIComponent(recordArn)}/invocations`,
    ]);
  });

  test("the SSM document of node commands", async () => {
    const environment = { PAWL_COMMAND_DOCUMENT: "pawl-production-bootc-node" };
    await using open = await portsOn(environment, () => ({ body: { Command: { CommandId: "c-1" } } }));
    expect(await open.ports.commands.send("i-0123456789abcdef0", { action: "stage", image: imageB })).toMatchObject({
      kind: "sent",
      id: "c-1",
    });
    expect(open.aws.calls.map(({ operation, body }) => [operation, JSON.parse(body)])).toMatchObject([
      ["SendCommand", { DocumentName: "pawl-production-bootc-node" }],
    ]);
  });
});

test.for([
  { value: "0", kind: "unread", requests: 0 },
  { value: "1", kind: "found", requests: 1 },
])("with PAWL_NODE_POOL_USE_PULL_SECRETS=$value a pull secret is $kind", async ({ value, kind, requests }) => {
  await using cluster = await startScriptedServer(() => ({
    code: 200,
    body: { metadata: {}, type: "Opaque", data: {} },
  }));
  const environment = { PAWL_KUBECONFIG_SECRET_ARN: secretArn, PAWL_NODE_POOL_USE_PULL_SECRETS: value };
  await using open = await portsOn(environment, () => ({ body: { SecretString: kubeConfigOf(cluster.url) } }));
  expect(await open.ports.nodePools.pullSecret({ namespace: "kube-system", name: "pull" })).toMatchObject({ kind });
  expect(cluster.requests).toHaveLength(requests);
});

test("a warm function reads a rotated kubeconfig secret again", async () => {
  await using previous = await startScriptedServer(() => ({ code: 401, body: { kind: "Status", message: "who?" } }));
  await using cluster = await startScriptedServer(() => ({ code: 200, body: { metadata: {}, items: [] } }));
  const kubeconfigs = [previous.url, previous.url, cluster.url].map(kubeConfigOf);
  const environment = { PAWL_KUBECONFIG_SECRET_ARN: secretArn };
  await using open = await portsOn(environment, () => ({ body: { SecretString: kubeconfigs.shift() ?? "" } }));
  await expect(open.ports.nodePools.list()).rejects.toMatchObject({ name: "Forbidden" });
  expect(await open.ports.nodePools.list()).toEqual([]);
  expect([previous.requests.length, cluster.requests.length, kubeconfigs.length]).toEqual([2, 1, 0]);
});

function kubeConfigOf(server: string): string {
  return JSON.stringify({
    clusters: [{ name: "one", cluster: { server, "insecure-skip-tls-verify": true } }],
    users: [{ name: "pawl", user: { token: "t" } }],
    contexts: [{ name: "one", context: { cluster: "one", user: "pawl" } }],
    "current-context": "one",
  });
}
