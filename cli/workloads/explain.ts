import { noVerifier } from "../../functions/ports/verifier.ts";
import { describeCoexistence } from "../../functions/domain/workload/owner/coexistence.ts";
import { parseImageReference } from "../../functions/domain/image/reference.ts";
import { nextRunAfter, parseSchedule } from "../../functions/domain/schedule/schedule.ts";
import { formatRfc3339 } from "../../functions/domain/text/rfc3339.ts";
import { type ExplainedTag, explainTags } from "../../functions/domain/version/explain-tags.ts";
import { tagCandidates } from "../../functions/domain/workload/decision/tag-candidates.ts";
import type { Workload } from "../../functions/domain/workload/workload.ts";
import type { ClosedGate } from "../../functions/domain/gates/closed-gate.ts";
import { summarizeGates } from "../../functions/domain/gates/describe-gate.ts";
import type { AuditEntry } from "../../functions/domain/workload/audit/audit-entry.ts";
import type { WorkloadState } from "../../functions/domain/state/state.ts";
import type { Cluster } from "../../functions/ports/cluster.ts";
import type { Registry } from "../../functions/ports/registry.ts";
import { createEvaluator } from "../../functions/workflows/poll/evaluate/create-evaluator.ts";
import { memoizeRegistry } from "../../functions/workflows/poll/evaluate/memoize-registry.ts";
import type { OpenCluster } from "../connect/cluster.ts";
import { historyDocument } from "../commands/history.ts";
import { type BoundTags, boundTags } from "./bound-tags.ts";
import { createGateReader } from "./closed-gates.ts";
import { type Progress, progressOf, readAnalysisDeadline } from "./progress.ts";
import { planWorkload, type PlannedWorkload } from "./plan.ts";
import { policyRows, policySource } from "./policy-rows.ts";
import { statusOf, type WorkloadStatus } from "./status.ts";

/** Why a workload runs what it runs, and what the next poll does. */
export interface Explanation {
  readonly status: WorkloadStatus;
  readonly policy: {
    readonly from: string;
    readonly settings: readonly { readonly name: string; readonly value: string }[];
  };
  readonly nextPoll: Pick<PlannedWorkload, "candidate" | keyof WorkloadState>;
  /** What stands between a newer version and its rollout, if the next poll came now. */
  readonly gates: readonly ClosedGate[];
  /** The same in a few words; null if there are none. */
  readonly waitsFor: string | null;
  /** When Pawl polled the cluster last; absent or null if that is not known. */
  readonly lastPoll?: string | null;
  /** What a command does not know of the deployment; null if it knows all. */
  readonly notConsidered?: string | null;
  /** Who sets its image too, what to set so that both coexist, and which revision that tool has applied; null if nobody is known to. */
  readonly owner: string | null;
  /** When its schedule is due next; null if it is due at every poll, or never. */
  readonly nextDue: string | null;
  /** The step of an update in flight, and what it waits for; null if there is none. */
  readonly progress: Progress | null;
  /** The tags of its repository, the highest version first; null if its tags are not tracked, or the registry fails. */
  readonly tags: readonly ExplainedTag[] | null;
  /** How many other tags there are, by the reason why they are passed over. */
  readonly hiddenTags: BoundTags["hidden"];
  /** Why the registry did not list the tags; null if it did. */
  readonly tagsProblem: string | null;
  readonly lastAttempts: readonly ReturnType<typeof historyDocument>[];
  /** What people did, newest first. */
  readonly audit: readonly AuditEntry[];
}

interface Sources {
  readonly cluster: Cluster;
  readonly readSync?: OpenCluster["readSync"];
  readonly registry: Registry;
  readonly now: () => Date;
}

const shownAttempts = 5;
const maxTags = 100;

/** Explains a workload. The registry is asked once. Throws the errors of the cluster. */
export async function explainWorkload(sources: Sources, workload: Workload): Promise<Explanation> {
  const ports = {
    ...sources,
    registry: memoizeRegistry(sources.registry),
    verifier: noVerifier,
    metricProvider: async () => null,
  };
  const evaluated = await createEvaluator(ports)(workload).then(
    (decision) => ({ workload, decision, action: "none" as const }),
    (error: unknown) => ({ workload, error: error as Error }),
  );
  const now = sources.now();
  const { candidate, state, reason, message } = planWorkload(evaluated, now);
  const { tags, problem: tagsProblem } = await readTags(ports, workload);
  const { shown, hidden } = boundTags({ shown: tags ?? [], hidden: [] }, maxTags);
  const gates =
    "decision" in evaluated ? await createGateReader(sources.cluster)(workload, evaluated.decision, now) : [];
  return {
    status: statusOf(workload, now),
    policy: { from: policySource(workload), settings: policyRows(workload) },
    nextPoll: { state, reason, message, candidate },
    gates,
    waitsFor: summarizeGates(gates, workload.policy, now) || null,
    owner: await readOwner(sources, workload),
    nextDue: nextDue(workload, now),
    progress: progressOf(workload, await readAnalysisDeadline(sources.cluster, workload, now), now),
    tags: tags === null ? null : shown,
    hiddenTags: hidden,
    tagsProblem,
    lastAttempts: workload.updateRecord.versionHistory.slice(-shownAttempts).map(historyDocument).toReversed(),
    audit: (workload.audit ?? []).toReversed(),
  };
}

async function readOwner({ cluster, readSync }: Sources, workload: Workload): Promise<string | null> {
  const owned = await cluster.readOwner(workload);
  if (owned === null) return null;
  const sync = (await readSync?.(owned.owner)) ?? null;
  return `${describeCoexistence(workload, owned)}${sync === null ? "" : `; ${sync}`}`;
}

function nextDue({ policy, updateRecord }: Workload, now: Date): string | null {
  const schedule = policy.schedule === null ? null : parseSchedule(policy.schedule);
  if (schedule === null || schedule.kind === "invalid") return null;
  const due = nextRunAfter(schedule, updateRecord.lastCheck ?? now);
  return due === null ? null : formatRfc3339(due);
}

interface ReadTags {
  readonly tags: readonly ExplainedTag[] | null;
  readonly problem: string | null;
}

async function readTags({ cluster, registry }: Sources, workload: Workload): Promise<ReadTags> {
  const { source } = workload;
  const image = source === null ? null : parseImageReference(source);
  if (image === null || "kind" in image) return { tags: null, problem: null };
  try {
    const tags = await registry.listTags(image, await cluster.pullSecrets(workload));
    const candidates = tagCandidates(workload, tags);
    return { tags: "kind" in candidates ? null : explainTags(candidates), problem: null };
  } catch (error) {
    return { tags: null, problem: (error as Error).message };
  }
}
