import type { UpdateInput } from "../../contract/workload-update.ts";
import { isReleasedByExecution } from "../../domain/workload/claim.ts";
import { strategyOf } from "../../domain/workload/canary/canary.ts";
import { formatDigests } from "../../domain/workload/digest/digests.ts";
import type { Decision, HoldReason } from "../../domain/workload/decision.ts";
import { formatRfc3339 } from "../../domain/text/rfc3339.ts";
import type { InFlight, Phase, Workload } from "../../domain/workload/workload.ts";
import { executionName } from "../execution-name.ts";
import type { Ports } from "../../contract/ports.ts";
import { startExecutionIdempotently } from "../start-execution.ts";

export type Action = "started" | "adopted" | "in-flight" | "recorded" | "none";

type ApplyPorts = Pick<Ports, "cluster" | "executions">;

/**
 * Starts what the decision about one workload needs. `recorded` is what recording it did, which happens before. Every part of it is
 * idempotent.
 */
export async function applyDecision(
  ports: ApplyPorts,
  workload: Workload,
  decision: Decision,
  recorded: "recorded" | "none",
): Promise<Action> {
  if (decision.kind === "adopt") return adoptIfLost(ports, workload, decision.inFlight);
  if (decision.kind === "update") return startUpdate(ports, workload, decision);
  return decision.kind === "hold" && (await startCleanup(ports, workload, decision.reason)) ? "started" : recorded;
}

/**
 * Starts an execution for what only an updater may write: the removal of a canary, of a finalizer that blocks a deletion, or of a
 * claim that a workload has in itself.
 */
async function startCleanup(ports: ApplyPorts, workload: Workload, reason: HoldReason): Promise<boolean> {
  const { inFlight, image } = workload;
  if ((reason === "being-deleted" || reason === "canary-left") && image !== null) {
    const strategy = reason === "being-deleted" ? "restart" : "abort";
    const options = { strategy, digests: "", adopting: false } as const;
    await start(ports, workload, image, options, (attempt) => `${reason} ${workload.resourceVersion} ${attempt}`);
    return true;
  }
  if (reason !== "manual-change" || inFlight === null || !isReleasedByExecution(workload, inFlight)) return false;
  if ((await ports.executions.state(inFlight.execution ?? "")) === "running") return false;
  const options = { strategy: "abort", digests: "", adopting: true } as const;
  await start(ports, workload, inFlight.targetImage, options, (attempt) => `withdraw ${inFlight.execution} ${attempt}`);
  return true;
}

type Update = Extract<Decision, { readonly kind: "update" }>;

async function startUpdate(ports: ApplyPorts, workload: Workload, update: Update): Promise<Action> {
  const { version, image, digests = {} } = update;
  const attempts = workload.updateRecord.versionHistory.filter((entry) => entry.version === version).length;
  const strategy = update.restart ? "restart" : strategyOf(workload.policy);
  const options = { strategy, digests: formatDigests(digests), adopting: false } as const;
  await start(ports, workload, image, options, (attempt) => `update ${attempts + attempt}`);
  return "started";
}

/**
 * Starts an execution that adopts the update in flight, unless its own execution is running. A canary whose execution was stopped
 * manually is adopted as an abort, because its owner wants it removed.
 */
async function adoptIfLost(ports: ApplyPorts, workload: Workload, inFlight: InFlight): Promise<Action> {
  const { execution, startedAt, targetImage } = inFlight;
  // Another installation updates it. Its claim expires unless it renews it.
  if (workload.record.claimedElsewhereUntil !== null) return "in-flight";
  const state = execution === null ? "unknown" : await ports.executions.state(execution);
  if (state === "running") return "in-flight";
  const isAborted = inFlight.phase === "canary" && state === "aborted";
  const strategy = isAborted ? "abort" : strategyOfPhase(inFlight.phase);
  const digests = formatDigests(inFlight.digests ?? {});
  const lost = execution ?? `manually ${startedAt === "malformed" ? startedAt : formatRfc3339(startedAt)}`;
  await start(
    ports,
    workload,
    targetImage,
    { strategy, digests, adopting: true },
    (attempt) => `recover ${lost} ${attempt}`,
  );
  return "adopted";
}

function strategyOfPhase(phase: Phase): UpdateInput["strategy"] {
  return phase === "canary" || phase === "restart" ? phase : "rolling";
}

async function start(
  { cluster, executions }: ApplyPorts,
  { ref }: Workload,
  image: string,
  options: Pick<UpdateInput, "strategy" | "digests" | "adopting">,
  occasion: (attempt: number) => string,
): Promise<void> {
  const input: UpdateInput = { cluster: cluster.name, workload: ref, image, ...options };
  const executionNameFor = (attempt: number) => executionName(ref, image, occasion(attempt));
  await startExecutionIdempotently(executions, executionNameFor, input, `${ref.namespace}/${ref.name} to ${image}`);
}
