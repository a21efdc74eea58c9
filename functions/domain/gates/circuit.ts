import { versionOfTarget } from "../workload/target/target.ts";
import type { Gate } from "./gate.ts";

/** Too many updates in a row have failed. */
export const circuitGate: Gate = {
  name: "circuit",
  hold: "circuit-open",
  isEvaluatedAgain: true,
  evaluate({ updateRecord: { circuitOpen } }, target) {
    if (!circuitOpen) return null;
    return {
      reason: "CircuitOpen",
      message: `the circuit is open${target === null ? "" : `: ${describe(versionOfTarget(target), target.kind)}`}`,
      liftedBy: "pawl reset",
    };
  },
};

function describe(version: string, kind: string): string {
  if (kind === "config") return `the configuration has changed (${version}) and the workload is not restarted`;
  return `${kind === "image" ? "version " : ""}${version} is available but not applied`;
}
