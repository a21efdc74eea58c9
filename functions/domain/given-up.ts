import { pinsOf } from "./digest-record.ts";
import { isDigestPinned } from "./image-reference.ts";
import { type News, restartFailed, updateRolledBack } from "./news.ts";
import type { Workload } from "./workload.ts";

/**
 * What there is to say of an update to `image` once it was given up, of the workload as it is then. Whoever goes on with an
 * interrupted rollback knows a restart by its image: no update by tag names a digest.
 */
export function givenUp(workload: Workload, image: string, execution: string, reason: string): News {
  const { digests, policy } = workload;
  const isRestart = digests !== null && isDigestPinned(image);
  if (!isRestart) return updateRolledBack(image, execution, reason, workload.image);
  const isPinned = policy.enabled && policy.rollsBackDigests && Object.keys(pinsOf(workload)).length > 0;
  return restartFailed(image, execution, reason, isPinned);
}
