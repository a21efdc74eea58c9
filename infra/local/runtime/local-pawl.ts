import { memoryMetrics } from "../../../functions/adapters/metrics-memory.ts";
import { pollEveryPart } from "../../../functions/polling/poll-every-part.ts";
import type { PollReport } from "../../../functions/polling/report.ts";
import type { Environment } from "../../../functions/settings.ts";
import type { Ports } from "../../../functions/task.ts";
import { buildPorts } from "../../../functions/wiring.ts";
import type { BusEvent } from "../event-bridge/bus-event.ts";
import type { StateChange } from "../step-functions/execution.ts";
import { startAwsEndpoint } from "../wire/aws-endpoint.ts";
import type { Clock } from "./clock.ts";

export interface LocalOptions {
  /** The cluster's name in events, logs and inputs. */
  readonly cluster: string;
  /** What a deployed function would find in its environment, but for what this runtime provides itself. */
  readonly environment: Environment;
  readonly clock: Clock;
  readonly onStateChange?: (change: StateChange) => void;
  readonly onEvent?: (event: BusEvent) => void;
}

export interface LocalPawl {
  /** Of the Step Functions and EventBridge API. */
  readonly url: string;
  readonly stateMachineArn: string;
  /** Of the machine of node pools. */
  readonly poolMachineArn: string;
  readonly ports: Ports;
  /** Looks at every workload and node pool once, as the schedule would. */
  poll(): Promise<PollReport>;
  /** Polls now and then every `everySeconds` of the clock until `signal` is aborted; a poll that fails is told and tried again. */
  run(everySeconds: number, signal: AbortSignal, tell: (report: PollReport | Error) => void): Promise<void>;
  /** How many executions have not ended. */
  running(): number;
  close(): Promise<void>;
}

const workloadUpdate = "workload-update";
const nodePoolRollout = "node-pool-rollout";
/** The SDK signs every request; nobody looks at the signature here. */
const nobody = { accessKeyId: "local", secretAccessKey: "local" };

/** The whole system on one machine: the same tasks and ASL file, behind the wire API that the real SDK clients speak. */
export async function startLocalPawl(options: LocalOptions): Promise<LocalPawl> {
  const { clock, cluster } = options;
  let ports: Ports | undefined;
  const { workloadUpdateMachine } = await import("./workload-update.ts");
  const { nodePoolRolloutMachine } = await import("./node-pool-rollout.ts");
  const portsThen = () => ports as Ports;
  const endpoint = await startAwsEndpoint({
    machines: {
      [workloadUpdate]: workloadUpdateMachine(portsThen),
      [nodePoolRollout]: nodePoolRolloutMachine(portsThen),
    },
    now: clock.now,
    waitScale: clock.waitScale,
    sleep: clock.sleep,
    ...(options.onStateChange === undefined ? {} : { onStateChange: options.onStateChange }),
    ...(options.onEvent === undefined ? {} : { onEvent: options.onEvent }),
  });
  ports = await buildPorts(
    {
      ...options.environment,
      PAWL_STATE_MACHINE_ARN: endpoint.stateMachineArn(workloadUpdate),
      PAWL_POOL_MACHINE_ARN: endpoint.stateMachineArn(nodePoolRollout),
      PAWL_EVENT_BUS_NAME: "pawl",
    },
    cluster,
    { now: clock.now, aws: { endpoint: endpoint.url, region: "local", credentials: nobody }, metrics: memoryMetrics() },
  );
  const poll = () => pollEveryPart(ports);
  return {
    url: endpoint.url,
    stateMachineArn: endpoint.stateMachineArn(workloadUpdate),
    poolMachineArn: endpoint.stateMachineArn(nodePoolRollout),
    ports,
    poll,
    async run(everySeconds, signal, tell) {
      while (!signal.aborted) {
        tell(await poll().catch((error: Error) => error));
        await clock.sleep(everySeconds, signal);
      }
    },
    running: () => endpoint.running(),
    close: () => endpoint.close(),
  };
}
