import { createHash } from "node:crypto";
import { versionOf } from "./domain/image-reference.ts";
import { shortenDigests } from "./domain/short-digests.ts";
import type { WorkloadRef } from "./domain/workload.ts";
import type { PoolRef } from "./ports/node-pools.ts";

/** Step Functions: at most 80 characters, and of these only what CloudWatch Logs takes too. */
const longest = 80;

/**
 * The name of an execution, made of what it is to do, so that a start repeated is the same start: a part to read
 * (namespace, name, tag) and a hash of the object's uid, the image and `attempt`, which tells one try from the next.
 */
export function executionName(workload: WorkloadRef, image: string, attempt: string): string {
  const version = shortenDigests(versionOf(image));
  return named([workload.namespace, workload.name, version], [workload.uid, image, attempt]);
}

/** The name of an execution for a node pool. What it is to run stands on the pool, and `attempt` tells when it was begun. */
export function poolExecutionName({ name, uid }: PoolRef, attempt: string): string {
  return named(["pool", name], [uid, attempt]);
}

function named(readable: readonly string[], hashed: readonly string[]): string {
  const hash = createHash("sha256").update(hashed.join("\n")).digest("hex").slice(0, 12);
  const start = readable.join("-").replaceAll(/[^0-9A-Za-z_-]+/g, "-");
  return `${start.slice(0, longest - hash.length - 1)}-${hash}`;
}
