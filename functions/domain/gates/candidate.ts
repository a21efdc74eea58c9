import { type Approval, type ApprovalPolicy, approvalPolicies } from "./approval.ts";
import type { ScanVerdict } from "./scan.ts";
import { tagOf } from "../image/reference.ts";
import { parseRfc3339 } from "../text/rfc3339.ts";
import type { Target } from "../workload/target/target.ts";

type Decided = Pick<Approval, "user" | "verdict" | "at" | "message">;

/** What a poll knows of a version, or of the digest of a tag that moved, that waits for a gate. Plain JSON. */
export interface Candidate {
  /** The tag; of a tag that moved, the image with it. */
  readonly version: string;
  readonly digest: string;
  /** When the registry received this digest, or else when a poll first saw it. RFC3339. */
  readonly since: string;
  /** How often the tag has moved while it waited; absent if never. */
  readonly moves?: number;
  /** What people have decided about it, of those who may; absent if nothing. */
  readonly approvals?: readonly Decided[];
  /** What its scan has found; absent if no poll has asked. */
  readonly scan?: ScanVerdict;
}

/** How many are recorded of a workload. */
export const maxCandidates = 30;

/** Returns what is judged of a target, by the name that its candidate has; null if nothing is: the same image runs again, or ran before. */
export function candidateName({ kind, image }: Target): string | null {
  if (kind === "image") return tagOf(image);
  return kind === "digest" ? image : null;
}

/** Returns the candidate of a target; undefined if it is not known, or another digest is. */
export function findCandidate(candidates: readonly Candidate[], target: Target): Candidate | undefined {
  const name = candidateName(target);
  const found = candidates.find(({ version }) => version === name);
  const isSame = !("digest" in target) || target.digest === undefined || target.digest === found?.digest;
  return isSame ? found : undefined;
}

/** Returns what is known of a digest now: a tag that moved starts again. `pushedAt` is what the registry says; null if it says nothing. */
export function observeCandidate(
  known: Candidate | undefined,
  version: string,
  digest: string,
  pushedAt: string | null,
  now: string,
): Candidate {
  const isMoved = known !== undefined && known.digest !== digest;
  const moves = (known?.moves ?? 0) + (isMoved ? 1 : 0);
  const since = pushedAt ?? (known === undefined || isMoved ? now : known.since);
  return { version, digest, since, ...(moves === 0 ? {} : { moves }) };
}

/**
 * Adds a candidate in place of what was known of its version. Of too many, the one leaves that is closest in time to its neighbours, and
 * neither the oldest nor the newest: one is always next to be old enough.
 */
export function addCandidate(candidates: readonly Candidate[], added: Candidate): readonly Candidate[] {
  const all = [...candidates.filter(({ version }) => version !== added.version), added];
  if (all.length <= maxCandidates) return all;
  const byTime = all.toSorted((one, other) => timeOf(one) - timeOf(other));
  const gap = (index: number) => timeOf(byTime[index + 1] as Candidate) - timeOf(byTime[index - 1] as Candidate);
  const inner = byTime.slice(1, -1).map((candidate, index) => ({ candidate, gap: gap(index + 1) }));
  const closest = inner.toSorted((one, other) => one.gap - other.gap)[0]?.candidate;
  return all.filter((candidate) => candidate !== closest);
}

function timeOf({ since }: Candidate): number {
  return parseRfc3339(since)?.getTime() ?? 0;
}

/** What of a policy judges each version by itself. */
interface CandidatePolicy {
  readonly minimumReleaseAgeSeconds?: number;
  readonly approval?: ApprovalPolicy;
  readonly enforcedApprovals?: readonly ApprovalPolicy[];
  readonly after?: readonly object[];
  readonly scan?: object;
}

/** Reports whether each version is judged by itself, so that an older one may pass while the newest waits. */
export function hasCandidateGates(policy: CandidatePolicy): boolean {
  const { minimumReleaseAgeSeconds = 0, after = [], scan } = policy;
  const isJudged = approvalPolicies(policy).length > 0 || after.length > 0 || scan !== undefined;
  return minimumReleaseAgeSeconds > 0 || isJudged;
}
