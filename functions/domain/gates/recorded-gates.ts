import type { HoldReason } from "../workload/decision/decision.ts";
import type { Workload } from "../workload/workload.ts";
import type { Gate } from "./gate.ts";

/** The gates that depend on the other workloads of a poll, with the reasons of their holds. */
const polled: readonly (readonly [string, HoldReason])[] = [
  ["haltedElsewhere", "halted"],
  ["limits", "limited"],
];

/** Returns these gates as a poll has recorded them: without the other workloads nothing more is known. */
export function recordedGates({ gates = [] }: Workload): readonly Gate[] {
  return polled.flatMap(([name, hold]) => {
    const recorded = gates.find((gate) => gate.name === name);
    if (recorded === undefined) return [];
    const { name: _name, ...closed } = recorded;
    return [{ name, hold, isEvaluatedAgain: false, hasFacts: true, evaluate: () => closed }];
  });
}
