import { isSameImage, tagOf } from "../../../functions/domain/image/reference.ts";
import type { AutoUpdateStatus } from "../../../functions/adapters/kubernetes/auto-update/status/status-fields.ts";
import { type Base, baseOf } from "../record/base.ts";
import type { WorkloadFact } from "../record/facts.ts";
import { isTrackedByDigest, trackedTag } from "../fleet.ts";
import { highestGood, isHigher } from "../releases.ts";
import { checkPods } from "./check-pods.ts";
import type { Story } from "./violation.ts";

/** Returns what is wrong with an idle workload: it runs the highest good version or what a person chose, and nothing is left over. */
export function checkIdle(story: Story): readonly string[] {
  const facts = [...story.current.values()];
  const workload = facts.find((fact) => fact.kind === "workload");
  const record = facts.find((fact) => fact.kind === "record");
  if (workload === undefined || record === undefined) return ["it has no AutoUpdate"];
  const { status } = record;
  return [
    ...(status.update === undefined ? [] : [`an update to ${status.update.target.image} is in flight`]),
    ...(facts.some(({ kind }) => kind === "canary") ? ["a canary is left"] : []),
    ...(workload.partition === 0 ? [] : [`partition ${workload.partition} is left`]),
    ...(isTrackedByDigest(story.member) ? checkDigest(story, status) : checkImage(story, workload, status)),
    ...checkPods(story, workload),
  ];
}

function checkImage(story: Story, { image }: WorkloadFact, status: AutoUpdateStatus): readonly string[] {
  const base = baseOf(story.facts);
  if (base === null) return ["nothing was recorded"];
  if (!isSameImage(image, base.image)) return [`it runs ${image} instead of ${base.image}, which ${base.by} chose`];
  return status.circuitOpen ? [] : [...checkVersion(story, base, status), ...checkBad(story, base, status)];
}

/** A version that a person abandoned is not applied again, and none that is lower. */
function checkVersion(
  { member, releases }: Story,
  base: Base,
  { currentVersion = "", minimumVersion = currentVersion, failedVersions = [] }: AutoUpdateStatus,
): readonly string[] {
  // A good one may be blamed in an outage of its dependency: `checkBlame` knows when.
  const best = highestGood(releases, member.name, failedVersions);
  const running = tagOf(base.image);
  if (!isHigher(best, running)) return [];
  // What is older than a version that failed is not tried after it.
  if (failedVersions.some((failed) => isHigher(failed, best))) return [];
  if (base.abandoned.includes(minimumVersion) && !isHigher(best, minimumVersion)) return [];
  return [
    `it runs ${running}, ${base.by}'s choice, and ${best} is the highest good version (current: ${currentVersion})`,
  ];
}

/**
 * Every bad version that is higher was tried: it is blamed, or a newer one took its place, or it is tried again later, if its pods could not
 * show that it is bad.
 */
function checkBad({ member, releases }: Story, base: Base, status: AutoUpdateStatus): readonly string[] {
  const { currentVersion = "", minimumVersion = currentVersion, failedVersions = [], backOff, history = [] } = status;
  const superseded = history.filter(({ result }) => result === "Superseded").map(({ version }) => version);
  const tried = new Set([...failedVersions, ...superseded, tagOf(backOff?.target.image ?? "")]);
  const bad = (releases.get(member.name) ?? []).filter(({ isGood }) => !isGood).map(({ version }) => version);
  return bad
    .filter((version) => isHigher(version, minimumVersion) && isHigher(version, tagOf(base.image)))
    .filter((version) => !tried.has(version) && !failedVersions.some((failed) => isHigher(failed, version)))
    .map((version) => `${version} is bad, and was not tried`);
}

/** The last digest is deployed, or blamed. A bad one that nothing could replace is only counted. */
function checkDigest({ member, releases }: Story, status: AutoUpdateStatus): readonly string[] {
  const last = releases.get(member.name)?.at(-1);
  if (last === undefined || status.circuitOpen) return [];
  const isDeployed = `${trackedTag}@${status.digests?.deployed?.["app"]}` === last.version;
  const isFailed = status.failedVersions?.includes(last.version) ?? false;
  // A good one may be blamed in an outage of its dependency: `checkBlame` knows when.
  if (last.isGood) return isDeployed || isFailed ? [] : [`${last.version} is not deployed`];
  return isFailed || isDeployed ? [] : [`${last.version} is bad, and was not blamed`];
}
