import { randomBytes } from "node:crypto";
import type { BusEvent } from "../event-bridge/bus-event.ts";
import { eventBridgeService } from "../event-bridge/service.ts";
import { stateMachineArn } from "../step-functions/arns.ts";
import type { StateChange } from "../step-functions/execution.ts";
import { createExecutionStore } from "../step-functions/execution-store.ts";
import { buildMachine, type MachineSource } from "../step-functions/machine.ts";
import { stepFunctionsService } from "../step-functions/service.ts";
import { startLoopbackServer } from "../aws-json/loopback-server.ts";

export interface AwsEndpointOptions {
  /** By name. */
  readonly machines: Readonly<Record<string, MachineSource>>;
  readonly now: () => Date;
  /** Real seconds per second of a wait or a retry delay: 1 in real time, 0.01 on a clock that is 100 times as fast. */
  readonly waitScale: number;
  /** Replaces the timer of Wait states, for tests that control time. */
  readonly sleep?: (seconds: number, signal: AbortSignal) => Promise<void>;
  /** 0, the default, uses a free port. */
  readonly port?: number;
  /** The access key that requests must be signed with; a random one by default. */
  readonly accessKeyId?: string;
  /** The number of ended executions to keep; 1000 by default. */
  readonly maxEnded?: number;
  /** Called for every event of every history. Must not throw. */
  readonly onStateChange?: (change: StateChange) => void;
  /** Called for every event put on any bus. Must not throw. */
  readonly onEvent?: (event: BusEvent) => void;
}

export interface AwsEndpoint {
  /** For AWS_ENDPOINT_URL_SFN and AWS_ENDPOINT_URL_EVENTBRIDGE, or a client's `endpoint`. */
  readonly url: string;
  /** For clients of the endpoint. It serves nobody else. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  stateMachineArn(machine: string): string;
  /** The number of running executions. */
  running(): number;
  /** Stops all executions, waits for the functions that are still running, and closes the port. */
  close(): Promise<void>;
}

/** Serves Step Functions and EventBridge on 127.0.0.1 to the real SDK clients. Throws if a machine cannot be built. */
export async function startAwsEndpoint(options: AwsEndpointOptions): Promise<AwsEndpoint> {
  const { now, waitScale, sleep, port = 0, maxEnded = 1000, onStateChange = () => {}, onEvent = () => {} } = options;
  const clock = { now, waitScale, ...(sleep === undefined ? {} : { sleep }) };
  const built = Object.entries(options.machines).map(([name, source]) => buildMachine(name, source, clock));
  const machines = new Map(built.map((machine) => [machine.name, machine]));
  const executions = createExecutionStore({ clock, maxEnded, onStateChange });
  const services = [stepFunctionsService({ machines, executions }), eventBridgeService(now, onEvent)];
  const { accessKeyId = randomBytes(16).toString("hex") } = options;
  const server = await startLoopbackServer(services, { port, accessKeyId });
  return {
    url: server.url,
    credentials: { accessKeyId, secretAccessKey: "local" },
    stateMachineArn,
    running: () => executions.running().length,
    async close() {
      await executions.close();
      await server.close();
    },
  };
}
