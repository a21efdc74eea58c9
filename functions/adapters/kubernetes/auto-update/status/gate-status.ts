import type { ClosedGate } from "../../../../domain/gates/closed-gate.ts";
import { formatRfc3339, parseRfc3339 } from "../../../../domain/text/rfc3339.ts";
import { truncate } from "../../../../domain/text/summarize-list.ts";
import type { GateStatus } from "./status-fields.ts";

const maxMessageLength = 1024;

/** Returns the closed gates as a status has them; undefined if there is none. */
export function toGateStatus(gates: readonly ClosedGate[]): readonly GateStatus[] | undefined {
  if (gates.length === 0) return undefined;
  return gates.map(({ until, since, message, ...gate }) => ({
    ...gate,
    message: truncate(message, maxMessageLength),
    ...(until === undefined ? {} : { until: formatRfc3339(until) }),
    ...(since === undefined ? {} : { since: formatRfc3339(since) }),
  }));
}

/** Reads the closed gates. What is no time counts as absent. */
export function fromGateStatus(gates: readonly GateStatus[] = []): readonly ClosedGate[] {
  return gates.map(({ until: untilText, since: sinceText, ...gate }) => {
    const [until, since] = [parseRfc3339(untilText ?? ""), parseRfc3339(sinceText ?? "")];
    return { ...gate, ...(until === null ? {} : { until }), ...(since === null ? {} : { since }) };
  });
}
