import { addCandidate, hasCandidateGates, observeCandidate } from "../../../domain/gates/candidate.ts";
import type { Gate } from "../../../domain/gates/gate.ts";
import { createScanGate } from "../../../domain/gates/scan-gate.ts";
import { holdByGate, passGates } from "../../../domain/gates/gates.ts";
import { type ImageReference, parseImageReference, replaceTag, tagOf } from "../../../domain/image/reference.ts";
import { formatRfc3339 } from "../../../domain/text/rfc3339.ts";
import { newerVersions } from "../../../domain/workload/decision/decide-by-tag.ts";
import type { Decision, Hold } from "../../../domain/workload/decision/decision.ts";
import { versionToReapply } from "../../../domain/workload/owner/reverts.ts";
import type { ImageTarget } from "../../../domain/workload/target/target.ts";
import type { Workload } from "../../../domain/workload/workload.ts";
import type { PullLogins } from "../../../ports/registry.ts";
import { candidateGates, isKnownElsewhere, readCandidateFacts, withDecisions } from "../../candidate-gates.ts";
import type { EvaluationPorts } from "./evaluation-ports.ts";
import { findDigest, manifestNotFound } from "./find-digest.ts";
import { maxScans, readScan } from "./read-scan.ts";

type Update = Extract<Decision, { readonly kind: "update" }>;

/** Of the newest versions of a workload; what one request to ECR can ask for. */
const maxVersions = 100;

/**
 * Replaces the newest version by the newest that passes the gates which judge each version by itself; by a hold of the newest if none does.
 * A registry is asked for the newest version, for all push times if it has any, and for each version that may be old enough by now.
 */
export async function choosePassing(
  ports: EvaluationPorts,
  workload: Workload,
  newest: Decision,
  tags: readonly string[],
  logins: PullLogins,
  now: Date,
): Promise<Decision> {
  if (newest.kind !== "update" || newest.target.kind !== "image" || !hasCandidateGates(workload.policy)) return newest;
  const reapplied = versionToReapply(workload, now);
  const all =
    reapplied !== null && reapplied === tagOf(newest.target.image)
      ? [reapplied]
      : await ports.budget.decide(workload.ref, (onSteps) => newerVersions(workload, tags, onSteps));
  const payer = workload.ref.namespace;
  const versions = all.slice(0, maxVersions);
  const image = parseImageReference(newest.target.image) as ImageReference;
  const pushTimes = await ports.registry.pushTimes?.(image, versions, payer);
  // Others are images whose tag moved.
  let candidates = (workload.candidates ?? []).filter(
    ({ version }) => versions.includes(version) || version.includes(":"),
  );
  const facts = await readCandidateFacts(ports.cluster, workload);
  let held: Hold | null = null;
  let scans = 0;
  for (const [index, version] of versions.entries()) {
    const update = withTarget(newest, { kind: "image", image: replaceTag(newest.target.image, version) });
    const known = candidates.find((one) => one.version === version);
    const pushed = pushTimes?.get(version);
    const isWaiting = known !== undefined && mayPass(workload, update, now, candidateGates(candidates, facts));
    const isAsked =
      index === 0 || pushed !== undefined || isWaiting || isKnownElsewhere(workload, update.target, facts);
    if (!isAsked) continue;
    const digest = pushed?.digest ?? (await findDigest(ports.registry, referenceOf(update), logins, payer));
    if (typeof digest !== "string") {
      held ??= manifestNotFound(update, digest);
      continue;
    }
    const seen = observeCandidate(known, version, digest, pushed?.at ?? null, formatRfc3339(now));
    const target = { ...update.target, digest };
    const decided = withDecisions(workload, update.target, seen, facts, now);
    let judged = addCandidate(candidates, decided);
    let passed = passGates(
      workload,
      { ...withTarget(update, target), candidates: judged },
      now,
      ...candidateGates(judged, facts),
    );
    if (passed.kind === "update" && workload.policy.scan !== undefined) {
      // Asked only about what nothing else holds.
      if (scans === maxScans) break;
      scans += 1;
      const scan = await readScan(ports, workload, { image: referenceOf(update), digest, logins }, known);
      judged = addCandidate(candidates, { ...decided, scan });
      passed = passGates(workload, { ...withTarget(update, target), candidates: judged }, now, createScanGate(judged));
    }
    if (passed.kind === "update") return passed;
    if (index === 0 || pushed === undefined || isKnownElsewhere(workload, update.target, facts))
      candidates = [...judged];
    held ??= passed as Hold;
  }
  return { ...(held as Hold), candidates };
}

function withTarget(update: Update, target: ImageTarget): Update & { readonly target: ImageTarget } {
  return { ...update, target };
}

function referenceOf({ target }: Update): ImageReference {
  return parseImageReference(target.image) as ImageReference;
}

/** Reports whether a version passes if its tag has not moved. */
function mayPass(workload: Workload, { target }: Update, now: Date, gates: readonly Gate[]): boolean {
  return holdByGate(workload, target, now, ...gates) === null;
}
