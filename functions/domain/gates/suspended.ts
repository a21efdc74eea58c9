import type { Gate } from "./gate.ts";

/** A person has suspended the AutoUpdate, or paused the workload. */
export const suspendedGate: Gate = {
  name: "suspended",
  hold: "paused",
  isEvaluatedAgain: true,
  evaluate: ({ policy }) =>
    policy.paused
      ? { reason: "Suspended", message: "it is suspended, or pawl.dev/paused is set", liftedBy: "pawl resume" }
      : null,
};
