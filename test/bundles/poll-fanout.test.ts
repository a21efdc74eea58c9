import type { ChildProcess } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { S3Client } from "@aws-sdk/client-s3";
import { KubeConfig, KubernetesObjectApi } from "@kubernetes/client-node";
import { expect, onTestFinished, test } from "vitest";
import { type LambdaOptions, asPoll, runAsLambda } from "../../bench/poll-memory/lambda.ts";
import { createS3WorkList } from "../../functions/adapters/aws/s3/work-list.ts";
import { createKubernetesCluster } from "../../functions/adapters/kubernetes/cluster.ts";
import type { FanOutState } from "../../functions/contract/poll-fanout.ts";
import { runInProcess } from "../../functions/workflows/poll/fan-out/run-in-process.ts";
import { pollCluster } from "../../functions/workflows/poll/poll-cluster.ts";
import { functionSpecs } from "../../infra/constructs/functions/function-specs.ts";
import { startEmbeddedCluster } from "../../infra/local/kubernetes/cluster.ts";
import { listen } from "../../infra/local/listen.ts";
import { fakeAws } from "../support/aws/aws-services.ts";
import { bundleFolder } from "../support/run/bundles.ts";
import { fakePorts } from "../support/fake-ports.ts";
import { startLambdaEndpoint } from "../support/aws/lambda-endpoint.ts";
import { startS3Endpoint } from "../support/aws/s3-endpoint.ts";

const names = ["web", "api", "killer", "jobs", "docs"];

/** Starts a registry where every repository has a newer tag, and each tag an image. `onRequest` receives the name of each that is listed. */
async function startRegistry(onRequest: (repository: string) => void): Promise<string> {
  const server = createServer(({ url = "" }, response) => {
    const repository = /^\/v2\/shop\/(\w+)\/tags\/list/.exec(url)?.[1];
    if (repository !== undefined) onRequest(repository);
    response.setHeader("content-type", "application/json");
    response.end(
      repository === undefined ? '{"schemaVersion":2}' : JSON.stringify({ name: repository, tags: ["1.0.0", "1.1.0"] }),
    );
  });
  const { host, close } = await listen(server);
  onTestFinished(close);
  return host;
}

function deployment(name: string, registry: string): object {
  const labels = { app: name };
  const containers = [{ name: "app", image: `${registry}/shop/${name}:1.0.0` }];
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace: "shop", annotations: { "pawl.dev/auto-update": "true" } },
    spec: { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  };
}

const lease = {
  apiVersion: "coordination.k8s.io/v1",
  kind: "Lease",
  metadata: { name: "pawl-poll", namespace: "kube-system" },
};

test("deployed functions, a process for each invocation: a workload that kills its process is quarantined alone", async () => {
  let child: ChildProcess | null = null;
  const listed: string[] = [];
  const registry = await startRegistry((repository) => {
    listed.push(repository);
    if (repository === "killer") child?.kill("SIGKILL");
  });
  const objects = [lease, ...names.map((name) => deployment(name, registry))];
  const embedded = await startEmbeddedCluster({ now: () => new Date(), objects });
  onTestFinished(() => embedded.close());
  const aws = await fakeAws(({ operation }) => ({
    body: operation === "StartExecution" ? { executionArn: "arn", startDate: 1 } : { FailedEntryCount: 0, Entries: [] },
  }));
  onTestFinished(() => aws[Symbol.asyncDispose]());
  const s3 = await startS3Endpoint();
  onTestFinished(() => s3.close());
  const folder = await mkdtemp(join(tmpdir(), "pawl-fanout-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "kubeconfig"), embedded.kubeconfig);
  const recorder = {
    AWS_REGION: "eu-west-1",
    AWS_ACCESS_KEY_ID: "AKIDEXAMPLE",
    AWS_SECRET_ACCESS_KEY: "secret",
    AWS_ENDPOINT_URL_SFN: aws.options.endpoint,
    AWS_ENDPOINT_URL_EVENTBRIDGE: aws.options.endpoint,
    AWS_ENDPOINT_URL_S3: s3.url,
    PAWL_CLUSTER: "production",
    PAWL_CLAIM_HOLDER: "pawl",
    PAWL_KUBECONFIG: join(folder, "kubeconfig"),
    PAWL_EVENT_BUS_NAME: "pawl",
    POWERTOOLS_METRICS_DISABLED: "true",
    POWERTOOLS_LOG_LEVEL: "SILENT",
  };
  const optionsOf = (environment: LambdaOptions["environment"]) => ({
    ...asPoll(environment, size),
    folder: bundleFolder(),
  });
  const size = functionSpecs["poll-batch"];
  const lambdas = await startLambdaEndpoint({
    "record-check": async (event) => (await runAsLambda("record-check", event as object, optionsOf(recorder))).output,
  });
  onTestFinished(() => lambdas.close());
  const environment = {
    ...recorder,
    AWS_ENDPOINT_URL_LAMBDA: lambdas.url,
    PAWL_INSECURE_REGISTRIES: registry,
    PAWL_RECORD_CHECK_FUNCTION: "record-check",
    PAWL_STATE_MACHINE_ARN: "arn:aws:states:eu-west-1:123456789012:stateMachine:pawl-production-workload-update",
    PAWL_WORK_BUCKET: "work",
  };

  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromString(embedded.kubeconfig);
  const now = () => new Date();
  const cluster = createKubernetesCluster({ name: "production", kubeConfig, namespaces: null, now, warn: () => {} });
  const client = new S3Client({ ...aws.options, endpoint: s3.url });
  onTestFinished(() => client.destroy());
  const workList = createS3WorkList({ client, bucket: "work", prefix: "production" });
  const ports = { ...fakePorts({ now: now() }), cluster, workList };
  expect(await pollCluster(ports, { maxWorkloads: 2 })).toMatchObject({ evaluated: 0, deferred: names.length });
  const [{ input } = expect.fail("the machine was not started")] = ports.fanOutExecutions.started;

  const end = await runInProcess(ports, input, {
    concurrency: 1,
    tasks: {
      pollBatch: async (batch) => {
        const onSpawn = (started: ChildProcess) => void (child = started);
        return (await runAsLambda("poll-batch", batch, { ...optionsOf(environment), onSpawn })).output;
      },
      collectBatches: async (state) =>
        (await runAsLambda<FanOutState>("collect-batches", state, optionsOf(environment))).output,
    },
  });

  expect(end).toMatchObject({
    outcome: "complete",
    totals: { evaluated: 4, started: 4, unreached: 0, quarantined: 1 },
  });
  const executions = aws.calls.filter(({ operation }) => operation === "StartExecution").map(({ body }) => body);
  expect(executions).toHaveLength(4);
  expect(executions.join()).not.toContain("killer");
  for (const name of names.filter((one) => one !== "killer"))
    expect(listed.filter((one) => one === name).length).toBeLessThanOrEqual(2);
  const objectApi = KubernetesObjectApi.makeApiClient(kubeConfig);
  const conditions = await Promise.all(names.map(async (name) => [name, await readCondition(objectApi, name)]));
  expect(Object.fromEntries(conditions)).toMatchObject({
    killer: { reason: "Quarantined", message: expect.stringContaining("Runtime.ExitError") as string },
    web: { reason: "UpdateDue" },
  });
  expect([...s3.objects.keys()]).toEqual([]);
  expect(
    ((await objectApi.read(lease)) as { spec?: { holderIdentity?: string } }).spec?.holderIdentity,
  ).toBeUndefined();
}, 180_000);

async function readCondition(objectApi: KubernetesObjectApi, name: string): Promise<object | undefined> {
  const metadata = { name: `deployment-${name}`, namespace: "shop" };
  const found = (await objectApi.read({ apiVersion: "pawl.dev/v1alpha1", kind: "AutoUpdate", metadata })) as {
    readonly status?: { readonly conditions?: readonly { readonly type: string }[] };
  };
  return found.status?.conditions?.find(({ type }) => type === "Ready");
}
