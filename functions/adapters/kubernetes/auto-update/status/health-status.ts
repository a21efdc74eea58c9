import type { Health } from "../../../../domain/health/health.ts";
import { parseRfc3339 } from "../../../../domain/text/rfc3339.ts";
import { type Stored, toStored } from "./stored.ts";

/** What the checks of an update have seen of its pods. */
export type HealthStatus = Partial<Stored<Health>>;

/** Reads what was seen of the pods; empty if nothing was. */
export function readHealth(status: HealthStatus | undefined): { readonly health?: Health } {
  if (status === undefined) return {};
  const { readyUntil, pods = [], maxExitsOfOthers } = status;
  return {
    health: {
      ...readTime("readyUntil", readyUntil),
      pods: pods.map(({ unreadyAt, ...pod }) => ({ ...pod, ...readTime("unreadyAt", unreadyAt) })),
      ...(maxExitsOfOthers === undefined ? {} : { maxExitsOfOthers }),
    },
  };
}

/** Returns the same as a status has it. */
export function toHealthStatus({ pods, ...rest }: Health): HealthStatus {
  return toStored({ ...rest, ...(pods.length === 0 ? {} : { pods }) });
}

function readTime<Name extends string>(name: Name, text: string | undefined): { readonly [name in Name]?: Date } {
  const time = parseRfc3339(text ?? "");
  return time === null ? {} : ({ [name]: time } as { readonly [name in Name]: Date });
}
