import type { Ports } from "../../contract/ports.ts";
import type { TaskOutput } from "../../contract/workload-update.ts";
import { type Assessment, describeRun } from "../../domain/analysis/assess.ts";
import { defaultNoDataTimeoutSeconds } from "../../domain/analysis/parse-analysis.ts";
import { pauseAnalysis, pausedSeconds, resumeAnalysis } from "../../domain/analysis/pause.ts";
import type { AnalysisPause } from "../../domain/analysis/state.ts";
import { needsContinuation } from "../../domain/execution/history-limit.ts";
import { knownVerdict } from "../../domain/workload/canary/canary.ts";
import { assessHealth } from "../../domain/workload/canary/health.ts";
import type { HeldClaim } from "../../domain/workload/claim.ts";
import type { Workload } from "../../domain/workload/workload.ts";
import { readAnalysis } from "../read-analysis.ts";
import { runAnalysis } from "./run-analysis.ts";
import { keepClaim } from "./wait-result.ts";

type Output = TaskOutput<"AnalyzeCanary">;
type AnalysisPorts = Pick<Ports, "cluster" | "metricProvider" | "now">;

/** An edit of an analysis that was invalid applies after at most this time. */
const invalidRetrySeconds = 60;

/**
 * Assesses and measures the canary of a claimed workload, records new measurements, and returns the result of the step. Only a
 * measurement that failed, or a pod of the canary that did, fails it: what is unknown withdraws it.
 */
export async function analyzeClaim(
  ports: AnalysisPorts,
  { workload, inFlight }: HeldClaim,
  executionStartedAt: string,
): Promise<Output> {
  const known = knownVerdict(workload, inFlight);
  if (known !== null) return { waitSeconds: 0, ...known };
  const health = assessHealth(workload, inFlight, ports.now());
  if (health.kind === "not-ready") return pause(ports, workload, { ...health, kind: "NotReady" }, executionStartedAt);
  if (health.kind !== "ready") return { waitSeconds: 0, ...health };
  const spec = await readAnalysis(ports, workload, "canary");
  if (spec === null) return { kind: "pass", waitSeconds: 0, reason: "the canary is ready and has no analysis" };
  if (spec.kind === "invalid") {
    const { reason } = spec;
    const isOver = pausedSeconds(workload.analysis, "Invalid", ports.now()) >= defaultNoDataTimeoutSeconds;
    if (isOver) return { kind: "withdraw", waitSeconds: 0, reason };
    return pause(ports, workload, { kind: "Invalid", waitSeconds: invalidRetrySeconds, reason }, executionStartedAt);
  }
  const previous = workload.analysis && resumeAnalysis(workload.analysis);
  const { state, assessment } = await runAnalysis(ports, spec, previous);
  const waitSeconds = assessment.kind === "running" ? assessment.waitSeconds : 0;
  await keepClaim(ports, workload, waitSeconds, state === workload.analysis ? null : { analysis: state });
  if (assessment.kind !== "running") return { kind: steps[assessment.kind], waitSeconds, reason: assessment.reason };
  return {
    kind: needsContinuation(executionStartedAt, ports.now(), spec.intervalSeconds) ? "continue" : "running",
    waitSeconds,
    reason: describeRun(state) ?? "no measurement yet",
  };
}

const steps = {
  pass: "pass",
  fail: "fail",
  error: "withdraw",
  inconclusive: "withdraw",
} as const satisfies Record<Exclude<Assessment["kind"], "running">, Output["kind"]>;

interface Pause {
  readonly kind: AnalysisPause["reason"];
  readonly waitSeconds: number;
  readonly reason: string;
}

/** Records why nothing is measured, once. */
async function pause(
  ports: AnalysisPorts,
  workload: Workload,
  { kind, waitSeconds, reason }: Pause,
  executionStartedAt: string,
): Promise<Output> {
  const state = pauseAnalysis(workload.analysis, kind, reason, ports.now());
  await keepClaim(ports, workload, waitSeconds, state === workload.analysis ? null : { analysis: state });
  return { kind: needsContinuation(executionStartedAt, ports.now()) ? "continue" : "running", waitSeconds, reason };
}
