import { formatDuration } from "../text/duration.ts";
import { secondsAfter } from "../text/rfc3339.ts";
import type { Gate, GateSubject } from "./gate.ts";

/** A response has only whole seconds, and takes some to arrive. */
const toleranceSeconds = 60;

/** Returns gates that are closed also if they are closed at the time of the API server: a clock that is wrong opens none early. */
export function gatesAtServerTime<Subject extends GateSubject>(
  aheadSeconds: number,
  gates: readonly Gate<Subject>[],
): readonly Gate<Subject>[] {
  return Math.abs(aheadSeconds) <= toleranceSeconds ? [] : gates.map((gate) => atServerTime(gate, aheadSeconds));
}

function atServerTime<Subject extends GateSubject>(gate: Gate<Subject>, aheadSeconds: number): Gate<Subject> {
  const difference = formatDuration(Math.round(Math.abs(aheadSeconds)));
  const clocks = `the clock of the API server is ${difference} ${aheadSeconds > 0 ? "ahead of" : "behind"} that of Pawl`;
  return {
    ...gate,
    hasFacts: true,
    evaluate(workload, target, now) {
      const closed = gate.evaluate(workload, target, secondsAfter(now, aheadSeconds));
      if (closed === null) return null;
      const { until: _until, ...others } = closed;
      return { ...others, reason: "ClockWrong", message: `${closed.message}, by the API server: ${clocks}` };
    },
  };
}
