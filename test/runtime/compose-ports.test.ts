import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { buildPorts, portsFromEnvironment } from "../../functions/runtime/compose-ports.ts";
import { createMemoryMetrics } from "../../functions/adapters/memory-metrics.ts";
import { type AwsCall, fakeAws } from "../support/aws-services.ts";
import { target, updateInput, workload } from "../support/workloads.ts";

const run = promisify(execFile);
const { ref } = workload();
const step = { ...updateInput, execution: "e-1" };

/** Returns which clients, adapters and composition roots a new process loads. */
async function modulesLoadedBy(script: string, environment: Readonly<Record<string, string>> = {}) {
  const preload = new URL("record-loaded-modules.ts", import.meta.url).href;
  const args = ["--import", preload, "--input-type=module", "--eval", script];
  const env = { ...environment, PATH: process.env["PATH"] };
  const { stdout } = await run(process.execPath, args, { cwd: new URL(".", import.meta.url), env });
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as string[];
}

describe("handlers", () => {
  test("load no composition root, adapter or client when they are imported", async () => {
    const files = readdirSync(new URL("../../functions/handlers", import.meta.url));
    expect(files).toContain("poll.ts");
    const script = files.map((file) => `await import("../../functions/handlers/${file}");`).join("\n");
    expect(await modulesLoadedBy(script)).toEqual([]);
  });

  test("load only the client that they use", async () => {
    const arn = "arn:aws:states:eu-west-1:123456789012:stateMachine:workload-update";
    await using aws = await fakeAws(() => ({ body: { executionArn: arn, startDate: 0 } }));
    const script = `const { handler } = await import("../../functions/handlers/continue-as-new.ts");
      await handler(${JSON.stringify(step)});`;
    const environment = {
      AWS_REGION: "eu-west-1",
      AWS_ACCESS_KEY_ID: "a",
      AWS_SECRET_ACCESS_KEY: "b",
      AWS_ENDPOINT_URL: aws.options.endpoint,
      PAWL_STATE_MACHINE_ARN: arn,
    };
    const loaded = await modulesLoadedBy(script, environment);
    expect(loaded.filter((name) => name.startsWith("@"))).toEqual(["@aws-sdk/client-sfn"]);
    expect(loaded).toContain("runtime/compose-ports");
    expect(aws.calls.map(({ operation }) => operation)).toEqual(["StartExecution"]);
  });
});

describe("a function", () => {
  test("serves only the cluster of PAWL_CLUSTER", async () => {
    const environment = { PAWL_CLUSTER: "production" };
    expect((await portsFromEnvironment(environment, "production")).cluster.name).toBe("production");
    await expect(portsFromEnvironment(environment, "staging")).rejects.toMatchObject({
      name: "InputInvalid",
      message: 'cluster "staging": this function serves "production" only',
    });
  });

  test("keeps its ports while it is warm", async () => {
    const ports = await portsFromEnvironment({}, "warm");
    expect(await portsFromEnvironment({}, "warm")).toBe(ports);
  });

  test("reports a missing setting when it is used", async () => {
    const ports = await buildPorts({}, "production");
    await expect(ports.executions.start("e", updateInput)).rejects.toThrow("PAWL_STATE_MACHINE_ARN is not set");
    await expect(ports.pollContinuations.invokeNext({} as never)).rejects.toThrow("PAWL_POLL_FUNCTION is not set");
  });
});

/** Answers for all services: a kubeconfig and a docker config in Secrets Manager, a bus, and a function. */
function answerFor({ operation, body }: AwsCall, kubeconfig: string) {
  if (operation === "GetSecretValue") return { body: { SecretString: body.includes("kube") ? kubeconfig : "{}" } };
  return { body: { results: [{ kind: "written", reason: "recorded" }], FailedEntryCount: 0, Entries: [] } };
}

test("the environment selects the secrets, functions and bus", async () => {
  await using aws = await fakeAws((call) => answerFor(call, "not a kubeconfig"));
  const arn = (name: string) => `arn:aws:secretsmanager:eu-west-1:123456789012:secret:${name}`;
  const environment = {
    PAWL_KUBECONFIG_SECRET_ARN: arn("kube"),
    PAWL_REGISTRY_SECRET_ARN: arn("registries"),
    PAWL_RECORD_CHECK_FUNCTION: "arn:aws:lambda:eu-west-1:123456789012:function:record-check:live",
    PAWL_POLL_FUNCTION: "arn:aws:lambda:eu-west-1:123456789012:function:poll:live",
    PAWL_EVENT_BUS_NAME: "pawl",
  };
  const { maxAttempts: _one, ...options } = aws.options;
  const ports = await buildPorts(environment, "production", { aws: options, metrics: createMemoryMetrics() });
  await expect(ports.cluster.read(ref)).rejects.toMatchObject({ name: "KubeconfigInvalid" });
  await ports.checkRecorder.record(workload(), { kind: "update", version: "1.1.0", image: target });
  await ports.pollContinuations.invokeNext({} as never);
  await ports.events.publish("Update Started", {} as never);
  expect(aws.calls.map(({ operation }) => operation)).toEqual([
    "GetSecretValue",
    expect.stringContaining("record-check"),
    expect.stringContaining("function%3Apoll%3Alive"),
    "PutEvents",
  ]);
});

test.for([
  {
    bus: "denies",
    reply: { status: 400, body: { __type: "AccessDeniedException" } },
    failure: "AccessDeniedException",
  },
  { bus: "fails", reply: { status: 500, body: {} }, failure: "Unreachable" },
  {
    bus: "rejects the event",
    reply: { body: { FailedEntryCount: 1, Entries: [{ ErrorCode: "MalformedDetail" }] } },
    failure: "EventRejected",
  },
  { bus: "hangs up", reply: "hang up" as const, failure: "Unreachable" },
])("if the bus $bus, the event is lost, and nothing else", async ({ reply, failure }) => {
  await using aws = await fakeAws(() => reply);
  const warnings: object[] = [];
  const metrics = createMemoryMetrics();
  const warn = (message: string, about: object) => void warnings.push({ message, ...about });
  const ports = await buildPorts({ PAWL_EVENT_BUS_NAME: "pawl" }, "production", { aws: aws.options, metrics, warn });
  await ports.events.publish("Update Started", { execution: "e-1" } as never);
  await ports.events.publishPool("Node Pool Degraded", { execution: "e-1" } as never);
  expect(warnings).toMatchObject([
    { message: "event lost", sink: "bus", type: "Update Started", execution: "e-1", failure },
    { message: "event lost", sink: "bus", type: "Node Pool Degraded", execution: "e-1", failure },
  ]);
  expect(metrics.pending).toHaveLength(2);
});

test.for([
  { set: {}, calls: ["GET /clusters/production"] },
  { set: { PAWL_EKS_ENDPOINT: "https://127.0.0.1:1" }, calls: ["GET /clusters/production"] },
  { set: { PAWL_EKS_ENDPOINT: "https://127.0.0.1:1", PAWL_EKS_CA: "UEVN" }, calls: [] },
])("with $set it calls $calls of EKS once", async ({ set, calls }) => {
  const described = { endpoint: "https://127.0.0.1:1", certificateAuthority: { data: "UEVN" } };
  await using aws = await fakeAws(() => ({ body: { cluster: described } }));
  const { maxAttempts: _one, ...options } = aws.options;
  const environment = { PAWL_EKS_CLUSTER: "production", PAWL_EKS_REGION: "eu-west-1", ...set };
  const ports = await buildPorts(environment, "production", { aws: options });
  const reads = await Promise.allSettled([ports.cluster.read(ref), ports.cluster.read(ref)]);
  expect(reads.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(aws.calls.map(({ operation }) => operation)).toEqual(calls);
});

test("metrics are written to the log by default", async () => {
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  const ports = await buildPorts({ POWERTOOLS_METRICS_NAMESPACE: "Mine" }, "production");
  ports.metrics.record("pawl_polls_total", 1, {});
  ports.metrics.flush();
  expect(JSON.parse(String(write.mock.calls[0]?.[0]))).toMatchObject({ cluster: "production", pawl_polls_total: 1 });
});
