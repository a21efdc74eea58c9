import { writtenImage } from "../../functions/domain/workload/target/target.ts";
import type { AnalysisSpec } from "../../functions/domain/analysis/spec.ts";
import { formatRfc3339, secondsBetween } from "../../functions/domain/text/rfc3339.ts";
import { describeStep, stepInFlight } from "../../functions/domain/workload/canary/progress.ts";
import { assessStage } from "../../functions/domain/workload/canary/stage.ts";
import { missingCondition } from "../../functions/domain/workload/update/readiness.ts";
import type { InFlight } from "../../functions/domain/workload/update/in-flight.ts";
import type { Workload } from "../../functions/domain/workload/workload.ts";
import type { Cluster } from "../../functions/ports/cluster.ts";
import { Forbidden } from "../../functions/ports/errors.ts";
import { readAnalysis, readStepAnalysis } from "../../functions/workflows/read-analysis.ts";

/** How far an update in flight has come. */
export interface Progress {
  readonly step: string;
  /** null if nothing ends it by itself. */
  readonly left: { readonly seconds: number; readonly until: Limit } | null;
  /** What is still missing; null if only time is. */
  readonly waitsFor: string | null;
}

type Limit = "health timeout" | "end of the bake time" | "deadline of the analysis" | "end of the pause" | "withdrawal";

/** Describes the update in flight; null if there is none. `deadlineSeconds` is that of its analysis, null if it is not known. */
export function progressOf(workload: Workload, deadlineSeconds: number | null, now: Date): Progress | null {
  const { inFlight, policy, rollout } = workload;
  if (inFlight === null) return null;
  const { phase, observation, startedAt } = inFlight;
  const healthLeft = (from: Date | "malformed" | undefined) =>
    from === undefined || from === "malformed" ? null : left(from, policy.healthTimeoutSeconds, "health timeout", now);
  if (phase === "rollback")
    return { step: "rollback", left: healthLeft(inFlight.revertedAt), waitsFor: missingCondition(rollout, null) };
  if (observation?.kind === "baking") {
    const seconds = policy.bake?.seconds ?? null;
    const end =
      seconds === null
        ? analysisLeft(workload, deadlineSeconds, now)
        : left(observation.since, seconds, "end of the bake time", now);
    return { step: "bake time", left: end, waitsFor: workload.analysis?.pause?.message ?? null };
  }
  if (phase === "canary") return progressOfCanary(workload, inFlight, deadlineSeconds, now);
  if (observation?.kind === "waiting") return { step: phase, left: null, waitsFor: observation.reason };
  const image = phase === "restart" ? null : writtenImage(inFlight.target);
  return { step: phase, left: healthLeft(observation?.at ?? startedAt), waitsFor: missingCondition(rollout, image) };
}

function progressOfCanary(workload: Workload, inFlight: InFlight, deadlineSeconds: number | null, now: Date): Progress {
  const { analysis, canary, policy, canaryProgress: progress } = workload;
  const step = progress === null ? "canary" : `canary ${describeStep(progress)}`;
  if (progress?.waitsFor === "NextStep") return { step, left: null, waitsFor: "its next step" };
  if (progress !== null && progress.until !== null) {
    const isForPerson = progress.waitsFor === "Promotion";
    const seconds = secondsBetween(progress.since, progress.until);
    return {
      step,
      left: left(progress.since, seconds, isForPerson ? "withdrawal" : "end of the pause", now),
      waitsFor: isForPerson ? 'a person; run "pawl promote" or "pawl abort"' : null,
    };
  }
  if (analysis !== null)
    return { step, left: analysisLeft(workload, deadlineSeconds, now), waitsFor: analysis.pause?.message ?? null };
  const { startedAt, target } = stepInFlight(inFlight, progress);
  const healthLeft =
    startedAt === "malformed" ? null : left(startedAt, policy.healthTimeoutSeconds, "health timeout", now);
  return { step, left: healthLeft, waitsFor: missingCondition(canary, writtenImage(target)) };
}

/** An analysis may complete earlier than at its deadline. */
function analysisLeft({ analysis }: Workload, deadlineSeconds: number | null, now: Date): Progress["left"] {
  if (analysis === null || deadlineSeconds === null) return null;
  return left(analysis.startedAt, deadlineSeconds, "deadline of the analysis", now);
}

/** At most the whole time: the clock of who wrote `from` may be ahead, and that of a demo is. */
function left(from: Date, seconds: number, until: Limit, now: Date): Progress["left"] {
  const passed = Math.max(0, secondsBetween(from, now));
  return { seconds: Math.max(0, Math.round(seconds - passed)), until };
}

/** Returns the measurements that are kept, oldest first, as `--json` prints them. */
export function measurementsOf({ analysis }: Workload) {
  return (analysis?.measurements ?? []).map(({ at, ...measurement }) => ({ at: formatRfc3339(at), ...measurement }));
}

/** Returns the deadline of the analysis in progress; null if there is none, or if it is invalid or may not be read. */
export async function readAnalysisDeadline(
  cluster: Pick<Cluster, "readAnalysis">,
  workload: Workload,
  now: Date,
): Promise<number | null> {
  const { inFlight } = workload;
  const stage = inFlight?.phase === "canary" ? assessStage(workload, now) : null;
  if (stage !== null && stage.kind !== "measure") return null;
  return (await readCurrentAnalysis(cluster, workload, now))?.deadlineSeconds ?? null;
}

/** Returns the analysis in progress, also between its steps; null if there is none, or if it is invalid or may not be read. */
export async function readCurrentAnalysis(
  cluster: Pick<Cluster, "readAnalysis">,
  workload: Workload,
  now: Date,
): Promise<AnalysisSpec | null> {
  const { inFlight, analysis } = workload;
  if (inFlight === null || analysis === null) return null;
  try {
    const stage = inFlight.phase === "canary" ? assessStage(workload, now) : null;
    const own = stage !== null && "analysis" in stage ? stage.analysis : undefined;
    const spec = await (stage?.kind === "measure"
      ? readStepAnalysis({ cluster }, workload, stage)
      : readAnalysis({ cluster }, workload, stage === null ? "rollout" : "canary", own));
    return spec?.kind === "analysis" ? spec : null;
  } catch (error) {
    if (error instanceof Forbidden) return null;
    throw error;
  }
}
