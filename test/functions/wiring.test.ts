import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { buildPorts, portsFromEnvironment } from "../../functions/wiring.ts";
import { memoryMetrics } from "../../functions/adapters/metrics-memory.ts";
import { type AwsCall, fakeAws } from "../support/aws-services.ts";
import { target, updateInput, workload } from "../support/workloads.ts";

const run = promisify(execFile);
const { ref } = workload();
const step = { ...updateInput, execution: "e-1" };

/** The clients that a fresh process has loaded when it has come to its end. */
async function clientsLoadedBy(script: string, environment: Readonly<Record<string, string>> = {}) {
  const preload = new URL("note-clients.ts", import.meta.url).href;
  const args = ["--import", preload, "--input-type=module", "--eval", script];
  const env = { ...environment, PATH: process.env["PATH"] };
  const { stdout } = await run(process.execPath, args, { cwd: new URL(".", import.meta.url), env });
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as string[];
}

describe("clients", () => {
  test("none is loaded by importing handlers, every one of them", async () => {
    const files = readdirSync(new URL("../../functions/handlers", import.meta.url));
    expect(files).toContain("poll.ts");
    const script = files.map((file) => `await import("../../functions/handlers/${file}");`).join("\n");
    expect(await clientsLoadedBy(script)).toEqual([]);
  });

  test("only that of Step Functions is loaded by handing over", async () => {
    const arn = "arn:aws:states:eu-west-1:123456789012:stateMachine:workload-update";
    await using aws = await fakeAws(() => ({ body: { executionArn: arn, startDate: 0 } }));
    const script = `const { handler } = await import("../../functions/handlers/hand-over.ts");
      await handler(${JSON.stringify(step)});`;
    const environment = {
      AWS_REGION: "eu-west-1",
      AWS_ACCESS_KEY_ID: "a",
      AWS_SECRET_ACCESS_KEY: "b",
      AWS_ENDPOINT_URL: aws.options.endpoint,
      PAWL_STATE_MACHINE_ARN: arn,
    };
    expect(await clientsLoadedBy(script, environment)).toEqual(["@aws-sdk/client-sfn"]);
    expect(aws.calls.map(({ operation }) => operation)).toEqual(["StartExecution"]);
  });
});

describe("a function", () => {
  test("serves the cluster of PAWL_CLUSTER and refuses others", async () => {
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

  test("says what is missing where it is needed, and not before", async () => {
    const ports = await buildPorts({}, "production");
    await expect(ports.executions.start("e", updateInput)).rejects.toThrow("PAWL_STATE_MACHINE_ARN is not set");
    await expect(ports.events.publish("Update Started", {} as never)).rejects.toThrow("PAWL_EVENT_BUS_NAME is not set");
    await expect(ports.polls.goOn({} as never)).rejects.toThrow("PAWL_POLL_FUNCTION is not set");
  });
});

/** Every service at once: a kubeconfig and a docker config in Secrets Manager, a bus, and a function. */
function everything({ operation, body }: AwsCall, kubeconfig: string) {
  if (operation === "GetSecretValue") return { body: { SecretString: body.includes("kube") ? kubeconfig : "{}" } };
  return { body: { kind: "written", FailedEntryCount: 0, Entries: [] } };
}

test("the environment leads to Secrets Manager, Lambda and EventBridge", async () => {
  await using aws = await fakeAws((call) => everything(call, "not a kubeconfig"));
  const arn = (name: string) => `arn:aws:secretsmanager:eu-west-1:123456789012:secret:${name}`;
  const environment = {
    PAWL_KUBECONFIG_SECRET_ARN: arn("kube"),
    PAWL_REGISTRY_SECRET_ARN: arn("registries"),
    PAWL_RECORD_CHECK_FUNCTION: "arn:aws:lambda:eu-west-1:123456789012:function:record-check:live",
    PAWL_POLL_FUNCTION: "arn:aws:lambda:eu-west-1:123456789012:function:poll:live",
    PAWL_EVENT_BUS_NAME: "pawl",
  };
  const { maxAttempts: _one, ...options } = aws.options;
  const ports = await buildPorts(environment, "production", { aws: options, metrics: memoryMetrics() });
  await expect(ports.cluster.read(ref)).rejects.toMatchObject({ name: "KubeconfigInvalid" });
  await ports.checks.record(workload(), { kind: "update", version: "1.1.0", image: target });
  await ports.polls.goOn({} as never);
  await ports.events.publish("Update Started", {} as never);
  expect(aws.calls.map(({ operation }) => operation)).toEqual([
    "GetSecretValue",
    expect.stringContaining("record-check"),
    expect.stringContaining("function%3Apoll%3Alive"),
    "PutEvents",
  ]);
});

test.for([
  { told: {}, asked: ["GET /clusters/production"] },
  { told: { PAWL_EKS_ENDPOINT: "https://127.0.0.1:1" }, asked: ["GET /clusters/production"] },
  { told: { PAWL_EKS_ENDPOINT: "https://127.0.0.1:1", PAWL_EKS_CA: "UEVN" }, asked: [] },
])("told $told, it asks EKS $asked where the cluster is, once", async ({ told, asked }) => {
  const described = { endpoint: "https://127.0.0.1:1", certificateAuthority: { data: "UEVN" } };
  await using aws = await fakeAws(() => ({ body: { cluster: described } }));
  const { maxAttempts: _one, ...options } = aws.options;
  const environment = { PAWL_EKS_CLUSTER: "production", PAWL_EKS_REGION: "eu-west-1", ...told };
  const ports = await buildPorts(environment, "production", { aws: options });
  const reads = await Promise.allSettled([ports.cluster.read(ref), ports.cluster.read(ref)]);
  expect(reads.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(aws.calls.map(({ operation }) => operation)).toEqual(asked);
});

test("metrics go to the log unless told otherwise", async () => {
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  const ports = await buildPorts({ POWERTOOLS_METRICS_NAMESPACE: "Mine" }, "production");
  ports.metrics.record("pawl_polls_total", 1, {});
  ports.metrics.flush();
  expect(JSON.parse(String(write.mock.calls[0]?.[0]))).toMatchObject({ cluster: "production", pawl_polls_total: 1 });
});
