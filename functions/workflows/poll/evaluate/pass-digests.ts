import { addCandidate, type Candidate, hasCandidateGates, observeCandidate } from "../../../domain/gates/candidate.ts";
import type { Gate } from "../../../domain/gates/gate.ts";
import { passGates } from "../../../domain/gates/gates.ts";
import { createScanGate } from "../../../domain/gates/scan-gate.ts";
import { type ImageReference, parseImageReference, tagOf } from "../../../domain/image/reference.ts";
import { formatRfc3339 } from "../../../domain/text/rfc3339.ts";
import { type Decision, isUpToDate } from "../../../domain/workload/decision/decision.ts";
import type { Target } from "../../../domain/workload/target/target.ts";
import type { Workload } from "../../../domain/workload/workload.ts";
import { candidateGates, readCandidateFacts, withDecisions } from "../../candidate-gates.ts";
import type { EvaluationPorts } from "./evaluation-ports.ts";
import { readScan } from "./read-scan.ts";

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
  const passOne = (target: Target, ...gates: readonly Gate[]) =>
    passGates(workload, { ...decision, target, candidates }, now, ...gates);
  const holdBy = (held: Decision) =>
    held.kind === "hold" && byTag?.kind === "hold" && !isUpToDate(byTag) ? { ...byTag, candidates } : held;
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
    const held = passOne(target, ...candidateGates(candidates, facts));
    if (held.kind === "hold") return holdBy(held);
  }
  if (policy.scan === undefined) return { ...decision, candidates };
  const logins = await cluster.pullSecrets(workload);
  for (const target of targets) {
    const image = parseImageReference(target.image) as ImageReference;
    const known = workload.candidates?.find(({ version }) => version === target.image);
    const scan = await readScan({ registry, cluster }, workload, { image, digest: target.digest, logins }, known);
    const seen = candidates.find(({ version }) => version === target.image);
    const { image: version, digest } = target;
    candidates = addCandidate(candidates, { ...(seen ?? { version, digest, since: formatRfc3339(now) }), scan });
    const held = passOne(target, createScanGate(candidates));
    if (held.kind === "hold") return holdBy(held);
  }
  return { ...decision, candidates };
}
