import { parseDuration } from "../../functions/domain/text/duration.ts";
import { parseRfc3339 } from "../../functions/domain/text/rfc3339.ts";
import { InvalidInput } from "../exit-codes.ts";

/** The flags of `pawl local` about time, whose defaults differ in the demo. */
export interface ClockFlags {
  readonly demo?: true;
  readonly interval?: string;
  readonly clockSpeed?: string;
  readonly clockStart?: string;
}

export function parseInterval({ interval, demo }: ClockFlags): number {
  const parsed = parseDuration(interval ?? (demo === true ? "3m" : "5m"));
  if (parsed.kind === "invalid") throw new InvalidInput(`--interval: ${parsed.reason}`);
  if (parsed.seconds < 1) throw new InvalidInput(`--interval ${interval}: must be at least 1s`);
  return parsed.seconds;
}

export function parseClockSpeed({ clockSpeed, demo }: ClockFlags): number {
  const factor = Number(clockSpeed ?? (demo === true ? 60 : 1));
  if (!(factor > 0 && factor <= 1000))
    throw new InvalidInput(`--clock-speed ${clockSpeed}: must be above 0 and at most 1000`);
  return factor;
}

export function parseClockStart({ clockStart }: ClockFlags): Date {
  if (clockStart === undefined) return new Date();
  const time = parseRfc3339(clockStart);
  if (time === null)
    throw new InvalidInput(`--clock-start ${clockStart}: must be an RFC3339 time such as 2026-01-02T03:04:05Z`);
  return time;
}
