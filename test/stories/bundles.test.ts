import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { KubeConfig } from "@kubernetes/client-node";
import { afterAll, beforeAll, expect, test } from "vitest";
import { kubernetesCluster } from "../../functions/adapters/kubernetes/cluster.ts";
import type { Workload } from "../../functions/domain/workload.ts";
import type { PollReport } from "../../functions/polling/report.ts";
import { bundle } from "../../infra/constructs/bundling.ts";
import { functionSpecs, handlerNames, type HandlerName } from "../../infra/constructs/functions.ts";
import { type EmbeddedCluster, startEmbeddedCluster } from "../../infra/local/cluster/embedded-cluster.ts";
import { type EmbeddedRegistry, startEmbeddedRegistry } from "../../infra/local/registry/embedded-registry.ts";
import { workloadUpdateDefinition } from "../../infra/local/runtime/workload-update.ts";
import { type AwsEndpoint, startAwsEndpoint } from "../../infra/local/wire/aws-endpoint.ts";
import { eventually } from "../support/control-plane/eventually.ts";
import { startLambdaEndpoint } from "../support/lambda-endpoint.ts";

type Handler = (event: unknown) => Promise<unknown>;

/** What is deployed: each function's own bundle, and the ASL file, behind the API that the SDK in the bundles speaks. */
let handlers: Record<HandlerName, Handler>;
let folder: string;
let cluster: EmbeddedCluster;
let registry: EmbeddedRegistry;
let endpoint: AwsEndpoint;
let lambdas: { readonly url: string; close(): Promise<void> };
const told: string[] = [];
const before = { ...process.env };

beforeAll(async () => {
  process.env["LOG_LEVEL"] = "SILENT";
  folder = await mkdtemp(join(tmpdir(), "pawl-bundles-"));
  handlers = await importBundles(folder);
  registry = await startEmbeddedRegistry({
    repositories: { "shop/good": ["1.0.0", "1.1.0"], "shop/bad": ["1.0.0", "1.1.0"] },
  });
  cluster = await startEmbeddedCluster({
    now: () => new Date(),
    secondsToReady: 0.05,
    health: (image) => !image.endsWith("bad:1.1.0"),
    objects: [deployment("web", "good", {}), deployment("doomed", "bad", { "pawl.dev/health-timeout": "1s" })],
  });
  lambdas = await startLambdaEndpoint({ "record-check": handlers["record-check"] });
  endpoint = await startAwsEndpoint({
    machines: { "workload-update": { definition: workloadUpdateDefinition(), tasks: tasksOf(handlers) } },
    now: () => new Date(),
    waitScale: 0.01,
    onEvent: (event) => told.push(event["detail-type"]),
  });
  const kubeconfig = join(folder, "kubeconfig");
  await writeFile(kubeconfig, cluster.kubeconfig);
  Object.assign(process.env, {
    AWS_REGION: "eu-west-1",
    AWS_ACCESS_KEY_ID: "test",
    AWS_SECRET_ACCESS_KEY: "test",
    AWS_ENDPOINT_URL_SFN: endpoint.url,
    AWS_ENDPOINT_URL_EVENTBRIDGE: endpoint.url,
    AWS_ENDPOINT_URL_LAMBDA: lambdas.url,
    PAWL_CLUSTER: "production",
    PAWL_KUBECONFIG: kubeconfig,
    PAWL_INSECURE_REGISTRIES: registry.host,
    PAWL_STATE_MACHINE_ARN: endpoint.stateMachineArn("workload-update"),
    PAWL_EVENT_BUS_NAME: "pawl",
    PAWL_RECORD_CHECK_FUNCTION: "arn:aws:lambda:eu-west-1:123456789012:function:record-check:live",
    POWERTOOLS_METRICS_DISABLED: "true",
  });
}, 120_000);

afterAll(async () => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
  await endpoint?.close();
  await lambdas?.close();
  await cluster?.close();
  await registry?.close();
  await rm(folder, { recursive: true, force: true });
});

test("the deployed bundles carry an update from the schedule to the annotation, and another back", async () => {
  expect(await poll()).toMatchObject({ looked: 2, started: 2, failed: [] });
  await eventually("both executions end", async () => endpoint.running() === 0);
  const web = await workload("web");
  expect(web.image).toBe(`${registry.host}/shop/good:1.1.0`);
  expect(web.bookkeeping).toMatchObject({ currentVersion: "1.1.0", availableVersion: "1.1.0" });
  const doomed = await workload("doomed");
  expect(doomed.image).toBe(`${registry.host}/shop/bad:1.0.0`);
  expect(doomed.bookkeeping).toMatchObject({ rollbackCount: 1, failedVersions: ["1.1.0"] });
  expect(told.toSorted()).toEqual([
    "Update Available",
    "Update Available",
    "Update Rolled Back",
    "Update Started",
    "Update Started",
    "Update Succeeded",
  ]);
  expect(await poll()).toMatchObject({ looked: 2, started: 0, held: 2, recorded: 0, failed: [] });
}, 60_000);

test("a poll for another cluster is refused", async () => {
  await expect(handlers.poll({ cluster: "elsewhere" })).rejects.toMatchObject({ name: "InputInvalid" });
});

function poll(): Promise<PollReport> {
  return handlers.poll({ cluster: "production" }) as Promise<PollReport>;
}

async function workload(name: string): Promise<Workload> {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromString(cluster.kubeconfig);
  const now = () => new Date();
  const all = kubernetesCluster({ name: "production", kubeConfig, namespaces: null, now, warn: () => {} }).list();
  for await (const one of all) if (one.ref.name === name) return one;
  throw new Error(`there is no workload ${name}`);
}

async function importBundles(directory: string): Promise<Record<HandlerName, Handler>> {
  const loaded: Partial<Record<HandlerName, Handler>> = {};
  for (const name of handlerNames) {
    bundle(name, join(directory, name));
    const module = (await import(pathToFileURL(join(directory, name, "index.mjs")).href)) as { handler: Handler };
    loaded[name] = module.handler;
  }
  return loaded as Record<HandlerName, Handler>;
}

function tasksOf(all: Record<HandlerName, Handler>): Record<string, Handler> {
  return Object.fromEntries(
    handlerNames.flatMap((name) => {
      const { state, part } = functionSpecs[name];
      return state === null || part !== "workloads" ? [] : [[state, all[name]]];
    }),
  );
}

function deployment(name: string, repository: string, own: Record<string, string>): object {
  const labels = { app: name };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace: "shop", annotations: { "pawl.dev/auto-update": "true", ...own } },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: "app", image: `${registry.host}/shop/${repository}:1.0.0` }] },
      },
    },
  };
}
