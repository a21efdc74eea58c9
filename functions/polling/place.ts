import { hash } from "node:crypto";
import { parseImageReference } from "../domain/image-reference.ts";
import type { Workload } from "../domain/workload.ts";

export interface Seat {
  /** The registry that is asked first; "" where none is. */
  readonly host: string;
  /** From 0 up to `endOfPlaces`. */
  readonly place: number;
}

/** What 52 bits count: a number holds it exactly. */
export const endOfPlaces = 2 ** 52;

/**
 * Where a workload stands in a poll. Those of one repository stand together, so that it is listed once, by one part of
 * the poll; among themselves their uid tells them apart, so that a poll can be cut anywhere.
 */
export function seatOf({ source, digests, ref }: Workload, seed: string): Seat {
  const image = parseImageReference(source ?? digests?.containers[0]?.image ?? "");
  const uid = digits(seed + ref.uid);
  if ("kind" in image) return { host: "", place: Number.parseInt(uid.slice(0, 13), 16) };
  const repository = digits(`${seed}${image.registry}/${image.repository}`);
  return { host: image.registry, place: Number.parseInt(repository.slice(0, 7) + uid.slice(0, 6), 16) };
}

function digits(text: string): string {
  return hash("sha256", text, "hex");
}
