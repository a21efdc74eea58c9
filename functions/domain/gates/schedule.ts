import { isDue, nextRunAfter, parseSchedule } from "../schedule/schedule.ts";
import type { Gate } from "./gate.ts";

/** Its schedule is not due. The update itself ends the time in which it is, so no step evaluates it again. */
export const scheduleGate: Gate = {
  name: "schedule",
  hold: "not-due",
  isEvaluatedAgain: false,
  evaluate({ policy, updateRecord: { lastCheck } }, _target, now) {
    const parsed = policy.schedule === null ? null : parseSchedule(policy.schedule);
    if (parsed === null || parsed.kind === "invalid" || lastCheck === null || isDue(parsed, lastCheck, now))
      return null;
    const until = nextRunAfter(parsed, lastCheck);
    return {
      reason: "NotDue",
      message: `the schedule "${policy.schedule}" is not due`,
      ...(until === null ? {} : { until }),
    };
  },
};
