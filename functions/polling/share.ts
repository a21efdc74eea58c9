import type { Workload } from "../domain/workload.ts";
import type { PollRest } from "../ports/polls.ts";
import { endOfPlaces, type Seat, seatOf } from "./place.ts";
import { hasTurn, isOpen } from "./rest.ts";

export interface Seated extends Seat {
  readonly workload: Workload;
}

/** What one part of a poll looks at. */
export interface Share {
  /** By place. Whoever works on them takes them out, so that each can be forgotten once it was worked on. */
  readonly seated: Seated[];
  /** The first place that the share does not reach; `endOfPlaces` where it reaches everything. */
  readonly until: number;
  /** Registries that workloads from `until` on ask. */
  readonly later: ReadonlySet<string>;
  /** How many are still to have their turn and are not in the share. */
  readonly left: number;
}

/** The list did not come to its end in the time that a poll has. */
export class ListTooSlow extends Error {
  override readonly name = "ListTooSlow";
}

/**
 * Goes over all workloads and keeps those of the lowest places, `most` of them at most. What is above is given up again
 * an eighth at a time. Throws `ListTooSlow`, and what listing throws.
 */
export async function gather(
  workloads: AsyncIterable<Workload>,
  rest: PollRest,
  most: number,
  outOfTime: AbortSignal,
): Promise<Share> {
  const later = new Set<string>();
  let seated: Seated[] = [];
  let [until, left] = [endOfPlaces, 0];
  const leave = ({ host }: Seat) => {
    later.add(host);
    left += 1;
  };
  for await (const workload of workloads) {
    if (outOfTime.aborted) throw new ListTooSlow("the workloads could not be listed in time, and nothing was done");
    const seat = { ...seatOf(workload, rest.seed), workload };
    if (!isOpen(rest, seat)) continue;
    if (!hasTurn(rest, seat)) left += 1;
    else if (seat.place >= until) leave(seat);
    else seated.push(seat);
    if (seated.length <= most) continue;
    seated.sort(byPlace);
    until = seated[Math.max(1, Math.floor((most * 7) / 8))]?.place ?? until;
    for (const seatAbove of seated.filter(({ place }) => place >= until)) leave(seatAbove);
    seated = seated.filter(({ place }) => place < until);
  }
  return { seated: seated.sort(byPlace), until, later, left };
}

function byPlace(one: Seat, other: Seat): number {
  return one.place - other.place;
}
