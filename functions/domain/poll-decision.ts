import { runningImage } from "./bookkeeping.ts";
import { whyNoCanary } from "./canary-size.ts";
import { isPawls } from "./claim.ts";
import { parseConstraint } from "./constraint.ts";
import { isDigestPinned, replaceTag, sameImage, tagOf } from "./image-reference.ts";
import { parseTagPattern, resolve } from "./resolve.ts";
import { isDue, parseSchedule } from "./schedule.ts";
import { higherVersion, parseVersion } from "./version.ts";
import type { InFlight, Workload } from "./workload.ts";

export type HoldReason =
  | "disabled"
  | "paused"
  | "digest-pinned"
  | "no-published-image"
  | "not-due"
  | "no-tags"
  | "no-newer-version"
  | "unknown-version"
  | "changed-by-hand"
  | "circuit-open";

export type Decision =
  | { readonly kind: "update"; readonly version: string; readonly image: string }
  | {
      readonly kind: "hold";
      readonly reason: HoldReason;
      /** A sentence for people. */
      readonly detail: string;
      /** The version that is there and is not applied, where there is one, and its image. */
      readonly version: string | null;
      readonly image: string | null;
    }
  /** An update is in flight: it goes on, under a new execution where its own is gone. */
  | { readonly kind: "adopt"; readonly inFlight: InFlight }
  | { readonly kind: "problem"; readonly problems: readonly string[] };

/** The tags of `source` are needed before anything can be decided. */
export interface Undecided {
  readonly kind: "undecided";
  readonly source: string;
}

/** What a poll does about one workload. `tags` are all tags of its source, or null where they were not needed. */
export function decide(workload: Workload, tags: readonly string[] | null, now: Date): Decision {
  const early = decideWithoutTags(workload, now);
  return early.kind === "undecided" ? decideWithTags(workload, early.source, tags ?? []) : early;
}

/** What can be decided before a registry is asked. */
export function decideWithoutTags(workload: Workload, now: Date): Decision | Undecided {
  const { inFlight, policy, problems, source } = workload;
  if (inFlight !== null) return decideInFlight(workload, inFlight);
  if (!policy.enabled) return hold("disabled", "auto-update is not switched on");
  const obstacles = [...problems, ...canaryProblems(workload)];
  if (obstacles.length > 0) return { kind: "problem", problems: obstacles };
  if (workload.wanted !== null) return decideWanted(workload, workload.wanted);
  if (source === null) return hold("no-published-image", "no other image is published or asked for");
  if (policy.paused) return hold("paused", "pawl.dev/paused is set");
  if (isDigestPinned(workload.image ?? "")) return hold("digest-pinned", `${workload.image} is pinned by digest`);
  if (!isScheduled(workload, now)) return hold("not-due", `the schedule "${policy.schedule}" is not due`);
  return { kind: "undecided", source };
}

/** Its owner names the whole image: there is nothing to list and nothing to compare. */
function decideWanted({ policy }: Workload, image: string): Decision {
  if (policy.paused) return hold("paused", "pawl.dev/paused is set");
  return { kind: "update", version: tagOf(image), image };
}

/** A canary that cannot be made of the replicas there are. What follows no registry has said so among its problems. */
function canaryProblems({ policy, rollout, source }: Workload): readonly string[] {
  const reason =
    policy.canary === null || rollout === null || source === null ? null : whyNoCanary(policy.canary, rollout);
  return reason === null ? [] : [`pawl.dev/canary: ${reason}`];
}

/** Applied by Pawl and since then changed by a person: the marks go, the person's image stays. */
function decideInFlight(workload: Workload, inFlight: InFlight): Decision {
  const { image, wanted, policy } = workload;
  if (inFlight.execution === null && !policy.enabled) return hold("disabled", "auto-update is not switched on");
  if (inFlight.execution === null || isPawls(workload, inFlight)) return { kind: "adopt", inFlight };
  return hold(
    "changed-by-hand",
    `the image was changed to ${wanted ?? image} while ${inFlight.targetImage} was rolled out`,
  );
}

function isScheduled({ policy, bookkeeping }: Workload, now: Date): boolean {
  if (policy.schedule === null) return true;
  const schedule = parseSchedule(policy.schedule);
  return schedule.kind === "invalid" || isDue(schedule, bookkeeping.lastCheck, now);
}

function decideWithTags(workload: Workload, source: string, tags: readonly string[]): Decision {
  const { policy, bookkeeping } = workload;
  if (tags.length === 0) return hold("no-tags", `the registry lists no tags of ${source}`);
  if (isOfUnknownVersion(workload)) {
    return hold(
      "unknown-version",
      `${runningImage(workload)} carries no version to compare with: set pawl.dev/version-constraint or pawl.dev/current-version`,
    );
  }
  const constraint = parseConstraint(policy.versionConstraint ?? "");
  const pattern = policy.tagPattern === null ? null : parseTagPattern(policy.tagPattern);
  if (constraint.kind === "invalid") return { kind: "problem", problems: [constraint.reason] };
  if (pattern?.kind === "invalid") return { kind: "problem", problems: [pattern.reason] };
  const found = resolve({ tags, constraint, pattern, current: floor(workload), failed: bookkeeping.failedVersions });
  if (found.kind === "none") return holdWithNothingNewer(workload, found.reason);
  const image = replaceTag(source, found.tag);
  if (bookkeeping.circuitOpen) {
    const detail = `the circuit is open: version ${found.tag} is available and is not applied`;
    return { kind: "hold", reason: "circuit-open", detail, version: found.tag, image };
  }
  return { kind: "update", version: found.tag, image };
}

/** A manual rollback sticks: what runs is not what was recorded, and nothing newer than the record has come. */
function holdWithNothingNewer(workload: Workload, reason: string): Decision {
  const { currentVersion } = workload.bookkeeping;
  const running = tagOf(runningImage(workload) ?? "");
  if (currentVersion === null || running === "" || running === currentVersion) return hold("no-newer-version", reason);
  const detail = `${running} was chosen by hand instead of ${currentVersion}: held until something newer than ${currentVersion} appears`;
  return hold("changed-by-hand", detail);
}

/** The higher of what was recorded and what runs: a poll never downgrades, and never undoes a manual step back. */
export function floor(workload: Workload): string | null {
  const running = tagOf(runningImage(workload) ?? "");
  return higherVersion(workload.bookkeeping.currentVersion, running === "" ? null : running);
}

/** A built-in kind that runs `latest` or a hash, with nothing written that says what would be newer. */
function isOfUnknownVersion(workload: Workload): boolean {
  return workload.image !== null && workload.policy.versionConstraint === null && floor(workload) === null;
}

function hold(reason: HoldReason, detail: string): Decision {
  return { kind: "hold", reason, detail, version: null, image: null };
}

/** Why this image may not be applied now although a poll chose it; null where it may. The world may have moved since. */
export function whyNotApply(workload: Workload, image: string): string | null {
  const { policy, bookkeeping, source, wanted } = workload;
  const problems = [...workload.problems, ...canaryProblems(workload)];
  const version = tagOf(image);
  const newest = floor(workload);
  if (!policy.enabled) return "auto-update is not switched on";
  if (policy.paused) return "updates are paused";
  if (problems.length > 0) return problems.join("; ");
  if (wanted !== null) return sameImage(wanted, image) ? null : `the workload now asks for ${wanted}`;
  if (bookkeeping.circuitOpen) return "the circuit is open";
  if (isDigestPinned(workload.image ?? "")) return "the image is pinned by digest";
  if (bookkeeping.failedVersions.includes(version)) return `version ${version} has failed before`;
  if (source === null || !sameImage(replaceTag(source, version), image)) return `the workload now follows ${source}`;
  const candidate = parseVersion(version);
  if (candidate === null || (newest !== null && higherVersion(newest, version) !== version)) {
    return `version ${version} is not newer than ${newest}`;
  }
  return version === newest ? `version ${version} runs already` : null;
}
