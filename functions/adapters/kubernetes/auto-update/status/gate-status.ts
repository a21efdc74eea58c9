import { type ClosedGate, type FoundGate, fromFoundGate, toFoundGate } from "../../../../domain/gates/closed-gate.ts";
import { truncate } from "../../../../domain/text/summarize-list.ts";

const maxMessageLength = 1024;

/** Returns the closed gates as a status has them; undefined if there is none. */
export function toGateStatus(gates: readonly ClosedGate[]): readonly FoundGate[] | undefined {
  if (gates.length === 0) return undefined;
  return gates.map((gate) => ({ ...toFoundGate(gate), message: truncate(gate.message, maxMessageLength) }));
}

/** Reads the closed gates. */
export function fromGateStatus(gates: readonly FoundGate[] = []): readonly ClosedGate[] {
  return gates.map(fromFoundGate);
}
