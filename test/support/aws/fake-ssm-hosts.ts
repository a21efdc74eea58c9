import type { NodeCommand } from "../../../functions/domain/node-pool/agent/outcome.ts";
import type { Commands } from "../../../functions/ports/node-commands.ts";
import { type BootcHost, createBootcHost, type CommandResult, runCommand, stepHost } from "../bootc/bootc-host.ts";
import { type AtMoment, guarded } from "../fake-cluster.ts";

interface SentCommand extends NodeCommand {
  readonly instance: string;
}

export interface FakeSsmHosts extends Commands {
  /** Oldest first. */
  readonly sent: readonly SentCommand[];
  host(instance: string): BootcHost;
  /** Advances every host by one step: runs its commands and continues a reboot. */
  step(): void;
}

interface Running extends SentCommand {
  steps: number;
  ended: CommandResult | "not delivered" | null;
}

/** SSM fails a command that is not delivered within 60 s, which is this number of steps. */
const deliveryTimeoutSteps = 3;

/** Creates bootc hosts by instance ID, with a simulated Run Command that delivers in steps. */
export function createFakeSsmHosts(
  images: Readonly<Record<string, string>>,
  atMoment: AtMoment = () => {},
): FakeSsmHosts {
  const hosts = new Map(Object.entries(images).map(([instance, image]) => [instance, createBootcHost(image)]));
  const running = new Map<string, Running>();
  const sent: SentCommand[] = [];

  function stepCommand(command: Running): void {
    const host = hosts.get(command.instance);
    if (host === undefined || command.ended !== null) return;
    command.steps += 1;
    if (host.isUp && host.fault !== "offline") command.ended = runCommand(host, command);
    else if (command.steps >= deliveryTimeoutSteps) command.ended = "not delivered";
  }

  return {
    sent,
    host(instance) {
      const host = hosts.get(instance);
      if (host === undefined) throw new Error(`${instance}: unknown instance`);
      return host;
    },
    step() {
      for (const host of hosts.values()) stepHost(host);
      for (const command of running.values()) stepCommand(command);
    },
    send: (instance, command) =>
      guarded(atMoment, `send ${command.action}`, () => {
        if (!hosts.has(instance)) return { kind: "unreachable", reason: `SSM cannot reach ${instance}` };
        const id = `c-${running.size + 1}`;
        sent.push({ instance, ...command });
        running.set(id, { instance, ...command, steps: 0, ended: null });
        return { kind: "sent", id };
      }),
    result: (instance, id) =>
      guarded(atMoment, "result", () => {
        const command = running.get(id);
        if (command?.instance !== instance) return { kind: "unknown" };
        if (command.ended === null) return { kind: "running" };
        if (command.ended === "not delivered") return { kind: "unreachable", reason: `SSM cannot reach ${instance}` };
        return { kind: "ended", ...command.ended };
      }),
  };
}
