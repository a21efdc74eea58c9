import type { styleText } from "node:util";
import type { PoolEventType } from "../../../functions/domain/node-pool/event/event.ts";
import type { PoolEventDetail, UpdateEventDetail } from "../../../functions/ports/events.ts";
import type { ClusterEventType } from "../../../functions/domain/notification/cluster-event.ts";
import type { BusEvent } from "../event-bridge/bus-event.ts";
import type { UpdateEventType } from "../../../functions/domain/workload/event/update-event.ts";

export type Style = Parameters<typeof styleText>[0];

interface EventStyle {
  readonly symbol: string;
  readonly style: Style;
}

const eventStyles: Readonly<Record<UpdateEventType | PoolEventType | ClusterEventType, EventStyle>> = {
  "Update Available": { symbol: "•", style: "cyan" },
  "Hook Succeeded": { symbol: "✓", style: "green" },
  "Hook Failed": { symbol: "!", style: "yellow" },
  "Update Started": { symbol: "→", style: "blue" },
  "Canary Paused": { symbol: "=", style: "blue" },
  "Canary Promoted": { symbol: "»", style: "blue" },
  "Update Succeeded": { symbol: "✔", style: "green" },
  "Update Rolled Back": { symbol: "↩", style: "yellow" },
  "Update Withdrawn": { symbol: "↺", style: "yellow" },
  "Update Superseded": { symbol: "↷", style: "yellow" },
  "Circuit Opened": { symbol: "✖", style: "red" },
  "Update Held": { symbol: "‖", style: "magenta" },
  "Person Acted": { symbol: "☞", style: "cyan" },
  "Node Pool Update Available": { symbol: "•", style: "cyan" },
  "Node Pool Rollout Started": { symbol: "→", style: "blue" },
  "Node Pool Rollout Paused": { symbol: "=", style: "blue" },
  "Node Pool Rollout Completed": { symbol: "✔", style: "green" },
  "Node Pool Rollout Halted": { symbol: "✖", style: "red" },
  "Node Pool Degraded": { symbol: "!", style: "yellow" },
  "Node Pool Recovered": { symbol: "✔", style: "green" },
  "Node Drain Slow": { symbol: "!", style: "yellow" },
  "Freezes Changed": { symbol: "❄", style: "cyan" },
  "Daily Digest": { symbol: "≡", style: "cyan" },
};

/** The printed form of an event: symbol, colour, subject and message. */
interface EventLine extends EventStyle {
  readonly subject: string;
  readonly message: string;
}

export function eventLine({ "detail-type": type, detail }: BusEvent): EventLine {
  const style = eventStyles[type as keyof typeof eventStyles];
  const { workload, nodePool, node, reason } = detail as unknown as Partial<UpdateEventDetail & PoolEventDetail>;
  const message = reason ?? type;
  if (workload === undefined && nodePool === undefined) return { ...style, subject: "cluster", message };
  if (workload !== undefined) return { ...style, subject: `${workload.namespace}/${workload.name}`, message };
  return { ...style, subject: poolSubject(nodePool?.name ?? ""), message: node ? `${node}: ${message}` : message };
}

/** Returns the name of a node pool in the form that the `pawl` commands accept. */
export function poolSubject(name: string): string {
  return `pool/${name}`;
}
