import { addCandidate, type Candidate, hasCandidateGates, observeCandidate } from "../../../domain/gates/candidate.ts";
import { passGates } from "../../../domain/gates/gates.ts";
import { type ImageReference, parseImageReference, tagOf } from "../../../domain/image/reference.ts";
import { formatRfc3339 } from "../../../domain/text/rfc3339.ts";
import { type Decision, isUpToDate } from "../../../domain/workload/decision/decision.ts";
import type { Workload } from "../../../domain/workload/workload.ts";
import { candidateGates, readCandidateFacts, withDecisions } from "../../candidate-gates.ts";
import type { EvaluationPorts } from "./evaluation-ports.ts";

/**
 * Holds a restart for digests if one of them does not pass the gates that judge each digest by itself. A hold by tag, which may have judged
 * versions, takes precedence.
 */
export async function passDigests(
  { cluster, registry }: EvaluationPorts,
  workload: Workload,
  byTag: Decision | null,
  decision: Decision,
  now: Date,
): Promise<Decision> {
  const { policy, digests: tracking } = workload;
  if (decision.kind !== "update" || decision.target.kind !== "digest" || tracking === null) return decision;
  if (decision.isRequested || !hasCandidateGates(policy)) return decision;
  const { digests = {} } = decision;
  const changed = tracking.containers.filter(({ name }) => digests[name] !== tracking.deployed[name]);
  let candidates: readonly Candidate[] =
    (byTag !== null && "candidates" in byTag ? byTag.candidates : workload.candidates) ?? [];
  const facts = await readCandidateFacts(cluster, workload);
  const targets = [];
  for (const { name, image } of changed) {
    const digest = digests[name] as string;
    const tag = tagOf(image);
    const reference = parseImageReference(image) as ImageReference;
    const pushed = (await registry.pushTimes?.(reference, [tag], workload.ref.namespace))?.get(tag);
    const at = pushed?.digest === digest ? pushed.at : null;
    const known = candidates.find(({ version }) => version === image);
    const target = { kind: "digest", image, digest } as const;
    const seen = observeCandidate(known, image, digest, at, formatRfc3339(now));
    candidates = addCandidate(candidates, withDecisions(workload, target, seen, facts, now));
    targets.push(target);
  }
  for (const target of targets) {
    const held = passGates(workload, { ...decision, target, candidates }, now, ...candidateGates(candidates, facts));
    if (held.kind === "hold") return byTag?.kind === "hold" && !isUpToDate(byTag) ? { ...byTag, candidates } : held;
  }
  return { ...decision, candidates };
}
