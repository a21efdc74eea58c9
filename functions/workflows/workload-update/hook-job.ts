import { createHash } from "node:crypto";
import { versionNameOf, versionOf } from "../../domain/image/reference.ts";
import { formatRfc3339 } from "../../domain/text/rfc3339.ts";
import { imageOfTarget, type Target, targetKey } from "../../domain/workload/target/target.ts";
import { lastSucceeded } from "../../domain/workload/release/mint-release.ts";
import { nextReleaseNumber, releasesOf } from "../../domain/workload/release/release.ts";
import type { HeldClaim } from "../../domain/workload/update/claim.ts";
import { type Hook, type HookRun, occasionOf } from "../../domain/workload/hook/hook.ts";
import type { Workload } from "../../domain/workload/workload.ts";
import type { HookJobSpec } from "../../ports/cluster.ts";

/** Of a Job: its name is a label of its pods. */
const maxNameLength = 63;

/** Returns the Job of a hook. */
export function hookJobOf(claim: HeldClaim, { stage, startedAt, job, jobUid }: HookRun, hook: Hook): HookJobSpec {
  const purpose = [stage, formatRfc3339(startedAt)];
  return updateJobOf(claim, { ...hook, job, purpose, uid: jobUid ?? null });
}

interface UpdateJob extends Pick<Hook, "job" | "timeoutSeconds" | "usesNewImage"> {
  /** What it is created for; with the workload and the target it identifies one Job. */
  readonly purpose: readonly string[];
  readonly uid: string | null;
  readonly keptSeconds?: number;
  /** Besides those of every Job. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** Returns a Job of an update. Its name is built from what it does, so that a repeated step and an adoption find it. */
export function updateJobOf(
  { workload, inFlight: { target, previousImage } }: HeldClaim,
  { job, timeoutSeconds, usesNewImage, purpose, variables = {}, ...kept }: UpdateJob,
): HookJobSpec {
  const { ref, updateRecord, releases } = workload;
  const attempt = [ref.uid, targetKey(target), ...purpose].join("\n");
  const hash = createHash("sha256").update(attempt).digest("hex").slice(0, 12);
  const image = imageOfTarget(target);
  return {
    // A part of a name that begins with a dash, as in `a.-b`, is invalid.
    name: `${job.slice(0, maxNameLength - hash.length - 1).replace(/(?<=[a-z0-9])[.-]+$/, "")}-${hash}`,
    template: job,
    deadlineSeconds: timeoutSeconds,
    variables: {
      PAWL_VERSION: target.kind === "digest" ? versionOf(image) : versionNameOf(image),
      // A restart changes no image.
      PAWL_PREVIOUS_VERSION:
        previousImage === null ? (updateRecord.currentVersion ?? "") : versionNameOf(previousImage),
      PAWL_IMAGE: image,
      PAWL_KIND: occasionOf(target),
      PAWL_RELEASE: releases === undefined ? "" : String(releaseNumber(workload, target)),
      ...variables,
    },
    image: usesNewImage ? image : null,
    uid: kept.uid,
    ...(kept.keptSeconds === undefined ? {} : { keptSeconds: kept.keptSeconds }),
  };
}

/** Of the release that the update becomes. A restart that a person asked for becomes none: its template is that of the newest. */
function releaseNumber(workload: Workload, { kind }: Target): number | "" {
  if (kind === "restart") return lastSucceeded(workload)?.number ?? "";
  return nextReleaseNumber(releasesOf(workload));
}
