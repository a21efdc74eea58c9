import type { Ports } from "../../contract/ports.ts";
import { failedJob } from "../../domain/analysis/job-metric.ts";
import { countsOf, nextMeasurement } from "../../domain/analysis/measure.ts";
import type { PendingResult, QueryResult } from "../../domain/analysis/query-result.ts";
import type { JobSource } from "../../domain/analysis/providers/job.ts";
import type { MetricSpec } from "../../domain/analysis/spec.ts";
import type { AnalysisState } from "../../domain/analysis/state.ts";
import { formatRfc3339 } from "../../domain/text/rfc3339.ts";
import type { HeldClaim } from "../../domain/workload/update/claim.ts";
import { assessHook } from "../../domain/workload/hook/assess-hook.ts";
import type { Cluster, HookJobSpec } from "../../ports/cluster.ts";
import type { JobProvider } from "../../ports/metric-provider.ts";
import { updateJobOf } from "./hook-job.ts";

type JobPorts = Pick<Ports, "now"> & { readonly cluster: Pick<Cluster, "startHook" | "readHook" | "stopHook"> };

export const firstCheckSeconds = 15;

/**
 * A result is recorded before its Job may vanish: steps are repeated for an hour without an answer of the cluster, and the next poll adopts
 * the update. There may be one Job a minute, so none is kept for a day.
 */
const keptSeconds = 7200;

/** What its owner has to fix applies after at most this time. */
const ownerRetrySeconds = 60;

/** Opens the Job of the next measurement of a metric, whose query is the name of a CronJob. One measurement creates one Job. */
export function openJobProvider(
  ports: JobPorts,
  claim: HeldClaim,
  { name, provider: source }: Pick<MetricSpec, "name"> & { readonly provider: JobSource },
  state: AnalysisState,
): JobProvider {
  const { workload, inFlight } = claim;
  const isCanary = inFlight.phase === "canary";
  const purpose = ["metric", name, formatRfc3339(state.startedAt), `${nextMeasurement(state, name)}`];
  const uid = countsOf(state, name).jobUid ?? null;
  const variables = { PAWL_CANARY_SELECTOR: (isCanary ? workload.canaryNames.canarySelector : undefined) ?? "" };
  return {
    async query(job) {
      const spec = updateJobOf(claim, { ...source, job, purpose, uid, keptSeconds, variables });
      const reading = await (uid === null ? startJob(ports, claim, spec) : readJobIfAllowed(ports, claim, spec, uid));
      return reading.kind === "pending" ? reading : { warnings: [], ...reading, at: ports.now() };
    },
  };
}

type Reading = (QueryResult & { readonly warnings?: readonly string[] }) | PendingResult;

async function startJob({ cluster }: JobPorts, { workload }: HeldClaim, spec: HookJobSpec): Promise<Reading> {
  const start = await cluster.startHook(workload, spec);
  if (start.kind === "refused") return { kind: "none", reason: start.reason };
  if (start.kind === "waiting") return { kind: "pending", job: null, waitSeconds: firstCheckSeconds };
  return { kind: "pending", job: start.uid, waitSeconds: firstCheckSeconds };
}

/** A Job that may not be read still runs: another one must not. The deadline of the analysis limits the wait. */
async function readJobIfAllowed(ports: JobPorts, claim: HeldClaim, spec: HookJobSpec, uid: string): Promise<Reading> {
  try {
    return await readJob(ports, claim, spec, uid);
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "Forbidden") throw error;
    return { kind: "pending", job: uid, waitSeconds: ownerRetrySeconds };
  }
}

/** Only a Job that ran and failed is a failure: one that did not run, or did not end in time, has no value. */
async function readJob(
  { cluster, now }: JobPorts,
  { workload }: HeldClaim,
  spec: HookJobSpec,
  uid: string,
): Promise<Reading> {
  const job = await cluster.readHook(workload, spec);
  const verdict = assessHook(job, { timeoutSeconds: spec.deadlineSeconds }, now());
  if (verdict.kind === "running") return { kind: "pending", job: uid, waitSeconds: verdict.waitSeconds };
  const { result, reason, isLate = false } = verdict;
  if (isLate) await cluster.stopHook(workload, spec);
  const about = `Job ${spec.name}: ${reason}`;
  if (result === "unknown" || isLate) return { kind: "none", reason: about };
  return result === "failed" ? { kind: "value", value: failedJob, warnings: [about] } : { kind: "value", value: 0 };
}
