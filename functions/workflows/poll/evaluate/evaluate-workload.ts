import { type ImageReference, parseImageReference } from "../../../domain/image/reference.ts";
import { BudgetExceeded } from "../../../domain/budget/budget-exceeded.ts";
import type { PollBudget } from "../../../domain/budget/poll-budget.ts";
import { budgetHold } from "../../../domain/workload/update/quarantine.ts";
import { backOffGate } from "../../../domain/gates/back-off.ts";
import { createFreezeGate } from "../../../domain/gates/freeze.ts";
import type { Gate } from "../../../domain/gates/gate.ts";
import { holdByGate, passGates } from "../../../domain/gates/gates.ts";
import { scheduleGate } from "../../../domain/gates/schedule.ts";
import { suspendedGate } from "../../../domain/gates/suspended.ts";
import { isSupersedable, supersedesParked } from "../../../domain/workload/update/supersede-parked.ts";
import { windowsGate } from "../../../domain/gates/windows.ts";
import { isStalled, withNewerVersion } from "../../../domain/workload/update/back-off.ts";
import { decideByTag } from "../../../domain/workload/decision/decide-by-tag.ts";
import { decideWithoutTags } from "../../../domain/workload/decision/decide.ts";
import { type Decision, type Hold, hold } from "../../../domain/workload/decision/decision.ts";
import type { ObservedDigests } from "../../../domain/workload/digest/compare-digests.ts";
import { plannedContainers, decideByDigest } from "../../../domain/workload/digest/decide-by-digest.ts";
import type { TrackedContainer } from "../../../domain/workload/digest/tracking.ts";
import { isRestart } from "../../../domain/workload/target/target.ts";
import type { Workload } from "../../../domain/workload/workload.ts";
import type { Cluster } from "../../../ports/cluster.ts";
import type { PullLogins, Registry } from "../../../ports/registry.ts";
import { readFreezes } from "../../read-freezes.ts";
import type { AnalysisPorts } from "../../read-analysis.ts";
import { chooseNewer } from "./choose-newer.ts";
import { checkAnalysis } from "./check-analysis.ts";
import { resolveTarget } from "./resolve-target.ts";
import { checkConfig, type ConfigPorts } from "./check-config.ts";
import { resolveCandidate } from "./resolve-candidate.ts";
import { NotAnImage, RegistryNotAllowed, RegistryUnauthorized, RepositoryNotFound } from "../../../ports/errors.ts";
import { fieldProblem } from "../../../domain/workload/policy/problem.ts";
import { refuseUnpublished } from "../../../domain/workload/request/published-push.ts";
import { versioningOf } from "../../../domain/workload/policy/versioning.ts";

/** What an evaluation needs. `registry` asks for each thing once per poll. */
export interface EvaluationPorts {
  readonly cluster: Pick<Cluster, "pullSecrets" | "runningDigests" | "jobProblem" | "readAnalysis" | "readFreeze"> &
    ConfigPorts["cluster"];
  readonly registry: Registry;
  readonly metricProvider: AnalysisPorts["metricProvider"];
  readonly budget: Pick<PollBudget, "decide">;
}

/**
 * Decides about one workload. Asks its registries only if their answers matter. Throws what the registry throws: if one answer is
 * missing, nothing is decided.
 */
export async function evaluateWorkload(
  ports: EvaluationPorts,
  workload: Workload,
  now: Date,
  haltGate: Gate,
): Promise<Decision> {
  const toDecided = (error: unknown) => toDecision(error, workload);
  const chosen = await chooseUpdate(ports, workload, now).catch(toDecided);
  if (chosen.kind === "adopt")
    return chooseNewer(workload, chosen, (before) => evaluateWorkload(ports, before, now, haltGate));
  const isAsked = chosen.kind === "update" && chosen.isRequested !== true;
  const facts = isAsked ? [createFreezeGate(await readFreezes(ports.cluster)), haltGate] : [];
  const passed = passGates(workload, chosen, now, backOffGate, windowsGate, ...facts);
  return checkAnalysis(ports, workload, await resolveTarget(ports, workload, passed).catch(toDecided));
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

async function chooseUpdate(ports: EvaluationPorts, workload: Workload, now: Date): Promise<Decision> {
  const early = decideWithoutTags(workload, now);
  if (early.kind === "update" && isRestart(early.target)) return checkConfig(ports, workload, early, now);
  if (early.kind === "update" && early.isRequested) return chooseRequested(ports, workload, early, now);
  // Without an answer of the registry, the update in flight continues.
  if (early.kind === "adopt") return (await chooseInsteadOfParked(ports, workload, now).catch(() => null)) ?? early;
  if (early.kind === "hold" && early.reason === "back-off") return holdStalled(ports, workload, early, now);
  return early.kind === "undecided" ? decideByRegistry(ports, workload, early.source, now) : early;
}

/** Decides by the tags of `source`, if it is not null, by the digests that the workload tracks, and by its configuration. */
async function decideByRegistry(
  ports: EvaluationPorts,
  workload: Workload,
  source: string | null,
  now: Date,
): Promise<Decision> {
  return checkConfig(ports, workload, await decideByImage(ports, workload, source, now), now);
}

async function decideByImage(
  ports: EvaluationPorts,
  workload: Workload,
  source: string | null,
  now: Date,
): Promise<Decision> {
  const { config, digests } = workload;
  if (source === null && digests === null && config !== undefined)
    return hold("same-config", "only its configuration is tracked");
  const logins = await ports.cluster.pullSecrets(workload);
  const found = source === null ? null : await decideByTags(ports, workload, source, logins, now);
  // A version that backs off delays no restart, unless its attempt left no trace: then both are one rollout, as they would have been.
  const isInterrupted = workload.backOff?.reason === "Interrupted";
  const gated = found === null || isInterrupted ? found : passGates(workload, found, now, backOffGate);
  const byTag = gated?.kind === "update" ? await resolveCandidate(ports.registry, gated, logins) : gated;
  if (digests === null || (byTag !== null && byTag.kind !== "update" && byTag.kind !== "hold")) {
    return byTag ?? { kind: "problem", problems: [{ field: null, code: "NotFound", text: "no container is tracked" }] };
  }
  return decideByDigests(ports, workload, byTag, logins, now);
}

/**
 * Looks for a version, or for a digest of a restart, that is newer than the target of a stalled claim: nothing else but a person ends
 * the stall.
 */
async function holdStalled(ports: EvaluationPorts, workload: Workload, held: Hold, now: Date): Promise<Decision> {
  const { backOff, inFlight, source } = workload;
  if (backOff === null || !isStalled(backOff) || inFlight === null) return held;
  const isOfRestart = isRestart(inFlight.target);
  if (source === null && !isOfRestart) return held;
  const { config: _config, ...byTag } = { ...workload, digests: null };
  const compared = isOfRestart ? workload : byTag;
  const found = await decideByRegistry(ports, compared, source, now);
  return withNewerVersion(held, inFlight, found, versioningOf(workload.policy));
}

/** Looks for a version that is newer than a parked update of which nothing runs; null if none may start now. */
async function chooseInsteadOfParked(
  ports: EvaluationPorts,
  workload: Workload,
  now: Date,
): Promise<Extract<Decision, { readonly kind: "update" }> | null> {
  const { inFlight, source, problems, policy } = workload;
  if (inFlight === null || source === null || problems.length > 0 || policy.optIn === "no") return null;
  if (!isSupersedable(workload, inFlight)) return null;
  if (holdByGate(workload, null, now, suspendedGate, scheduleGate) !== null) return null;
  const { config: _config, ...byTag } = workload;
  const decision = passGates(workload, await decideByRegistry(ports, byTag, source, now), now, backOffGate);
  return decision.kind === "update" && supersedesParked(workload, inFlight, decision.target) ? decision : null;
}

/** A version that a person pushes must be published. */
async function chooseRequested(
  ports: EvaluationPorts,
  workload: Workload,
  requested: Extract<Decision, { readonly kind: "update" }>,
  now: Date,
): Promise<Decision> {
  const checked = await checkPublished(ports, workload, requested);
  if (checked.kind !== "update") return checked;
  return checkConfig(ports, workload, await withDigests(ports, workload, checked, now), now);
}

/** Lists the tags only for a push: a release names an image that ran. */
async function checkPublished(
  { cluster, registry }: EvaluationPorts,
  workload: Workload,
  requested: Extract<Decision, { readonly kind: "update" }>,
): Promise<Decision> {
  const image = parseImageReference(requested.target.image);
  if (requested.target.kind !== "image" || "kind" in image) return requested;
  const tags = await registry.listTags(image, await cluster.pullSecrets(workload));
  return refuseUnpublished(workload, requested, image, tags);
}

/** Adds the digests of the tags that a person's version leaves or brings: without them it would be restarted after the update. */
async function withDigests(
  ports: EvaluationPorts,
  workload: Workload,
  requested: Extract<Decision, { readonly kind: "update" }>,
  now: Date,
): Promise<Decision> {
  if (workload.digests === null) return requested;
  const logins = await ports.cluster.pullSecrets(workload);
  return decideByDigests(ports, workload, requested, logins, now);
}

/** Decides by the digests of the tags. Only for an update their manifests are read: its pods may report any of these. */
async function decideByDigests(
  ports: EvaluationPorts,
  workload: Workload,
  byTag: Decision | null,
  logins: PullLogins,
  now: Date,
): Promise<Decision> {
  const containers = plannedContainers(workload, byTag);
  const seen = await fetchDigests(ports, workload, containers, logins);
  const decision = decideByDigest(workload, byTag, seen, now);
  if (decision.kind !== "update") return decision;
  const fetchAll = async (container: TrackedContainer) => {
    const known = seen.tagDigests[container.name] ?? [];
    const isUnchanged = known[0] === workload.digests?.deployed[container.name];
    const image = parseImageReference(container.image) as ImageReference;
    return [
      container.name,
      isUnchanged ? known : await ports.registry.digestsOf(image, logins, workload.ref.namespace),
    ] as const;
  };
  const tagDigests = Object.fromEntries(await Promise.all(containers.map(fetchAll)));
  return decideByDigest(workload, byTag, { ...seen, tagDigests }, now);
}

async function decideByTags(
  { registry, budget }: EvaluationPorts,
  workload: Workload,
  image: string,
  logins: PullLogins,
  now: Date,
): Promise<Decision> {
  const source = parseImageReference(image);
  if ("kind" in source)
    return { kind: "problem", problems: [fieldProblem("image", "InvalidValue", source.reason, image)] };
  const tags = await registry.listTags(source, logins, workload.ref.namespace);
  return budget.decide(workload.ref, () => decideByTag(workload, image, tags, now));
}

/** Reads the running digests and every manifest of an index only if a container has no recorded digest yet. */
async function fetchDigests(
  { cluster, registry }: EvaluationPorts,
  workload: Workload,
  containers: readonly TrackedContainer[],
  logins: PullLogins,
): Promise<ObservedDigests> {
  const isNew = ({ name }: TrackedContainer) => workload.digests?.deployed[name] === undefined;
  const adoptsRunning = workload.digests?.initialDigestPolicy === "adopt" && containers.some(isNew);
  const fetchDigest = async (container: TrackedContainer) => {
    const image = parseImageReference(container.image) as ImageReference;
    const digests =
      adoptsRunning && isNew(container)
        ? await registry.digestsOf(image, logins, workload.ref.namespace)
        : [await registry.digestOf(image, logins, workload.ref.namespace)];
    return [container.name, digests] as const;
  };
  const tagDigests = Object.fromEntries(await Promise.all(containers.map(fetchDigest)));
  return { tagDigests, running: adoptsRunning ? await cluster.runningDigests(workload) : null };
}
