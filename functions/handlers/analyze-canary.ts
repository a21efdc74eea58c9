import { analyse, readAnalysis } from "../analyzing.ts";
import { lastMeasurement } from "../domain/analysis/last-measurement.ts";
import { knownVerdict } from "../domain/canary.ts";
import { claimOf } from "../domain/claim.ts";
import { isOverdue } from "../domain/hand-over.ts";
import { lambda, type Task } from "../task.ts";

/** Takes the measurements that are due and keeps them on the workload, and says how the canary stands. */
export const analyzeCanary: Task<"AnalyzeCanary"> = async (ports, input) => {
  const workload = await ports.cluster.read(input.workload);
  const claim = claimOf(workload, input.execution, input.image);
  if (workload === null) return { kind: "superseded", waitSeconds: 0, reason: "the workload is gone" };
  if (claim.kind === "lost") return { kind: "superseded", waitSeconds: 0, reason: claim.reason };
  const known = knownVerdict(workload, claim.inFlight);
  if (known !== null) return { waitSeconds: 0, ...known };
  const spec = await readAnalysis(ports, workload);
  if (spec === null) return { kind: "pass", waitSeconds: 0, reason: "the canary stands, and no analysis is asked for" };
  if (spec.kind === "unreadable") return { kind: "fail", waitSeconds: 0, reason: spec.reason };
  const { state, assessment } = await analyse(ports, spec, workload.analysis);
  if (state !== workload.analysis) await ports.cluster.change(workload, { analysis: state });
  if (assessment.kind !== "running") {
    return { kind: assessment.kind === "pass" ? "pass" : "fail", waitSeconds: 0, reason: assessment.reason };
  }
  const isOld = isOverdue(input.executionStartedAt, ports.now(), spec.intervalSeconds);
  return {
    kind: isOld ? "handover" : "running",
    waitSeconds: assessment.waitSeconds,
    reason: lastMeasurement(state) ?? "nothing was measured yet",
  };
};

export const handler = lambda(analyzeCanary);
