import { canCoincide } from "../../schedule/coincidence.ts";
import { type MaintenanceWindow, parseWindow } from "../../schedule/maintenance-windows.ts";
import { parseSchedule } from "../../schedule/schedule.ts";
import { formatDuration } from "../../text/duration.ts";
import type { Policy } from "../workload.ts";
import { fieldProblem, type Problem } from "./problem.ts";
import type { RawPolicy } from "./raw-policy.ts";

type Times = Pick<Policy, "schedule" | "scheduleToleranceSeconds" | "windows" | "enforcedWindows">;

/** Returns the problem of a schedule and windows that are valid by themselves, but never open together. null if they do. */
export function neverOpensProblem(raw: RawPolicy, policy: Times): Problem | null {
  const { schedule, scheduleToleranceSeconds: tolerance, windows, enforcedWindows = [] } = policy;
  const lists = [windows, ...enforcedWindows].map((list) =>
    list.map((window) => parseWindow(window)).filter((window) => window.kind === "window"),
  );
  const place = (...names: readonly string[]) => names.flatMap((name) => raw[name]?.place ?? []).join(" and ");
  if (!canCoincide(lists))
    return fieldProblem(
      place("windows", "enforcedWindows"),
      "NeverOpens",
      "no windows of the owner and of all that the deployment enforces are open at once; change them",
    );
  const times = tolerance === null ? null : timesOf(schedule, tolerance);
  if (times === null || canCoincide([...lists, [times]])) return null;
  const reason = `no window is open within ${formatDuration(tolerance as number)} of a time of the schedule; change one of them`;
  return fieldProblem(place("schedule", "windows", "enforcedWindows"), "NeverOpens", reason);
}

/** Each time of a schedule opens for as long as its tolerance. An interval names no time of day. */
function timesOf(schedule: string | null, durationSeconds: number): MaintenanceWindow | null {
  const parsed = schedule === null ? null : parseSchedule(schedule);
  return parsed?.kind === "cron" ? { kind: "window", schedule: parsed, durationSeconds } : null;
}
