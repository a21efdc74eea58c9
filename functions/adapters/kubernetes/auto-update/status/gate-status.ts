import type { ClosedGate } from "../../../../domain/gates/closed-gate.ts";
import { formatRfc3339, parseRfc3339 } from "../../../../domain/text/rfc3339.ts";
import { truncate } from "../../../../domain/text/summarize-list.ts";
import type { GateStatus } from "./status-fields.ts";

const maxMessageLength = 1024;

/** Returns the closed gates as a status has them; undefined if there is none. */
export function toGateStatus(gates: readonly ClosedGate[]): readonly GateStatus[] | undefined {
  if (gates.length === 0) return undefined;
  return gates.map(({ until, message, ...gate }) => ({
    ...gate,
    message: truncate(message, maxMessageLength),
    ...(until === undefined ? {} : { until: formatRfc3339(until) }),
  }));
}

/** Reads the closed gates. An end that is no time counts as absent. */
export function fromGateStatus(gates: readonly GateStatus[] = []): readonly ClosedGate[] {
  return gates.map(({ until: text, ...gate }) => {
    const until = parseRfc3339(text ?? "");
    return until === null ? gate : { ...gate, until };
  });
}
