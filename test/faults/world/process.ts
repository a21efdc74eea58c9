import { createMemoryMetrics } from "../../../functions/adapters/memory-metrics.ts";
import type { Ports } from "../../../functions/contract/ports.ts";
import { pollCluster } from "../../../functions/workflows/poll/poll-cluster.ts";
import { recordCheck } from "../../../functions/handlers/record-check.ts";
import { recordPool } from "../../../functions/handlers/record-pool.ts";
import type { RecordCheckInput } from "../../../functions/ports/check-recorder.ts";
import type { RecordPoolInput } from "../../../functions/ports/pool-check-recorder.ts";
import type { GitRepository } from "../../../functions/ports/git-repository.ts";
import { buildPorts } from "../../../functions/runtime/compose-ports.ts";
import type { PollReport } from "../../../functions/workflows/poll/report.ts";
import { type AwsEndpoint, startAwsEndpoint } from "../../../infra/local/runtime/aws-endpoint.ts";
import { readLocalDefinition } from "../../../infra/local/runtime/machine-source.ts";
import { nodePoolRolloutMachine } from "../../../infra/local/runtime/node-pool-rollout.ts";
import { workloadUpdateMachine } from "../../../infra/local/runtime/workload-update.ts";
import type { StateChange } from "../../../infra/local/step-functions/execution.ts";
import type { MachineSource } from "../../../infra/local/step-functions/machine.ts";
import type { Functions } from "./functions.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** Validated once: it takes as long as a whole run. */
const definitions = {
  "workload-update": readLocalDefinition("workload-update"),
  "node-pool-rollout": readLocalDefinition("node-pool-rollout"),
};
const stepTimeoutSeconds = 60;
const pollTimeoutSeconds = 300;
/** What a poll leaves of its time to record results. */
const reserveSeconds = 45;
/** Every process continues the claims of the former one, as state machines on AWS do. */
const claimHolder = "arn:aws:states:eu-west-1:123456789012:stateMachine:pawl-test-workload-update";

/** As many attempts as the SDK makes by default, without delay. */
const retryStrategy = {
  acquireInitialRetryToken: async () => retryToken(0),
  async refreshRetryTokenForRetry(token: ReturnType<typeof retryToken>, { errorType }: { readonly errorType: string }) {
    if (errorType === "CLIENT_ERROR" || token.getRetryCount() >= 2) throw new Error("no attempts left");
    return retryToken(token.getRetryCount() + 1);
  },
  recordSuccess: () => undefined,
};

function retryToken(count: number) {
  return { getRetryCount: () => count, getRetryDelay: () => 0 };
}

const awsOptions = { region: "eu-west-1", retryStrategy };

/** The executions of both state machines, and the functions that they invoke. */
export interface PawlProcess {
  readonly endpoint: AwsEndpoint;
  poll(): Promise<PollReport>;
  /** Runs a function that another one invokes by its name. */
  record(name: string, input: object): Promise<unknown>;
  /** After a function has crashed, the next invocation starts with new connections. */
  renew(): Promise<void>;
  kill(): void;
}

interface Options {
  readonly time: VirtualTime;
  readonly functions: Functions;
  readonly environment: Readonly<Record<string, string>>;
  /** Null if no image is in git. */
  readonly openGit: (() => GitRepository) | null;
  readonly onStateChange: (change: StateChange) => void;
}

export async function startProcess({
  time,
  functions,
  environment,
  openGit,
  onStateChange,
}: Options): Promise<PawlProcess> {
  let isAlive = true;
  let ports: Ports | undefined;
  const wrap = (machine: keyof typeof definitions, { tasks }: MachineSource): MachineSource => ({
    definition: definitions[machine],
    tasks: Object.fromEntries(
      Object.entries(tasks).map(([state, task]) => [
        state,
        (payload, context) =>
          functions.invokeTask(
            { state, subject: subjectOf(payload), timeoutSeconds: stepTimeoutSeconds, isAlive: () => isAlive },
            () => task(payload, context),
          ),
      ]),
    ),
  });
  const getPorts = () => ports as Ports;
  const endpoint = await startAwsEndpoint({
    machines: {
      "workload-update": wrap("workload-update", workloadUpdateMachine(getPorts)),
      "node-pool-rollout": wrap("node-pool-rollout", nodePoolRolloutMachine(getPorts)),
    },
    now: time.now,
    waitScale: 1,
    sleep: time.sleep,
    onStateChange,
  });
  const build = async () => {
    const built = await buildPorts(
      {
        ...environment,
        PAWL_STATE_MACHINE_ARN: endpoint.stateMachineArn("workload-update"),
        PAWL_POOL_MACHINE_ARN: endpoint.stateMachineArn("node-pool-rollout"),
        PAWL_CLAIM_HOLDER: claimHolder,
        PAWL_EVENT_BUS_NAME: "pawl",
        PAWL_RECORD_CHECK_FUNCTION: "record-check",
        PAWL_RECORD_POOL_FUNCTION: "record-pool",
        PAWL_NODE_POOLS: "1",
        PAWL_HOOKS: "1",
        PAWL_JOB_METRICS: "1",
        PAWL_TAG_CACHE_SECONDS: "60",
      },
      "test",
      {
        now: time.now,
        aws: { ...awsOptions, endpoint: endpoint.url, credentials: endpoint.credentials },
        metrics: createMemoryMetrics(),
        warn: () => undefined,
      },
    );
    const git = openGit?.();
    // Secrets Manager is the only part of AWS that this process does not serve.
    return git === undefined ? built : { ...built, git: async () => git };
  };
  ports = await build();
  return {
    endpoint,
    poll: () =>
      functions.invoke("poll", pollTimeoutSeconds, () =>
        pollCluster(getPorts(), { signal: AbortSignal.timeout((pollTimeoutSeconds - reserveSeconds) * 1000) }),
      ),
    record: (name, input) =>
      functions.invoke<unknown>(name, stepTimeoutSeconds, () =>
        name === "record-check"
          ? recordCheck(getPorts(), input as RecordCheckInput)
          : recordPool(getPorts(), input as RecordPoolInput),
      ),
    async renew() {
      ports = await build();
    },
    kill() {
      isAlive = false;
      functions.killAll();
    },
  };
}

function subjectOf(payload: unknown): string {
  const { input = payload } = payload as { readonly input?: unknown };
  const { workload, pool } = input as Readonly<Record<string, { readonly name: string } | undefined>>;
  return (workload ?? pool)?.name ?? "";
}
