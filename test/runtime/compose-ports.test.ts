import { setTimeout } from "node:timers/promises";
import type { RecordCheckInput } from "../../functions/ports/check-recorder.ts";
import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { buildPorts, portsFromEnvironment } from "../../functions/runtime/compose-ports.ts";
import { createMemoryMetrics } from "../../functions/adapters/memory-metrics.ts";
import { type AwsCall, fakeAws } from "../support/aws/aws-services.ts";
import { updateInput, workload, updateTarget } from "../support/workloads.ts";

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
  test("load the client of the cluster and no other when they are imported", async () => {
    const files = readdirSync(new URL("../../functions/handlers", import.meta.url));
    expect(files).toContain("poll.ts");
    const script = files.map((file) => `await import("../../functions/handlers/${file}");`).join("\n");
    const loaded = await modulesLoadedBy(script);
    expect(loaded.filter((name) => name.startsWith("@"))).toEqual(["@kubernetes/client-node"]);
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
    expect(loaded.filter((name) => name.startsWith("@"))).toEqual(["@aws-sdk/client-sfn", "@kubernetes/client-node"]);
    expect(aws.calls.map(({ operation }) => operation)).toEqual(["StartExecution"]);
  });
});

describe("a function", () => {
  test.for([
    { ecr: "1", isAsked: true },
    { ecr: "", isAsked: false },
  ])("asks registries for ages and scans with PAWL_ECR only: $isAsked", async ({ ecr, isAsked }) => {
    const { registry } = await buildPorts({ PAWL_ECR: ecr }, "c");
    expect([registry.pushTimes, registry.scanOf].map((method) => method !== undefined)).toEqual([isAsked, isAsked]);
  });

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
    await expect(ports.fanOutExecutions.start("p", {} as never)).rejects.toThrow("PAWL_FANOUT_MACHINE is not set");
    await expect(ports.workList.delete([])).rejects.toThrow("PAWL_WORK_BUCKET is not set");
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
    PAWL_FANOUT_MACHINE: "arn:aws:states:eu-west-1:123456789012:stateMachine:pawl-production-poll-fanout",
    PAWL_WORK_BUCKET: "work",
    PAWL_EVENT_BUS_NAME: "pawl",
  };
  const { maxAttempts: _one, ...options } = aws.options;
  const ports = await buildPorts(environment, "production", { aws: options, metrics: createMemoryMetrics() });
  await expect(ports.cluster.read(ref)).rejects.toMatchObject({ name: "KubeconfigInvalid" });
  await ports.checkRecorder.record(workload(), { kind: "update", target: updateTarget });
  await ports.fanOutExecutions.start("p", {} as never);
  await ports.workList.put({ poll: "p", bucket: 3, chunk: 0 }, Buffer.from("x"));
  await ports.events.publish("Update Started", {} as never);
  expect(aws.calls.map(({ operation }) => operation)).toEqual([
    "GetSecretValue",
    expect.stringContaining("record-check"),
    "StartExecution",
    expect.stringContaining("/work/production/p/3-0.jsonl.gz"),
    "PutEvents",
  ]);
});

test.for([
  { of: "a poll", PAWL_FANOUT_MACHINE: "arn:aws:states:eu-west-1:123456789012:stateMachine:poll-fanout", expected: 4 },
  { of: "a batch, of which sixteen run at a time,", PAWL_FANOUT_MACHINE: "", expected: 1 },
])("the records of $of have at most $expected invocations at a time", async ({ PAWL_FANOUT_MACHINE, expected }) => {
  let [running, most] = [0, 0];
  await using aws = await fakeAws(async ({ body }) => {
    most = Math.max(most, ++running);
    await setTimeout(20);
    running -= 1;
    const { checks } = JSON.parse(body) as RecordCheckInput;
    return { body: { results: checks.map(() => ({ kind: "written", reason: "recorded" })) } };
  });
  const environment = {
    PAWL_RECORD_CHECK_FUNCTION: "arn:aws:lambda:eu-west-1:123456789012:function:record-check:live",
    PAWL_WORK_BUCKET: "work",
    PAWL_FANOUT_MACHINE,
  };
  const ports = await buildPorts(environment, "production", { aws: aws.options, metrics: createMemoryMetrics() });
  const checks = Array.from({ length: 600 }, async (_, index) => {
    await setTimeout(index % 10);
    return ports.checkRecorder.record(workload(), { kind: "update", target: updateTarget });
  });
  expect(new Set(await Promise.all(checks))).toEqual(new Set(["recorded"]));
  expect(most).toBe(expected);
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
  await ports.events.publishPool("Node Pool Degraded", { execution: "e-1", reason: null } as never);
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
