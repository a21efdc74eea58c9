import type { styleText } from "node:util";
import type { UpdateEventType } from "../../../functions/domain/news.ts";
import type { PoolEventType } from "../../../functions/domain/node-pool/news.ts";
import type { PoolEventDetail, UpdateEventDetail } from "../../../functions/ports/events.ts";
import type { BusEvent } from "../event-bridge/bus-event.ts";

export type Style = Parameters<typeof styleText>[0];

interface Look {
  readonly mark: string;
  readonly style: Style;
}

const looks: Readonly<Record<UpdateEventType | PoolEventType, Look>> = {
  "Update Available": { mark: "•", style: "cyan" },
  "Update Started": { mark: "→", style: "blue" },
  "Canary Promoted": { mark: "»", style: "blue" },
  "Update Succeeded": { mark: "✔", style: "green" },
  "Update Rolled Back": { mark: "↩", style: "yellow" },
  "Circuit Opened": { mark: "✖", style: "red" },
  "Update Held": { mark: "‖", style: "magenta" },
  "Node Pool Update Available": { mark: "•", style: "cyan" },
  "Node Pool Rollout Started": { mark: "→", style: "blue" },
  "Node Pool Rollout Completed": { mark: "✔", style: "green" },
  "Node Pool Rollout Halted": { mark: "✖", style: "red" },
  "Node Pool Degraded": { mark: "!", style: "yellow" },
  "Node Pool Recovered": { mark: "✔", style: "green" },
  "Node Drain Slow": { mark: "!", style: "yellow" },
};

/** An event as a line: how it looks, whom it is about, and what it says. */
export interface Telling extends Look {
  readonly subject: string;
  readonly message: string;
}

export function tellingOf({ "detail-type": type, detail }: BusEvent): Telling {
  const look = looks[type as UpdateEventType | PoolEventType];
  const { workload, nodePool, node, reason } = detail as unknown as Partial<UpdateEventDetail & PoolEventDetail>;
  const message = reason ?? type;
  if (workload !== undefined) return { ...look, subject: `${workload.namespace}/${workload.name}`, message };
  return { ...look, subject: poolSubject(nodePool?.name ?? ""), message: node ? `${node}: ${message}` : message };
}

/** As the commands of `pawl` take it. */
export function poolSubject(name: string): string {
  return `pool/${name}`;
}
