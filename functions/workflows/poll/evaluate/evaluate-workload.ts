import { BudgetExceeded } from "../../../domain/budget/budget-exceeded.ts";
import { backOffGate } from "../../../domain/gates/back-off.ts";
import { hasCandidateGates } from "../../../domain/gates/candidate.ts";
import type { Gate } from "../../../domain/gates/gate.ts";
import { holdByGate, passGates } from "../../../domain/gates/gates.ts";
import { windowsGate } from "../../../domain/gates/windows.ts";
import { decideWithoutTags } from "../../../domain/workload/decision/decide.ts";
import { isProposed } from "../../../domain/workload/git/git-claim.ts";
import type { Decision, Hold } from "../../../domain/workload/decision/decision.ts";
import { versioningOf } from "../../../domain/workload/policy/versioning.ts";
import { isRestart, versionOfTarget } from "../../../domain/workload/target/target.ts";
import { isStalled, withNewerVersion } from "../../../domain/workload/update/back-off.ts";
import { budgetHold } from "../../../domain/workload/update/quarantine.ts";
import type { Workload } from "../../../domain/workload/workload.ts";
import { NotAnImage, RegistryNotAllowed, RegistryUnauthorized, RepositoryNotFound } from "../../../ports/errors.ts";
import { pushGates, readCandidateFacts } from "../../candidate-gates.ts";
import { readOverride } from "../../read-override.ts";
import { readTimeGates } from "../../read-freezes.ts";
import { checkAnalysis } from "./check-analysis.ts";
import { checkConfig } from "./check-config.ts";
import { chooseInsteadOfParked, chooseNewer } from "./choose-newer.ts";
import { chooseRequested } from "./choose-requested.ts";
import { decideByRegistry } from "./decide-by-registry.ts";
import { createDeploymentHaltGate } from "../../../domain/gates/halt.ts";
import { readSame } from "../../read-upstreams.ts";
import type { EvaluationPorts, WorkloadPorts } from "./evaluation-ports.ts";
import { isVerified, mayBeVerified, verifyDecision } from "./verify-decision.ts";

/**
 * Decides about one workload. Asks its registries only if their answers matter. Throws what the registry throws: if one answer is
 * missing, nothing is decided, and an update in flight continues.
 */
export async function evaluateWorkload(
  evaluation: EvaluationPorts,
  workload: Workload,
  now: Date,
  polledGates: readonly Gate[],
): Promise<Decision> {
  const factGates = () => readTimeGates(evaluation.cluster);
  const ports: WorkloadPorts = { ...evaluation, factGates };
  const evaluateAll = (decision: Decision) => evaluateGates(ports, workload, decision, now, polledGates);
  const chosen = await chooseUpdate(ports, workload, now).catch((error: unknown) => toDecision(error, workload));
  if (chosen.kind !== "adopt") return evaluateAll(chosen);
  const instead = await chooseInsteadOfParked(ports, workload, now).catch(() => null);
  const started = instead === null ? null : await evaluateAll(instead).catch(() => null);
  if (started?.kind === "update" && isProposed(chosen.inFlight))
    return { ...chosen, newer: versionOfTarget(started.target) };
  if (started?.kind === "update") return started;
  if (chosen.inFlight.parked?.reason === "Unverified")
    return { ...chosen, isVerified: await isVerified(ports, workload, chosen.inFlight) };
  return chooseNewer(workload, chosen, (before) => evaluateWorkload(ports, before, now, polledGates));
}

/** Holds an update by each gate whose facts the poll reads, and by an analysis that is invalid. */
async function evaluateGates(
  ports: WorkloadPorts,
  workload: Workload,
  decision: Decision,
  now: Date,
  polledGates: readonly Gate[],
): Promise<Decision> {
  const isAsked = decision.kind === "update" && decision.isRequested !== true;
  const facts = isAsked ? [...(await ports.factGates()), ...polledGates] : [];
  const here = passGates(workload, decision, now, backOffGate, windowsGate, ...facts);
  const passed = isAsked ? await passPeers(ports.cluster, workload, here, now) : here;
  const checked = await checkPush(ports, workload, passed, now);
  if (!mayBeVerified(ports.verifier, workload)) return checkAnalysis(ports, workload, checked);
  const verified = await verifyDecision(ports, workload, checked).catch((error: unknown) =>
    toDecision(error, workload),
  );
  return checkAnalysis(ports, workload, verified);
}

/** Holds an update that has failed in the workload of the same name in a peer. Asked only about what nothing else holds. */
async function passPeers(
  cluster: EvaluationPorts["cluster"],
  workload: Workload,
  decision: Decision,
  now: Date,
): Promise<Decision> {
  const { haltPeers = [] } = cluster;
  if (decision.kind !== "update" || haltPeers.length === 0) return decision;
  return passGates(workload, decision, now, createDeploymentHaltGate(await readSame(cluster, workload, haltPeers)));
}

/** Refuses the push of a version that people have to approve first. */
async function checkPush(
  { cluster }: EvaluationPorts,
  workload: Workload,
  decision: Decision,
  now: Date,
): Promise<Decision> {
  const { request } = workload;
  const isPush = decision.kind === "update" && decision.isRequested && decision.target.kind === "image";
  if (!isPush || request === null || !hasCandidateGates(workload.policy)) return decision;
  const gates = pushGates(decision.target, await readCandidateFacts(cluster, workload));
  const held = holdByGate(workload, decision.target, now, ...gates);
  const isPassed = held === null || (await readOverride(cluster, workload, decision.target, "approval")) !== null;
  return isPassed ? decision : { kind: "request", ...request, refusal: held.detail };
}

const refusals = [NotAnImage, RegistryNotAllowed, RegistryUnauthorized, RepositoryNotFound] as const;

/** What the deployment or the registry refuses is a problem of the workload, which its owner sees on it. No answer is none; a budget that is exceeded is recorded. */
function toDecision(error: unknown, workload: Workload): Decision {
  if (error instanceof BudgetExceeded) return budgetHold(workload, error.message);
  const isRefusal = refusals.some((refusal) => error instanceof refusal);
  if (!isRefusal) throw error;
  const { name: code, message: text } = error as InstanceType<(typeof refusals)[number]>;
  return { kind: "problem", problems: [{ field: "image", code, text }] };
}

async function chooseUpdate(ports: WorkloadPorts, workload: Workload, now: Date): Promise<Decision> {
  const early = decideWithoutTags(workload, now);
  if (early.kind === "update" && isRestart(early.target)) return checkConfig(ports, workload, early, now);
  if (early.kind === "update" && early.isRequested) return chooseRequested(ports, workload, early, now);
  if (early.kind === "hold" && early.reason === "back-off") return holdStalled(ports, workload, early, now);
  return early.kind === "undecided" ? decideByRegistry(ports, workload, early.source, now) : early;
}

/**
 * Looks for a version, or for a digest of a restart, that is newer than the target of a stalled claim: nothing else but a person ends
 * the stall.
 */
async function holdStalled(ports: WorkloadPorts, workload: Workload, held: Hold, now: Date): Promise<Decision> {
  const { backOff, inFlight, source } = workload;
  if (backOff === null || !isStalled(backOff) || inFlight === null) return held;
  const isOfRestart = isRestart(inFlight.target);
  if (source === null && !isOfRestart) return held;
  const { config: _config, ...byTag } = { ...workload, digests: null };
  const compared = isOfRestart ? workload : byTag;
  const found = await decideByRegistry(ports, compared, source, now);
  return withNewerVersion(held, inFlight, found, versioningOf(workload.policy));
}
