import type { UpdateStart } from "../record/update-record.ts";
import { closedSince } from "../../gates/gates.ts";
import { afterProblems } from "../../gates/after.ts";
import { canaryProblems } from "../canary/canary.ts";
import { changedReferences } from "../config/decide-by-config.ts";
import { configDigests, containerDigests } from "../config/tracking.ts";
import { compareDigests } from "../digest/compare-digests.ts";
import { replaceTag, isSameImage, tagOf, withoutDigest } from "../../image/reference.ts";
import { pushRefusal } from "../request/request.ts";
import { requestedRestartFailure } from "../request/restart-request.ts";
import { isPinnedByOwner } from "./decide.ts";
import { decideByTag } from "./decide-by-tag.ts";
import { asSetBack, versionToReapply } from "../owner/reverts.ts";
import { pinProblems } from "./pin.ts";
import { minimumVersion } from "./tag-candidates.ts";
import { higherVersion } from "../../version/compare-tags.ts";
import { parseTag } from "../../version/parse-tag.ts";
import { versioningOf } from "../policy/versioning.ts";
import { versioningProblems } from "./versioning-problems.ts";
import type { Digests, DigestTracking } from "../digest/tracking.ts";
import { isRestart, type RestartTarget, type Target, versionOfTarget } from "../target/target.ts";
import type { Workload } from "../workload.ts";
import { describeProblems } from "../policy/problem.ts";

/**
 * Returns why an update that a poll chose must not start any more; null if it may. The workload may have changed
 * since.
 */
export function preconditionFailure(workload: Workload, { target, digests }: UpdateStart, now: Date): string | null {
  if (isPushed(workload, target)) return pushRefusal(workload, tagOf(target.image));
  if (target.kind === "restart") return requestedRestartFailure(workload, target);
  return isRestart(target)
    ? restartPreconditionFailure(workload, target, digests ?? {}, now)
    : imagePreconditionFailure(workload, target.image, now);
}

/** Reports whether a person asks for this version. */
export function isPushed({ request, source }: Workload, { kind, image }: Target): boolean {
  const isPush = request?.verb === "push" && request.argument === tagOf(image) && kind === "image";
  return isPush && source !== null && isSameImage(replaceTag(source, tagOf(image)), image);
}

/** Returns why this image must not be applied; null if it may. */
function imagePreconditionFailure(workload: Workload, image: string, now: Date): string | null {
  const { policy, requestedImage } = workload;
  const problems = [
    ...workload.problems,
    ...canaryProblems(workload),
    ...versioningProblems(workload),
    ...afterProblems(workload),
    ...pinProblems(workload),
  ];
  if (workload.record.state === "missing") return "the AutoUpdate does not exist any more";
  if (policy.optIn === "no") return "auto-update is disabled";
  if (problems.length > 0) return describeProblems(problems);
  const closed = closedSince(workload, null, now);
  if (closed !== null) return closed;
  if (requestedImage !== null)
    return isSameImage(requestedImage, image) ? null : `the workload now requests ${requestedImage}`;
  if (isPinnedByOwner(workload)) return "the image is pinned by digest";
  return versionPreconditionFailure(workload, image, now);
}

function restartPreconditionFailure(
  workload: Workload,
  target: RestartTarget,
  chosen: Digests,
  now: Date,
): string | null {
  const { policy, problems, updateRecord, digests } = workload;
  if (workload.record.state === "missing") return "the AutoUpdate does not exist any more";
  if (policy.optIn === "no") return "auto-update is disabled";
  if (problems.length > 0) return describeProblems(problems);
  const closed = closedSince(workload, target.kind === "config" ? target : null, now);
  if (closed !== null) return closed;
  const { kind, image } = target;
  const version = versionOfTarget(target);
  if (updateRecord.failedVersions.includes(version)) return `${version} has failed before`;
  if (kind === "config") return configPreconditionFailure(workload, image, chosen);
  const isTracked = digests?.containers.some((one) => isSameImage(one.image, image)) ?? false;
  if (digests === null || !isTracked) return `no tracked container runs ${image}`;
  return digestPreconditionFailure(digests, containerDigests(chosen) ?? {}, now);
}

/** Rejects a configuration that another execution has deployed since the poll. */
function configPreconditionFailure({ config, image: own }: Workload, image: string, chosen: Digests): string | null {
  if (config === undefined) return "a change of its configuration restarts it no more";
  if (!isSameImage(withoutDigest(own ?? ""), image)) return `the workload now runs ${own}`;
  const isChanged = changedReferences(config, configDigests(chosen) ?? {}).length > 0;
  return isChanged ? null : "this configuration is already deployed";
}

/** Rejects digests that another execution has deployed since the poll. */
function digestPreconditionFailure(tracking: DigestTracking, digests: Digests, now: Date): string | null {
  const tagDigests = Object.fromEntries(Object.entries(digests).map(([name, digest]) => [name, [digest]]));
  const { kind } = compareDigests(tracking, { tagDigests, running: null }, now);
  if (kind === "changed") return null;
  return kind === "reverted" ? "a newer restart has replaced these digests" : "these digests are already deployed";
}

function versionPreconditionFailure(read: Workload, image: string, now: Date): string | null {
  const version = tagOf(image);
  const workload = versionToReapply(read, now) === version ? asSetBack(read, version) : read;
  const { updateRecord, source } = workload;
  const newest = minimumVersion(workload);
  if (updateRecord.failedVersions.includes(version)) return `version ${version} has failed before`;
  if (source === null || !isSameImage(replaceTag(source, version), image)) return `the workload now tracks ${source}`;
  const versioning = versioningOf(workload.policy);
  const isOrdered = parseTag(version, versioning) !== null;
  if (!isOrdered || (newest !== null && higherVersion(newest, version, versioning) !== version)) {
    return `version ${version} is not newer than ${newest}`;
  }
  if (version === newest) return `version ${version} is already running`;
  const decision = decideByTag(workload, source, [version], now);
  if (decision.kind === "update") return null;
  return `version ${version} is not allowed: ${decision.kind === "hold" ? decision.detail : "its policy is invalid"}`;
}
