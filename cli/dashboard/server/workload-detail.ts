import type { KubeConfig } from "@kubernetes/client-node";
import type { ClosedGate } from "../../../functions/domain/gates/closed-gate.ts";
import { describeLift, summarizeGates } from "../../../functions/domain/gates/describe-gate.ts";
import { formatRfc3339 } from "../../../functions/domain/text/rfc3339.ts";
import type { Workload, WorkloadRef } from "../../../functions/domain/workload/workload.ts";
import type { Cluster } from "../../../functions/ports/cluster.ts";
import { historyDocument } from "../../commands/history.ts";
import { releaseDocument } from "../../commands/releases.ts";
import { findSnapshot } from "../../../functions/domain/workload/release/find-snapshot.ts";
import { measurementsOf, progressOf, readAnalysisDeadline, readCurrentAnalysis } from "../../workloads/progress.ts";
import { policyRows, policySource } from "../../workloads/policy-rows.ts";
import { statusOf } from "../../workloads/status.ts";
import type { GateRow, WorkloadDetail } from "../model.ts";
import { activeState } from "./active-state.ts";
import { canarySteps } from "./canary-steps.ts";
import { criteriaOf, testsOf } from "./criteria.ts";
import { readEvents } from "./events.ts";
import type { Executions } from "./executions.ts";
import { readPods } from "./pods.ts";
import { endOf, replicasOf, rowOf } from "./rows.ts";

interface Sources {
  readonly cluster: Pick<Cluster, "read" | "readAnalysis" | "readSnapshots">;
  readonly kubeConfig: KubeConfig;
  readonly executions: Executions;
  readonly now: () => Date;
}

/** Reads all that the page of one workload shows; null if it was deleted. */
export async function readWorkloadDetail(
  { cluster, kubeConfig, executions, now }: Sources,
  ref: WorkloadRef,
): Promise<WorkloadDetail | null> {
  const workload = await cluster.read(ref);
  if (workload === null) return null;
  const status = statusOf(workload, now());
  const releases = workload.releases?.list ?? [];
  const snapshots = releases.length === 0 ? [] : await cluster.readSnapshots(workload);
  const spec = await readCurrentAnalysis(cluster, workload, now());
  return {
    row: rowOf(workload, now()),
    activeState: activeState(workload),
    executionsUrl: await executions.urlOf(workload),
    update: await describeUpdate(cluster, workload, now()),
    replicas: workload.rollout === null ? null : replicasOf(workload.rollout),
    canary: workload.canary === null ? null : replicasOf(workload.canary),
    pods: await readPods(kubeConfig, ref),
    failedVersions: status.failedVersions,
    problems: status.problems,
    lastRequest: workload.lastRequest === null ? null : `${status.lastRequest?.verb}: ${status.lastRequest?.result}`,
    waitsFor: summarizeGates(workload.gates ?? [], workload.policy, now()) || null,
    gates: (workload.gates ?? []).map(gateRow),
    audit: (workload.audit ?? []).toReversed(),
    policySource: policySource(workload),
    policy: policyRows(workload),
    steps: canarySteps(workload),
    criteria: criteriaOf(spec),
    tests: testsOf(spec, workload.analysis),
    measurements: measurementsOf(workload),
    history: workload.updateRecord.versionHistory.map(historyDocument).toReversed(),
    releases: releases
      .map((release) => releaseDocument(release, findSnapshot(workload, snapshots, release).kind === "found"))
      .toReversed(),
    events: await readEvents(kubeConfig, ref),
  };
}

function gateRow({ name, message, since, until, liftedBy }: ClosedGate): GateRow {
  const time = (at: Date | undefined) => (at === undefined ? null : formatRfc3339(at));
  const lift = liftedBy === undefined ? null : describeLift(liftedBy);
  return { name, message, since: time(since), until: time(until), lift };
}

async function describeUpdate(
  cluster: Sources["cluster"],
  workload: Workload,
  now: Date,
): Promise<WorkloadDetail["update"]> {
  const { inFlight } = statusOf(workload, now);
  const progress = progressOf(workload, await readAnalysisDeadline(cluster, workload, now), now);
  if (inFlight === null || progress === null) return null;
  const { target, version, what, previous, startedAt, execution, page } = inFlight;
  const { step, waitsFor } = progress;
  const ends = endOf(progress, now);
  return { target, version, what, previous, startedAt, execution, page, step, ends, waitsFor };
}
