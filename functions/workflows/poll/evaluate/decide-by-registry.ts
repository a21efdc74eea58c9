import { type ImageReference, parseImageReference } from "../../../domain/image/reference.ts";
import { backOffGate } from "../../../domain/gates/back-off.ts";
import { passGates } from "../../../domain/gates/gates.ts";
import { windowsGate } from "../../../domain/gates/windows.ts";
import { decideByTag } from "../../../domain/workload/decision/decide-by-tag.ts";
import { type Decision, hold } from "../../../domain/workload/decision/decision.ts";
import type { ObservedDigests } from "../../../domain/workload/digest/compare-digests.ts";
import { decideByDigest, plannedContainers } from "../../../domain/workload/digest/decide-by-digest.ts";
import type { TrackedContainer } from "../../../domain/workload/digest/tracking.ts";
import { fieldProblem } from "../../../domain/workload/policy/problem.ts";
import type { Workload } from "../../../domain/workload/workload.ts";
import type { PullLogins } from "../../../ports/registry.ts";
import { checkConfig } from "./check-config.ts";
import { choosePassing } from "./choose-passing.ts";
import type { EvaluationPorts, WorkloadPorts } from "./evaluation-ports.ts";
import { passDigests } from "./pass-digests.ts";
import { resolveCandidate } from "./resolve-candidate.ts";

/** Decides by the tags of `source`, if it is not null, by the digests that the workload tracks, and by its configuration. */
export async function decideByRegistry(
  ports: WorkloadPorts,
  workload: Workload,
  source: string | null,
  now: Date,
): Promise<Decision> {
  return checkConfig(ports, workload, await decideByImage(ports, workload, source, now), now);
}

async function decideByImage(
  ports: WorkloadPorts,
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
  const backOffGates = workload.backOff?.reason === "Interrupted" ? [] : [backOffGate];
  // A version that cannot start now is not resolved at each poll.
  const gates = found?.kind === "update" ? [...backOffGates, windowsGate, ...(await ports.factGates())] : [];
  const gated = found && passGates(workload, found, now, ...gates);
  const byTag = gated?.kind === "update" ? await resolveCandidate(ports.registry, workload, gated, logins) : gated;
  if (digests === null || (byTag !== null && byTag.kind !== "update" && byTag.kind !== "hold")) {
    return byTag ?? { kind: "problem", problems: [{ field: null, code: "NotFound", text: "no container is tracked" }] };
  }
  return decideByDigests(ports, workload, byTag, logins, now);
}

async function decideByTags(
  ports: EvaluationPorts,
  workload: Workload,
  image: string,
  logins: PullLogins,
  now: Date,
): Promise<Decision> {
  const { registry, budget } = ports;
  const source = parseImageReference(image);
  if ("kind" in source)
    return { kind: "problem", problems: [fieldProblem("image", "InvalidValue", source.reason, image)] };
  const tags = await registry.listTags(source, logins, workload.ref.namespace);
  const newest = await budget.decide(workload.ref, (onSteps) => decideByTag(workload, image, tags, now, onSteps));
  return choosePassing(ports, workload, newest, tags, logins, now);
}

/** Decides by the digests of the tags. Only for an update their manifests are read: its pods may report any of these. */
export async function decideByDigests(
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
  return passDigests(ports, workload, byTag, decideByDigest(workload, byTag, { ...seen, tagDigests }, now), now);
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
