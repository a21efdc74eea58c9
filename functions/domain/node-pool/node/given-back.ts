import { formatRfc3339, fromEpoch, parseRfc3339 } from "../../text/rfc3339.ts";

/** Drains of a node in a row that took too long, after each of which it released its slot. */
export interface GivenBack {
  readonly count: number;
  /** When it last released its slot. */
  readonly at: Date;
}

/** Also between the drains of several such nodes of a pool. */
export const firstDelayHours = 1;
const maxDelayHours = 8;

/** Returns when a node may acquire a slot again: after one hour, doubled with each further drain up to eight. */
export function nextDrainAt({ count, at }: GivenBack): Date {
  const hours = Math.min(firstDelayHours * 2 ** (count - 1), maxDelayHours);
  return fromEpoch(at.getTime() + hours * 3_600_000);
}

/** Reports whether a node waits before its next drain. */
export function isDrainBackingOff(givenBack: GivenBack | null, now: Date): boolean {
  return givenBack !== null && nextDrainAt(givenBack) > now;
}

/** Formats the drains as they are recorded, such as `2 2026-11-20T12:00:00Z`. */
export function formatGivenBack({ count, at }: GivenBack): string {
  return `${count} ${formatRfc3339(at)}`;
}

/** Parses the drains as they are recorded; null if they are not. */
export function parseGivenBack(text: string): GivenBack | null {
  const [, count = "", time = ""] = /^([1-9]\d{0,3}) (\S+)$/.exec(text) ?? [];
  const at = parseRfc3339(time);
  return at === null ? null : { count: Number(count), at };
}
