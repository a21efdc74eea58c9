import { hash } from "node:crypto";
import { abbreviateDigests } from "../domain/image/abbreviate-digests.ts";
import { type Target, targetKey, versionOfTarget } from "../domain/workload/target/target.ts";
import type { WorkloadRef } from "../domain/workload/workload.ts";
import type { PoolRef } from "../ports/node-pools.ts";

/** The limit of Step Functions. Only characters that CloudWatch Logs also accepts are used. */
const maxNameLength = 80;

/**
 * Returns the name of an execution, which is built from its task so that a repeated start is the same start. It has a readable part
 * (namespace, name, tag) and a hash of the object's uid, the target and `attempt`.
 */
export function executionName(workload: WorkloadRef, target: Target, attempt: string): string {
  const version = abbreviateDigests(versionOfTarget(target));
  const what = target.kind === "restart" ? [version, "restart"] : [version];
  return buildName([workload.namespace, workload.name, ...what], [workload.uid, targetKey(target), attempt]);
}

/** Returns the name of an execution for a node pool. `attempt` says when and why it was started. */
export function poolExecutionName({ name, uid }: PoolRef, attempt: string): string {
  return buildName(["pool", name], [uid, attempt]);
}

function buildName(readable: readonly string[], hashed: readonly string[]): string {
  const digest = hash("sha256", hashed.join("\n")).slice(0, 12);
  const prefix = readable.join("-").replaceAll(/[^0-9A-Za-z_-]+/g, "-");
  return `${prefix.slice(0, maxNameLength - digest.length - 1)}-${digest}`;
}
