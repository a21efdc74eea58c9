import type { BusEvent } from "../event-bridge/bus-event.ts";
import { eventBridgeService } from "../event-bridge/service.ts";
import { stateMachineArn } from "../step-functions/arns.ts";
import type { StateChange } from "../step-functions/execution.ts";
import { openLedger } from "../step-functions/ledger.ts";
import { buildMachine, type MachineSource } from "../step-functions/machine.ts";
import { stepFunctionsService } from "../step-functions/service.ts";
import { startLoopbackServer } from "./loopback-server.ts";

export interface AwsEndpointOptions {
  /** By name. */
  readonly machines: Readonly<Record<string, MachineSource>>;
  readonly now: () => Date;
  /** Real seconds per second of a wait or of a retry's delay: 1 in real time, 0.01 on a clock a hundred times as fast. */
  readonly waitScale: number;
  /** Waits out a Wait state where time does not pass by itself. */
  readonly sleep?: (seconds: number, signal: AbortSignal) => Promise<void>;
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** How many ended executions are kept, 1000 unless told otherwise. */
  readonly keepEnded?: number;
  /** Told of every event of every history as it happens. Must not throw. */
  readonly onStateChange?: (change: StateChange) => void;
  /** Told of every event put on any bus. Must not throw. */
  readonly onEvent?: (event: BusEvent) => void;
}

export interface AwsEndpoint {
  /** For AWS_ENDPOINT_URL_SFN and AWS_ENDPOINT_URL_EVENTBRIDGE, or a client's `endpoint`. */
  readonly url: string;
  stateMachineArn(machine: string): string;
  /** How many executions have not ended. */
  running(): number;
  /** Stops every execution, waits for the functions that are under way, and closes the port. */
  close(): Promise<void>;
}

/** Step Functions and EventBridge on 127.0.0.1, for the real SDK clients. Throws where a machine cannot be built. */
export async function startAwsEndpoint(options: AwsEndpointOptions): Promise<AwsEndpoint> {
  const { now, waitScale, sleep, port = 0, keepEnded = 1000, onStateChange = () => {}, onEvent = () => {} } = options;
  const clock = { now, waitScale, ...(sleep === undefined ? {} : { sleep }) };
  const built = Object.entries(options.machines).map(([name, source]) => buildMachine(name, source, clock));
  const machines = new Map(built.map((machine) => [machine.name, machine]));
  const ledger = openLedger({ clock, keepEnded, onStateChange });
  const services = [stepFunctionsService({ machines, ledger }), eventBridgeService(now, onEvent)];
  const server = await startLoopbackServer(services, port);
  return {
    url: server.url,
    stateMachineArn,
    running: () => ledger.running().length,
    async close() {
      await ledger.close();
      await server.close();
    },
  };
}
