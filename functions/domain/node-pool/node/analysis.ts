import { assess, type Assessment } from "../../analysis/assess.ts";
import { parseAnalysis } from "../../analysis/parse-analysis.ts";
import type { AnalysisSpec } from "../../analysis/spec.ts";
import type { AnalysisState } from "../../analysis/state.ts";
import { formatRfc3339, fromEpoch, secondsBetween } from "../../text/rfc3339.ts";
import { overdueSeconds } from "../halt/timeouts.ts";
import { bindArgs } from "../../analysis/template.ts";
import { isBack } from "../step/slots.ts";
import { bootRecordedAt } from "./soak.ts";
import type { BootcNode, Member } from "./bootc-node.ts";
import type { Parse } from "../pool/raw-spec.ts";
import type { NodePool } from "../pool/node-pool.ts";
import { computeRequestedImage } from "../pool/target.ts";

/** Parses the analysis of a pool. A node has no namespace for a Job. */
export const parseNodeAnalysis: Parse<AnalysisSpec> = (written) => {
  const spec = parseAnalysis(written);
  const checked = Array.isArray(spec) ? spec : bindArgs(spec, { node: "node", pool: "pool" });
  if (Array.isArray(checked)) return { kind: "invalid", problems: checked };
  const problems = checked.metrics.flatMap(({ provider }, index) =>
    provider.kind === "job" ? [{ reason: `metrics[${index}].job: has no namespace in a node pool; use a query` }] : [],
  );
  return problems.length === 0 ? { kind: "valid", value: spec as AnalysisSpec } : { kind: "invalid", problems };
};

/** Returns the analysis of a node, with its name as an argument. */
export function analysisOf({ name }: Member, { name: pool }: NodePool, spec: AnalysisSpec): AnalysisSpec {
  const bound = bindArgs(spec, { node: name, pool });
  return Array.isArray(bound) ? spec : bound;
}

/** Returns the run of a node since its reboot; null before its first measurement. */
export function runOf(bootcNode: BootcNode): AnalysisState | null {
  const bootedAt = bootRecordedAt(bootcNode);
  const { analysis } = bootcNode;
  return analysis !== null && bootedAt !== null && analysis.startedAt >= bootedAt ? analysis : null;
}

/** Reports whether a node has to be measured: it soaks on the image that the spec names. An image that nodes go back to is not measured. */
export function isMeasured(member: Member, pool: NodePool): boolean {
  const { bootcNode } = member;
  if (bootRecordedAt(bootcNode) === null || !isBack(member)) return false;
  return bootcNode.desiredImage === computeRequestedImage(pool);
}

/** Assesses what was measured of a node; null if it is not measured. */
export function assessNode(member: Member, pool: NodePool, now: Date): Assessment | null {
  const { analysis } = pool.spec;
  if (analysis === null || !isMeasured(member, pool)) return null;
  const run = runOf(member.bootcNode);
  return run === null ? { kind: "running", waitSeconds: 0, due: [] } : assess(analysis, run, now);
}

/** Reports whether a run has no value yet, although it was measured. */
function hasNoValue({ measurements }: AnalysisState): boolean {
  return measurements.length > 0 && measurements.every(({ verdict }) => verdict === "error");
}

const minRetrySeconds = 3600;
const maxRetrySeconds = 6 * 3600;

/**
 * Returns when a run that ended undecided begins again. One without a value does at once: it is measured seldom. One with values costs as
 * much as the first, and waits as long as it has taken since the reboot.
 */
function nextRunAt(run: AnalysisState, bootedAt: Date): Date {
  const endedAt = fromEpoch(Math.max(run.startedAt.getTime(), ...run.measurements.map(({ at }) => at.getTime())));
  if (hasNoValue(run)) return endedAt;
  const seconds = Math.min(Math.max(secondsBetween(bootedAt, endedAt), minRetrySeconds), maxRetrySeconds);
  return fromEpoch(endedAt.getTime() + seconds * 1000);
}

/** How a node is measured whose metrics are not decided yet. */
export interface Measuring {
  /** Until the next measurement. */
  readonly waitSeconds: number;
  /** Whether its run has ended undecided: it begins again. */
  readonly isOver: boolean;
  /** Why it has no result, once that takes too long; null before. It neither fails the node nor lets it pass. */
  readonly problem: string | null;
  /** Whether there has been no value for so long that the node is measured seldom. */
  readonly isWithoutData: boolean;
}

/** Returns how a node is measured; null if it is not, or if its metrics are decided. */
export function findMeasuring(member: Member, pool: NodePool, now: Date): Measuring | null {
  const assessment = assessNode(member, pool, now);
  if (assessment === null || assessment.kind === "pass" || assessment.kind === "fail") return null;
  const run = runOf(member.bootcNode);
  if (run === null) return { waitSeconds: 0, isOver: false, problem: null, isWithoutData: false };
  // A run belongs to a reboot that was recorded.
  const bootedAt = bootRecordedAt(member.bootcNode) as Date;
  const isWithoutData = hasNoValue(run) && secondsBetween(bootedAt, now) > overdueSeconds;
  const [note] = run.measurements.slice(-1).map((one) => one.note);
  const noValue = isWithoutData ? `its metrics have no value: ${String(note)}` : null;
  if (assessment.kind === "running")
    return { waitSeconds: assessment.waitSeconds, isOver: false, problem: noValue, isWithoutData };
  const at = nextRunAt(run, bootedAt);
  const undecided = `its analysis has no result: ${assessment.reason}; it begins again at ${formatRfc3339(at)}`;
  const problem = hasNoValue(run) ? noValue : undecided;
  return { waitSeconds: secondsBetween(now, at), isOver: true, problem, isWithoutData };
}

/** Returns why the metrics of a node failed; null if they have not. */
export function findAnalysisProblem(member: Member, pool: NodePool, now: Date): string | null {
  const assessment = assessNode(member, pool, now);
  return assessment?.kind === "fail" ? `its analysis failed: ${assessment.reason}` : null;
}
