import { hash } from "node:crypto";
import { parseImageReference } from "../../domain/image/reference.ts";
import type { Workload } from "../../domain/workload/workload.ts";

export interface ShardAssignment {
  /** The registry that is asked first; "" if none is. */
  readonly host: string;
  /** From 0 up to `shardKeyLimit`. */
  readonly shardKey: number;
}

export interface ShardedWorkload extends ShardAssignment {
  readonly workload: Workload;
}

/**
 * Assigns a workload its position in a poll. Workloads of one repository are adjacent, so that one part of the poll lists the
 * repository once. Within a repository the uid decides, so that a poll can be split anywhere.
 */
export function assignShard({ source, digests, ref }: Workload, seed: string): ShardAssignment {
  const image = parseImageReference(source ?? digests?.containers[0]?.image ?? "");
  const uid = sha256Hex(seed + ref.uid);
  if ("kind" in image) return { host: "", shardKey: Number.parseInt(uid.slice(0, 13), 16) };
  const repository = sha256Hex(`${seed}${image.registry}/${image.repository}`);
  return { host: image.registry, shardKey: Number.parseInt(repository.slice(0, 7) + uid.slice(0, 6), 16) };
}

function sha256Hex(text: string): string {
  return hash("sha256", text, "hex");
}

/** By registry: the lowest shard key that was not decided before the deadline, and how many workloads were not. */
export type Unfinished = ReadonlyMap<string, { readonly shardKey: number; readonly count: number }>;

export function groupByRegistry(pending: Iterable<ShardAssignment>): Unfinished {
  const unfinished = new Map<string, { shardKey: number; count: number }>();
  for (const { host, shardKey } of pending) {
    const known = unfinished.get(host) ?? { shardKey, count: 0 };
    unfinished.set(host, { shardKey: Math.min(known.shardKey, shardKey), count: known.count + 1 });
  }
  return unfinished;
}

/** Counts the undecided workloads of the registries that `matches` accepts. */
export function countUnfinished(unfinished: Unfinished, matches: (host: string) => boolean = () => true): number {
  return [...unfinished].reduce((total, [host, { count }]) => total + (matches(host) ? count : 0), 0);
}
