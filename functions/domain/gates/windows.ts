import {
  isAnyWindowOpen,
  type MaintenanceWindow,
  nextCommonOpening,
  parseWindow,
  type RawWindow,
} from "../schedule/maintenance-windows.ts";
import type { Policy } from "../workload/workload.ts";
import type { Gate } from "./gate.ts";

/** None of its windows is open, or none of those that the deployment enforces. */
export const windowsGate: Gate = {
  name: "windows",
  hold: "outside-windows",
  isEvaluatedAgain: true,
  evaluate({ policy }, target, now) {
    if (target?.kind === "config" && !policy.restartsInWindows) return null;
    const lists = listsOf(policy);
    if (isOpen(lists, now)) return null;
    const until = nextCommonOpening(lists, now);
    const isOwn = !isAnyWindowOpen(parseWindows(policy.windows), now);
    return {
      reason: "WindowClosed",
      message: `none of ${isOwn ? "its windows" : "the windows that the deployment enforces"} is open`,
      ...(until === null ? {} : { until }),
      liftedBy: "pawl push",
    };
  },
};

/** Returns why an update must go back: it began in a window, and none is open any more. null if it may continue. */
export function endedWindowReason(policy: Policy, startedAt: Date | "malformed", now: Date): string | null {
  if (!policy.rollsBackAtWindowEnd || startedAt === "malformed") return null;
  const lists = listsOf(policy);
  return isOpen(lists, startedAt) && !isOpen(lists, now) ? "its window has ended, and onWindowEnd is rollBack" : null;
}

type Lists = readonly (readonly MaintenanceWindow[])[];

function isOpen(lists: Lists, now: Date): boolean {
  return lists.every((windows) => isAnyWindowOpen(windows, now));
}

function listsOf({ windows, enforcedWindows = [] }: Policy): Lists {
  return [windows, ...enforcedWindows].map(parseWindows);
}

/** A window that cannot be parsed is a problem, with which nothing starts. */
function parseWindows(windows: readonly RawWindow[]): readonly MaintenanceWindow[] {
  return windows.map((window) => parseWindow(window)).filter((window) => window.kind === "window");
}
