import { truncate } from "../text/summarize-list.ts";
import type { NotifiedEvent } from "./event.ts";
import { notifiedEvents } from "./event-types.ts";

/** Events of one message, the workload of the worst first. */
export type EventGroup = readonly [NotifiedEvent, ...NotifiedEvent[]];

/** How many events a message names, and how many characters each has. The others are counted. */
export const maxNamedEvents = 20;
const maxLineLength = 300;

/**
 * Divides events of one target into its messages. Without `isGrouped`, each event is one, in order of time; otherwise all events but digests
 * are one, the worst first, and those of a workload in order of time. What is said twice is sent once.
 */
export function groupEvents(events: readonly NotifiedEvent[], isGrouped: boolean): readonly EventGroup[] {
  const inOrder = events.toSorted((one, other) => one.time.localeCompare(other.time));
  const distinct = [...new Map(inOrder.map((event) => [contentOf(event), event])).values()];
  const isAlone = (event: NotifiedEvent) => !isGrouped || event.detail.held !== undefined;
  const alone = distinct.filter(isAlone).map((event): EventGroup => [event]);
  const [first, ...rest] = sortByRank(distinct.filter((event) => !isAlone(event)));
  return first === undefined ? alone : [[first, ...rest], ...alone];
}

/** Returns what names a workload or node pool in other systems: an incident of it is opened and closed by this key. */
export function subjectKey({ detail: { cluster, workload, nodePool } }: NotifiedEvent): string {
  if (workload !== undefined) return [cluster, workload.kind, workload.namespace, workload.name].join("/");
  return nodePool === undefined ? cluster : `${cluster}/BootcNodePool/${nodePool.name}`;
}

/** Returns what people call an event: a rollback that was requested is neither an update nor a failure. */
export function titleOf({ "detail-type": type, detail }: NotifiedEvent): string {
  return detail.requested === true ? "Rolled back on request" : type;
}

/** Returns how often each type of event is in a group: "3 events: 2 Update Rolled Back, 1 Update Held". */
export function describeCounts(group: EventGroup): string {
  const types = Map.groupBy(group, titleOf);
  return `${group.length} events: ${[...types].map(([type, { length }]) => `${length} ${type}`).join(", ")}`;
}

/** Returns a line for each event, up to 20. */
export function describeEvents(group: EventGroup): readonly string[] {
  const named = group.slice(0, maxNamedEvents).map(describeEvent);
  return group.length > named.length ? [...named, `and ${group.length - named.length} more`] : named;
}

function describeEvent(event: NotifiedEvent): string {
  const { workload, nodePool, node, reason, cluster } = event.detail;
  const path = workload ? `${workload.kind} ${workload.namespace}/${workload.name}` : nodePool?.name;
  const subject = path === undefined ? `cluster ${cluster}` : `${path}${node ? `, node ${node}` : ""}`;
  return truncate(`${titleOf(event)}: ${subject}${reason ? `: ${reason}` : ""}`, maxLineLength);
}

/** An event that is delivered or emitted twice has the same content, and only another id, time or execution. */
export function contentOf(event: NotifiedEvent): string {
  const { node, version, reason, held } = event.detail;
  return JSON.stringify([event["detail-type"], subjectKey(event), node, version, reason, held]);
}

const worstFirst: readonly string[] = [...notifiedEvents.failure, "", ...notifiedEvents.success];

/** Events that are neither a failure nor a success are between these. */
function rankOf({ "detail-type": type }: NotifiedEvent): number {
  const rank = worstFirst.indexOf(type);
  return rank === -1 ? worstFirst.indexOf("") : rank;
}

/** Sorts workloads by their worst event, and keeps the order of each. */
function sortByRank(events: readonly NotifiedEvent[]): readonly NotifiedEvent[] {
  const worst = (ofSubject: readonly NotifiedEvent[]) => Math.min(...ofSubject.map(rankOf));
  const bySubject = [...Map.groupBy(events, subjectKey).values()];
  return bySubject.toSorted((one, other) => worst(one) - worst(other)).flat();
}
