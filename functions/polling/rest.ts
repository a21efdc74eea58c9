import { randomUUID } from "node:crypto";
import type { PollRest } from "../ports/polls.ts";
import { endOfPlaces, type Seat } from "./place.ts";
import type { Undone } from "./undone.ts";

/** No more, however much is left: it is as long as Lambda by itself lets a function invoke itself. */
export const mostParts = 16;

/** What is handed on has to fit an invocation. */
const mostBehind = 500;

/** How one part of a poll ended. */
export interface PartEnd {
  /** From here on it was not looked at for want of memory, `endOfPlaces` where everything was. */
  readonly until: number;
  /** Registries that workloads from `until` on ask. */
  readonly later: ReadonlySet<string>;
  /** By registry, what was not decided in time. */
  readonly undone: Undone;
  /** Registries that gave nothing but errors. */
  readonly silent: ReadonlySet<string>;
}

/** A whole poll. */
export function wholePoll(now: Date): PollRest {
  return { seed: randomUUID(), from: 0, behind: {}, startedAt: now.toISOString(), part: 1 };
}

/** Whether a workload has not had its turn in this poll. */
export function isOpen({ from, behind }: PollRest, { host, place }: Seat): boolean {
  return place >= (behind[host] ?? from);
}

/** Whether it has its turn in this part. What is behind waits until everybody else has had theirs. */
export function hasTurn(rest: PollRest, seat: Seat): boolean {
  return isOpen(rest, seat) && (isCatchingUp(rest) || rest.behind[seat.host] === undefined);
}

/**
 * What the next part is to do; null where nothing is left, or where going on would lead no further. At first each part
 * gets further up the places; once through, those that were behind go on as long as each part gets them further.
 */
export function restAfter(rest: PollRest, end: PartEnd): PollRest | null {
  const behind = Object.fromEntries(
    (isCatchingUp(rest) ? stillBehind(rest, end) : leftBehind(rest, end)).slice(0, mostBehind),
  );
  const isRestBehind = [...end.later].every((host) => behind[host] !== undefined);
  const from = isCatchingUp(rest) || isRestBehind ? endOfPlaces : end.until;
  const isOver = from === endOfPlaces && Object.keys(behind).length === 0;
  if (isOver || rest.part >= mostParts || (from <= rest.from && !isCatchingUp(rest))) return null;
  return { ...rest, from, behind, part: rest.part + 1 };
}

function isCatchingUp({ from }: PollRest): boolean {
  return from === endOfPlaces;
}

function leftBehind({ behind }: PollRest, { undone }: PartEnd): (readonly [string, number])[] {
  return [...Object.entries(behind), ...[...undone].map(([host, { place }]) => [host, place] as const)];
}

function stillBehind({ behind }: PollRest, { undone, later, until, silent }: PartEnd): (readonly [string, number])[] {
  return Object.entries(behind).flatMap(([host, before]) => {
    const place = undone.get(host)?.place ?? (later.has(host) ? until : null);
    return place === null || place <= before || silent.has(host) ? [] : [[host, place] as const];
  });
}
