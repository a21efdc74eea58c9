import { type EventType, notifiedEvents } from "./event-types.ts";

/** Which events a target is notified of: those that all of its fields allow. */
export interface NotificationFilter {
  readonly on: "success" | "failure" | "all";
  /** Replaces `on`; null is the events of `on`. */
  readonly events: readonly EventType[] | null;
  /** Names, in which `*` stands for any characters; null is every namespace, and node pools. */
  readonly namespaces: readonly string[] | null;
  /** Likewise the names of workloads. */
  readonly workloads: readonly string[] | null;
}

/** A value, or any that matches, as EventBridge compares it. */
type Matcher = string | { readonly wildcard: string };

/** Fields of an event pattern: https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-event-patterns.html */
export interface EventPattern {
  readonly source: readonly string[];
  readonly "detail-type": readonly string[];
  readonly detail?: Readonly<Record<string, readonly Matcher[] | Readonly<Record<string, readonly Matcher[]>>>>;
}

/** The default limit of EventBridge, in characters. */
export const maxPatternLength = 2048;

/** Returns the event pattern of a filter. `subscribers`, unless it is null, is the name that a workload must give for its events. */
export function eventPattern(filter: NotificationFilter, subscribers: string | null): EventPattern {
  const { namespaces, workloads } = filter;
  const workload = {
    ...(namespaces === null ? {} : { namespace: namespaces.map(matcher) }),
    ...(workloads === null ? {} : { name: workloads.map(matcher) }),
  };
  const detail = {
    ...(Object.keys(workload).length === 0 ? {} : { workload }),
    ...(subscribers === null ? {} : { notify: [subscribers] }),
  };
  const pattern = { source: ["pawl"], "detail-type": [...eventsOf(filter)] };
  return Object.keys(detail).length === 0 ? pattern : { ...pattern, detail };
}

/** Returns the event pattern of the daily digest of a target. */
export function digestPattern(target: string): EventPattern {
  return { source: ["pawl"], "detail-type": ["Daily Digest"], detail: { target: [target] } };
}

function eventsOf({ on, events }: NotificationFilter): readonly EventType[] {
  if (events !== null) return events;
  return on === "all" ? [...notifiedEvents.success, ...notifiedEvents.failure] : notifiedEvents[on];
}

function matcher(name: string): Matcher {
  return name.includes("*") ? { wildcard: name } : name;
}
