import { hasComeWithin, isDue, nextRunAfter, parseSchedule, type Schedule } from "../schedule/schedule.ts";
import { isStalled } from "../workload/update/back-off.ts";
import type { Workload } from "../workload/workload.ts";
import type { Gate } from "./gate.ts";

/**
 * Its schedule is not due. A time of it opens the gate once, for as long as its tolerance; what is held or backs off then is tried again
 * until that ends.
 */
export const scheduleGate: Gate = {
  name: "schedule",
  hold: "not-due",
  isEvaluatedAgain: true,
  evaluate(workload, _target, now) {
    const { policy, updateRecord } = workload;
    const parsed = policy.schedule === null ? null : parseSchedule(policy.schedule);
    if (parsed === null || parsed.kind === "invalid" || isOpen(parsed, workload, now)) return null;
    const until = nextRunAfter(parsed, parsed.kind === "every" ? (updateRecord.lastCheck as Date) : now);
    return {
      reason: "NotDue",
      message: `the schedule "${policy.schedule}" is not due`,
      ...(until === null ? {} : { until }),
    };
  },
};

/** An interval counts from the last check, and so does every schedule of a kind without a tolerance. */
function isOpen(schedule: Schedule, workload: Workload, now: Date): boolean {
  const { policy, updateRecord } = workload;
  const { scheduleToleranceSeconds: tolerance } = policy;
  const { lastCheck } = updateRecord;
  if (schedule.kind === "every" || tolerance === null)
    return isDue(schedule, lastCheck, now) || (schedule.kind === "every" && isUnfinished(workload));
  return hasComeWithin(schedule, tolerance, isUnfinished(workload) ? null : lastCheck, now);
}

/** Reports whether the last check found something that is tried again: it backs off, or another gate was closed. */
export function isUnfinished({ backOff, gates = [] }: Workload): boolean {
  return (backOff !== null && !isStalled(backOff)) || gates.some(({ name }) => !lastingGates.has(name));
}

/** Gates that stay closed until a person or a newer version opens them. A back-off has a record of its own. */
const lastingGates: ReadonlySet<string> = new Set(["suspended", "schedule", "circuit", "back-off", "manual-change"]);
