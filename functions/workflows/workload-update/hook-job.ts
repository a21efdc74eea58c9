import { createHash } from "node:crypto";
import { versionOf, withoutDigest } from "../../domain/image/reference.ts";
import { formatRfc3339 } from "../../domain/text/rfc3339.ts";
import { keepsImages } from "../../domain/workload/restart-request.ts";
import type { HeldClaim } from "../../domain/workload/claim.ts";
import type { Hook, HookRun } from "../../domain/workload/hook/hook.ts";
import type { HookJobSpec } from "../../ports/cluster.ts";

/** Of a Job: its name is a label of its pods. */
const maxNameLength = 63;

/** Returns the Job of a hook. Its name is built from what it does, so that a repeated step and an adoption find it. */
export function hookJobOf(
  { workload: { ref, updateRecord }, inFlight: { targetImage, previousImage } }: HeldClaim,
  run: HookRun,
  { timeoutSeconds, usesNewImage }: Hook,
): HookJobSpec {
  const attempt = [ref.uid, targetImage, run.stage, formatRfc3339(run.startedAt)].join("\n");
  const hash = createHash("sha256").update(attempt).digest("hex").slice(0, 12);
  const image = keepsImages(targetImage) ? withoutDigest(targetImage) : targetImage;
  return {
    name: `${run.job.slice(0, maxNameLength - hash.length - 1)}-${hash}`,
    template: run.job,
    deadlineSeconds: timeoutSeconds,
    variables: {
      PAWL_VERSION: versionOf(image),
      // A restart changes no image.
      PAWL_PREVIOUS_VERSION: previousImage === null ? (updateRecord.currentVersion ?? "") : versionOf(previousImage),
      PAWL_IMAGE: image,
    },
    image: usesNewImage ? image : null,
  };
}
