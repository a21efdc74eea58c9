import { runningImage } from "../../functions/domain/bookkeeping.ts";
import { parseImageReference } from "../../functions/domain/image-reference.ts";
import type { Workload } from "../../functions/domain/workload.ts";

/** What runs, or is asked to run: the tag, or the digest where an image has no tag; null where nothing is known. */
export function runningVersion(workload: Workload): string | null {
  const running = runningImage(workload);
  const image = parseImageReference(running ?? "");
  return "kind" in image ? running : (image.tag ?? image.digest);
}
