import { formatRfc3339, parseRfc3339 } from "../text/rfc3339.ts";

/** Why a gate is closed, as `status.gates` has it. */
export interface ClosedGate {
  readonly name: string;
  /** In CamelCase, for programs. */
  readonly reason: string;
  /** A sentence for people. */
  readonly message: string;
  /** When it opens by itself; absent if it does not, or nobody knows when. */
  readonly until?: Date;
  /** Since when it is closed, as recorded. */
  readonly since?: Date;
  /** Who or what opens it before; absent if nothing does. */
  readonly liftedBy?: string;
}

/** A gate that a poll found closed by facts that are not in the workload. Plain JSON. */
export interface FoundGate extends Omit<ClosedGate, "until" | "since"> {
  /** RFC3339. */
  readonly until?: string;
  /** RFC3339. */
  readonly since?: string;
}

/** Returns a gate as plain JSON. */
export function toFoundGate({ until, since, ...gate }: ClosedGate): FoundGate {
  return {
    ...gate,
    ...(until === undefined ? {} : { until: formatRfc3339(until) }),
    ...(since === undefined ? {} : { since: formatRfc3339(since) }),
  };
}

/** Reads a gate from plain JSON. What is no time counts as absent. */
export function fromFoundGate({ until: untilText, since: sinceText, ...gate }: FoundGate): ClosedGate {
  const [until, since] = [parseRfc3339(untilText ?? ""), parseRfc3339(sinceText ?? "")];
  return { ...gate, ...(until === null ? {} : { until }), ...(since === null ? {} : { since }) };
}
