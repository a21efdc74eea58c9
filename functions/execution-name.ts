import { createHash } from "node:crypto";
import { versionOf } from "./domain/image-reference.ts";
import { shortenDigests } from "./domain/short-digests.ts";
import type { WorkloadRef } from "./domain/workload.ts";

/** Step Functions: at most 80 characters, and of these only what CloudWatch Logs takes too. */
const longest = 80;

/**
 * The name of an execution, made of what it is to do, so that a start repeated is the same start: a part to read
 * (namespace, name, tag) and a hash of the object's uid, the image and `attempt`, which tells one try from the next.
 */
export function executionName(workload: WorkloadRef, image: string, attempt: string): string {
  const hash = createHash("sha256").update([workload.uid, image, attempt].join("\n")).digest("hex").slice(0, 12);
  const version = shortenDigests(versionOf(image));
  const readable = [workload.namespace, workload.name, version].join("-").replaceAll(/[^0-9A-Za-z_-]+/g, "-");
  return `${readable.slice(0, longest - hash.length - 1)}-${hash}`;
}
