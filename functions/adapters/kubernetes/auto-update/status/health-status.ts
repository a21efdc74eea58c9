import type { Health, PodHealth } from "../../../../domain/health/health.ts";
import { formatRfc3339, parseRfc3339 } from "../../../../domain/text/rfc3339.ts";

/** What the checks of an update have seen of its pods. */
export interface HealthStatus {
  readonly readyUntil?: string;
  readonly pods?: readonly PodHealthStatus[];
  readonly maxExitsOfOthers?: number;
}

interface PodHealthStatus extends Omit<PodHealth, "unreadyAt"> {
  readonly unreadyAt?: string;
}

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
export function toHealthStatus({ readyUntil, pods, maxExitsOfOthers }: Health): HealthStatus {
  return {
    ...(readyUntil === undefined ? {} : { readyUntil: formatRfc3339(readyUntil) }),
    ...(pods.length === 0 ? {} : { pods: pods.map(toPodStatus) }),
    ...(maxExitsOfOthers === undefined ? {} : { maxExitsOfOthers }),
  };
}

function toPodStatus({ unreadyAt, ...pod }: PodHealth): PodHealthStatus {
  return { ...pod, ...(unreadyAt === undefined ? {} : { unreadyAt: formatRfc3339(unreadyAt) }) };
}

function readTime<Name extends string>(name: Name, text: string | undefined): { readonly [name in Name]?: Date } {
  const time = parseRfc3339(text ?? "");
  return time === null ? {} : ({ [name]: time } as { readonly [name in Name]: Date });
}
