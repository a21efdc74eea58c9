import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryMetrics } from "../../../functions/adapters/memory-metrics.ts";
import { createDirectoryWorkList } from "../../../functions/adapters/directory-work-list.ts";
import { pollToCompletion } from "../../../functions/workflows/poll/fan-out/poll-to-completion.ts";
import type { PollReport } from "../../../functions/workflows/poll/report.ts";
import type { Environment } from "../../../functions/runtime/settings.ts";
import type { Ports } from "../../../functions/contract/ports.ts";
import { buildPorts } from "../../../functions/runtime/compose-ports.ts";
import type { BusEvent } from "../event-bridge/bus-event.ts";
import type { StateChange } from "../step-functions/execution.ts";
import { startAwsEndpoint } from "./aws-endpoint.ts";
import type { Clock } from "./clock.ts";
import { isPollRequest } from "./poll-request.ts";

export interface LocalOptions {
  /** The cluster's name in events, logs and inputs. */
  readonly cluster: string;
  /** The environment of a deployed function, without the variables that this runtime sets itself. */
  readonly environment: Environment;
  readonly clock: Clock;
  readonly onStateChange?: (change: StateChange) => void;
  readonly onEvent?: (event: BusEvent) => void;
}

export interface LocalPawl {
  /** The URL of the Step Functions and EventBridge APIs. */
  readonly url: string;
  /** The access key with which requests to the URL must be signed. */
  readonly accessKeyId: string;
  readonly stateMachineArn: string;
  /** The ARN of the machine `node-pool-rollout`. */
  readonly poolMachineArn: string;
  readonly ports: Ports;
  /** Evaluates every workload and node pool once, like an invocation by the schedule. */
  poll(): Promise<PollReport>;
  /** Polls now, then every `intervalSeconds` of the clock, and as soon as an event asks for it, until `signal` is aborted. A failed poll is reported and retried. */
  run(intervalSeconds: number, signal: AbortSignal, onReport: (report: PollReport | Error) => void): Promise<void>;
  /** The number of running executions. */
  running(): number;
  close(): Promise<void>;
}

const workloadUpdate = "workload-update";
const nodePoolRollout = "node-pool-rollout";

/** Starts the whole system in this process: the same tasks and ASL files, behind the wire APIs of the real SDK clients. */
export async function startLocalPawl(options: LocalOptions): Promise<LocalPawl> {
  const { clock, cluster } = options;
  let ports: Ports | undefined;
  const { workloadUpdateMachine } = await import("./workload-update.ts");
  const { nodePoolRolloutMachine } = await import("./node-pool-rollout.ts");
  const getPorts = () => ports as Ports;
  let request = new AbortController();
  const onEvent = (event: BusEvent) => {
    if (isPollRequest(event)) request.abort();
    else options.onEvent?.(event);
  };
  const endpoint = await startAwsEndpoint({
    machines: {
      [workloadUpdate]: workloadUpdateMachine(getPorts),
      [nodePoolRollout]: nodePoolRolloutMachine(getPorts),
    },
    now: clock.now,
    waitScale: clock.waitScale,
    sleep: clock.sleep,
    ...(options.onStateChange === undefined ? {} : { onStateChange: options.onStateChange }),
    onEvent,
  });
  ports = await buildPorts(
    {
      // The rights of the user decide.
      PAWL_HOOKS: "1",
      PAWL_JOB_METRICS: "1",
      ...options.environment,
      PAWL_STATE_MACHINE_ARN: endpoint.stateMachineArn(workloadUpdate),
      PAWL_POOL_MACHINE_ARN: endpoint.stateMachineArn(nodePoolRollout),
      PAWL_EVENT_BUS_NAME: "pawl",
    },
    cluster,
    {
      now: clock.now,
      aws: { endpoint: endpoint.url, region: "local", credentials: endpoint.credentials },
      metrics: createMemoryMetrics(),
      warn: (message, about) => process.emitWarning(`${message}: ${JSON.stringify(about)}`),
    },
  );
  const workFolder = join(tmpdir(), `pawl-local-${randomUUID()}`);
  const polled = { ...ports, workList: createDirectoryWorkList(workFolder) };
  const poll = () => pollToCompletion(polled);
  return {
    url: endpoint.url,
    accessKeyId: endpoint.credentials.accessKeyId,
    stateMachineArn: endpoint.stateMachineArn(workloadUpdate),
    poolMachineArn: endpoint.stateMachineArn(nodePoolRollout),
    ports,
    poll,
    async run(intervalSeconds, signal, onReport) {
      while (!signal.aborted) {
        // A request during a poll may come too late for it.
        request = new AbortController();
        onReport(await poll().catch((error: Error) => error));
        await clock.sleep(intervalSeconds, AbortSignal.any([signal, request.signal]));
      }
    },
    running: () => endpoint.running(),
    async close() {
      await endpoint.close();
      rmSync(workFolder, { recursive: true, force: true });
    },
  };
}
