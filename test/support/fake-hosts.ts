import type { NodeCommand } from "../../functions/domain/node-pool/agent/outcome.ts";
import type { Commands } from "../../functions/ports/commands.ts";
import { type BootcHost, bootcHost, type Ended, run, turnHost } from "./bootc-host.ts";
import { type AtMoment, guarded } from "./fake-cluster.ts";

export interface SentCommand extends NodeCommand {
  readonly instance: string;
}

export interface FakeHosts extends Commands {
  /** Oldest first. */
  readonly sent: readonly SentCommand[];
  host(instance: string): BootcHost;
  /** Lets every machine take a turn: what was sent to it is taken up and run, and a reboot goes on. */
  turn(): void;
}

interface Running extends SentCommand {
  turns: number;
  ended: Ended | "given up" | null;
}

/** SSM gives up a command that is not taken up in 60 s, which here is as many turns. */
const turnsToDeliver = 3;

/** Machines with bootc by their instances, behind a Run Command that delivers in turns. */
export function fakeHosts(images: Readonly<Record<string, string>>, atMoment: AtMoment = () => {}): FakeHosts {
  const hosts = new Map(Object.entries(images).map(([instance, image]) => [instance, bootcHost(image)]));
  const running = new Map<string, Running>();
  const sent: SentCommand[] = [];

  function turnCommand(command: Running): void {
    const host = hosts.get(command.instance);
    if (host === undefined || command.ended !== null) return;
    command.turns += 1;
    if (host.isUp && host.fault !== "deaf") command.ended = run(host, command);
    else if (command.turns >= turnsToDeliver) command.ended = "given up";
  }

  return {
    sent,
    host(instance) {
      const host = hosts.get(instance);
      if (host === undefined) throw new Error(`there is no ${instance}`);
      return host;
    },
    turn() {
      for (const host of hosts.values()) turnHost(host);
      for (const command of running.values()) turnCommand(command);
    },
    send: (instance, command) =>
      guarded(atMoment, `send ${command.action}`, () => {
        if (!hosts.has(instance)) return { kind: "unreachable", reason: `SSM does not reach ${instance}` };
        const id = `c-${running.size + 1}`;
        sent.push({ instance, ...command });
        running.set(id, { instance, ...command, turns: 0, ended: null });
        return { kind: "sent", id };
      }),
    result: (instance, id) =>
      guarded(atMoment, "result", () => {
        const command = running.get(id);
        if (command?.instance !== instance) return { kind: "unknown" };
        if (command.ended === null) return { kind: "running" };
        if (command.ended === "given up") return { kind: "unreachable", reason: `SSM does not reach ${instance}` };
        return { kind: "ended", ...command.ended };
      }),
  };
}
