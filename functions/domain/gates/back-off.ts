import { attemptsOf, describeBackOff, isBackingOff, isStalled } from "../workload/update/back-off.ts";
import type { Gate } from "./gate.ts";

/** The last attempt for this target ended without an observation of it. */
export const backOffGate: Gate = {
  name: "back-off",
  hold: "back-off",
  isEvaluatedAgain: false,
  evaluate(workload, target, now) {
    const { backOff: found } = workload;
    if (found === null || target === null || !isBackingOff(workload, target, now)) return null;
    const last = { ...found, ...attemptsOf(found, target) };
    return {
      reason: last.reason,
      message: describeBackOff(last),
      ...(isStalled(last) ? {} : { until: last.until }),
      liftedBy: "pawl retry",
    };
  },
};
