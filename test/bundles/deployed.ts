import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { KubeConfig } from "@kubernetes/client-node";
import type { PollReport } from "../../functions/workflows/poll/report.ts";
import type { LambdaContext } from "../../functions/runtime/lambda.ts";
import { exportName, functionSpecs, type HandlerName } from "../../infra/constructs/functions/function-specs.ts";
import type { MachineName } from "../../infra/constructs/resource-names.ts";
import { type EmbeddedClusterOptions, startEmbeddedCluster } from "../../infra/local/kubernetes/cluster.ts";
import { type EmbeddedRegistry, startEmbeddedRegistry } from "../../infra/local/registry/embedded-registry.ts";
import { readLocalDefinition } from "../../infra/local/runtime/machine-source.ts";
import { startAwsEndpoint } from "../../infra/local/runtime/aws-endpoint.ts";
import { bundleFolder } from "../support/run/bundles.ts";
import { eventually } from "../support/control-plane/eventually.ts";
import { startLambdaEndpoint } from "../support/aws/lambda-endpoint.ts";

/** As CDK names it: the machine, without its alias. */
export const claimHolder = "arn:aws:states:eu-west-1:123456789012:stateMachine:pawl-production-workload-update";

type Handler = (event: unknown) => Promise<unknown>;
type Invoke = (event: unknown, context: LambdaContext) => Promise<unknown>;

export interface Deployment {
  readonly functions: readonly HandlerName[];
  /** The machine whose states invoke the functions. */
  readonly machine: MachineName;
  /** Repository to tags. */
  readonly repositories: Readonly<Record<string, readonly string[]>>;
  readonly cluster: (registry: string) => Omit<EmbeddedClusterOptions, "now">;
  readonly environment?: Readonly<Record<string, string>>;
}

export interface Deployed {
  readonly registry: EmbeddedRegistry;
  readonly kubeConfig: KubeConfig;
  /** The types of the emitted events, oldest first. */
  readonly emittedEvents: readonly string[];
  /** The states that executions have entered, oldest first. */
  readonly enteredStates: readonly string[];
  /** What the states of executions invoked, oldest first: each execution keeps the version that was deployed when it began. */
  readonly invoked: readonly { readonly execution: string; readonly version: number }[];
  poll(cluster?: string): Promise<PollReport>;
  /** Replaces the functions by the same bundle, loaded again, as the next version. */
  deployAgain(): Promise<void>;
  /** Waits until no execution runs. */
  waitForExecutions(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Runs the bundle of each function and the ASL file of a machine locally, behind the APIs that the SDK calls. Waits take a
 * hundredth of their time.
 */
export async function deploy({
  functions,
  machine,
  repositories,
  cluster: clusterOptions,
  environment = {},
}: Deployment) {
  const originalEnvironment = { ...process.env };
  process.env["LOG_LEVEL"] = "SILENT";
  const folder = await mkdtemp(join(tmpdir(), "pawl-deployed-"));
  const versions = [await importBundles(functions, join(folder, "1"))];
  const current = () => versions.at(-1)!;
  const invoked: { execution: string; version: number }[] = [];
  const handlers = Object.fromEntries(
    functions.map((name) => [name, (event: unknown) => current()[name]!(event)] as const),
  );
  // As the versioned aliases of the deployed machines do.
  const tasks = selectTasks(functions, (name, payload) => {
    const { execution } = payload as { execution: string };
    const version = invoked.find((one) => one.execution === execution)?.version ?? versions.length;
    invoked.push({ execution, version });
    return versions[version - 1]![name]!(payload);
  });
  const registry = await startEmbeddedRegistry({ repositories });
  const cluster = await startEmbeddedCluster({ now: () => new Date(), ...clusterOptions(registry.host) });
  const lambdas = await startLambdaEndpoint(handlers);
  const [emittedEvents, enteredStates]: [string[], string[]] = [[], []];
  const endpoint = await startAwsEndpoint({
    machines: { [machine]: { definition: readLocalDefinition(machine), tasks } },
    now: () => new Date(),
    waitScale: 0.01,
    onEvent: (event) => emittedEvents.push(event["detail-type"]),
    onStateChange: ({ type, state }) =>
      void (type.endsWith("StateEntered") && state !== null && enteredStates.push(state)),
  });
  const kubeconfig = join(folder, "kubeconfig");
  await writeFile(kubeconfig, cluster.kubeconfig);
  Object.assign(process.env, {
    AWS_REGION: "eu-west-1",
    AWS_ACCESS_KEY_ID: endpoint.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: "test",
    AWS_ENDPOINT_URL_SFN: endpoint.url,
    AWS_ENDPOINT_URL_EVENTBRIDGE: endpoint.url,
    AWS_ENDPOINT_URL_LAMBDA: lambdas.url,
    PAWL_CLUSTER: "production",
    PAWL_KUBECONFIG: kubeconfig,
    PAWL_INSECURE_REGISTRIES: registry.host,
    PAWL_STATE_MACHINE_ARN: endpoint.stateMachineArn("workload-update"),
    PAWL_CLAIM_HOLDER: claimHolder,
    PAWL_POOL_MACHINE_ARN: endpoint.stateMachineArn("node-pool-rollout"),
    PAWL_EVENT_BUS_NAME: "pawl",
    POWERTOOLS_METRICS_DISABLED: "true",
    ...environment,
  });
  await readSettings(current());
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromString(cluster.kubeconfig);
  return {
    registry,
    kubeConfig,
    emittedEvents,
    enteredStates,
    invoked,
    async deployAgain() {
      const next = await importBundles(functions, join(folder, String(versions.length + 1)));
      await readSettings(next);
      versions.push(next);
    },
    poll: (name = "production") => handlers["poll"]?.({ cluster: name }) as Promise<PollReport>,
    waitForExecutions: async () => void (await eventually("all executions end", async () => endpoint.running() === 0)),
    async close() {
      for (const name of Object.keys(process.env)) if (!(name in originalEnvironment)) delete process.env[name];
      Object.assign(process.env, originalEnvironment);
      await endpoint.close();
      await lambdas.close();
      await cluster.close();
      await registry.close();
      await rm(folder, { recursive: true, force: true });
    },
  } satisfies Deployed;
}

const ofPoll = {
  PAWL_RECORD_CHECK_FUNCTION: "arn:aws:lambda:eu-west-1:123456789012:function:record-check:live",
  PAWL_RECORD_POOL_FUNCTION: "arn:aws:lambda:eu-west-1:123456789012:function:record-pool:live",
};

/** Lets the functions read their settings as deployed: only the poll has some of them, and it reads them at its first invocation. */
async function readSettings(handlers: Readonly<Record<string, Handler>>): Promise<void> {
  for (const name of Object.keys(ofPoll)) delete process.env[name];
  await handlers["record-check"]?.({ cluster: "production", lease: { verb: "release", poll: "none" } });
  Object.assign(process.env, ofPoll);
}

/** Imports the bundle twice, because all functions share one process: the poll has other settings and clients than the others. */
async function importBundles(names: readonly HandlerName[], folder: string): Promise<Record<string, Handler>> {
  const modules = await Promise.all(["poll", "others"].map((copy) => importCopy(join(folder, copy))));
  const invoke = (name: HandlerName): Handler => {
    const handler = modules[name === "poll" ? 0 : 1]?.[exportName(name)];
    if (handler === undefined) throw new Error(`the bundle does not export ${exportName(name)}`);
    return (event) => handler(event, createContext(name));
  };
  return Object.fromEntries(names.map((name) => [name, invoke(name)]));
}

async function importCopy(folder: string): Promise<Readonly<Record<string, Invoke>>> {
  await cp(bundleFolder(), folder, { recursive: true });
  return (await import(pathToFileURL(join(folder, "index.mjs")).href)) as Readonly<Record<string, Invoke>>;
}

/** Returns a context with the remaining time of the invocation. */
function createContext(name: HandlerName): LambdaContext {
  const startedAt = performance.now();
  const { timeoutSeconds } = functionSpecs[name];
  return { getRemainingTimeInMillis: () => Math.round(timeoutSeconds * 1000 - (performance.now() - startedAt)) };
}

function selectTasks(
  names: readonly HandlerName[],
  invoke: (name: HandlerName, payload: unknown) => Promise<unknown>,
): Record<string, Handler> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const { state } = functionSpecs[name];
      return state === null ? [] : [[state, (payload: unknown) => invoke(name, payload)]];
    }),
  );
}
