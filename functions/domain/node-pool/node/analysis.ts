import { assess, type Assessment } from "../../analysis/assess.ts";
import { parseAnalysis } from "../../analysis/parse-analysis.ts";
import type { AnalysisSpec } from "../../analysis/spec.ts";
import type { AnalysisState } from "../../analysis/state.ts";
import { bindArgs } from "../../analysis/template.ts";
import { isBack } from "../step/slots.ts";
import { bootRecordedAt } from "./soak.ts";
import type { BootcNode, Member } from "./bootc-node.ts";
import type { NodePool } from "../pool/node-pool.ts";
import { computeRequestedImage } from "../pool/target.ts";

/** Returns an analysis with the arguments `node` and `pool`, or its problems. */
function bind(spec: AnalysisSpec, node: string, pool: string) {
  return bindArgs(spec, { node, pool });
}

/** Parses the analysis of a pool. A node has no namespace for a Job. */
export function parseNodeAnalysis(
  written: unknown,
): AnalysisSpec | { readonly kind: "invalid"; readonly reasons: readonly string[] } {
  const spec = parseAnalysis(written);
  const checked = Array.isArray(spec) ? spec : bind(spec, "node", "pool");
  if (Array.isArray(checked)) return { kind: "invalid", reasons: checked.map(({ reason }) => reason) };
  const reasons = checked.metrics.flatMap(({ provider }, index) =>
    provider.kind === "job" ? [`metrics[${index}].job: has no namespace in a node pool; use a query`] : [],
  );
  return reasons.length === 0 ? (spec as AnalysisSpec) : { kind: "invalid", reasons };
}

/** Returns the analysis of a node, with its name as an argument. */
export function analysisOf({ name }: Member, { name: pool }: NodePool, spec: AnalysisSpec): AnalysisSpec {
  const bound = bind(spec, name, pool);
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

/** Returns why the metrics of a node failed; null if they have not. */
export function findAnalysisProblem(member: Member, pool: NodePool, now: Date): string | null {
  const assessment = assessNode(member, pool, now);
  return assessment?.kind === "fail" ? `its analysis failed: ${assessment.reason}` : null;
}
