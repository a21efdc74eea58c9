import { hash } from "node:crypto";
import { bucketOf } from "../../domain/execution/poll-batches.ts";
import { parseImageReference } from "../../domain/image/reference.ts";
import type { Workload } from "../../domain/workload/workload.ts";

/** Where a workload is in one poll. */
export interface Place {
  /** The registry that is asked first; "" if none is. */
  readonly host: string;
  /** Identifies the repository that is asked first; of a workload without one, itself. */
  readonly repository: string;
  /** Orders the workloads of a poll: at random, but those of one repository are adjacent. */
  readonly position: number;
  /** The part of its work list. */
  readonly bucket: number;
}

export interface PlacedWorkload extends Place {
  readonly workload: Workload;
}

/**
 * Places a workload. `poll` salts it, so that no two polls begin with the same workloads. A repository is in one bucket, so that one
 * batch asks for it.
 */
export function placeWorkload(workload: Workload, poll: string): PlacedWorkload {
  const { source, digests, ref } = workload;
  const image = parseImageReference(source ?? digests?.containers[0]?.image ?? "");
  const uid = sha256Hex(poll + ref.uid);
  const host = "kind" in image ? "" : image.registry;
  const repository = "kind" in image ? uid : sha256Hex(`${poll}${host}/${image.repository}`);
  return {
    workload,
    host,
    repository: repository.slice(0, 16),
    position: Number.parseInt(repository.slice(0, 7) + uid.slice(0, 6), 16),
    bucket: bucketOf(numberOf(sha256Hex(poll + host)), numberOf(repository)),
  };
}

function numberOf(hex: string): number {
  return Number.parseInt(hex.slice(-6), 16);
}

function sha256Hex(text: string): string {
  return hash("sha256", text, "hex");
}
