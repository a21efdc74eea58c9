import { isAnyWindowOpen, type MaintenanceWindow, nextOpening, parseWindow } from "../schedule/maintenance-windows.ts";
import type { Policy } from "../workload/workload.ts";
import type { Gate } from "./gate.ts";

/** None of its windows is open. */
export const windowsGate: Gate = {
  name: "windows",
  hold: "outside-windows",
  isEvaluatedAgain: true,
  evaluate({ policy }, _target, now) {
    const windows = windowsOf(policy);
    if (isAnyWindowOpen(windows, now)) return null;
    const until = nextOpening(windows, now);
    return {
      reason: "WindowClosed",
      message: "none of its windows is open",
      ...(until === null ? {} : { until }),
      liftedBy: "pawl push",
    };
  },
};

/** Returns why an update must go back: it began in a window, and none is open any more. null if it may continue. */
export function endedWindowReason(policy: Policy, startedAt: Date | "malformed", now: Date): string | null {
  if (!policy.rollsBackAtWindowEnd || startedAt === "malformed") return null;
  const windows = windowsOf(policy);
  const hasEnded = isAnyWindowOpen(windows, startedAt) && !isAnyWindowOpen(windows, now);
  return hasEnded ? "its window has ended, and onWindowEnd is rollBack" : null;
}

/** A window that cannot be parsed is a problem, with which nothing starts. */
function windowsOf({ windows }: Policy): readonly MaintenanceWindow[] {
  return windows.map((window) => parseWindow(window)).filter((window) => window.kind === "window");
}
