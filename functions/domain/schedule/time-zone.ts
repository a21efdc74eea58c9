/** A time zone of the IANA database. Wall-clock times and instants are both in milliseconds, as if in UTC. */
export interface TimeZone {
  readonly name: string;
  readonly format: Intl.DateTimeFormat;
}

const dayMilliseconds = 86_400_000;

/** Returns null if the runtime's time zone database has no such name. */
export function parseTimeZone(name: string): TimeZone | null {
  if (!/^[A-Za-z]/.test(name)) return null;
  try {
    return { name, format: new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" }) };
  } catch {
    return null;
  }
}

/** Returns the offset of the zone from UTC at an instant, in milliseconds; negative west of Greenwich. */
export function offsetAt({ format }: TimeZone, instant: number): number {
  const text = format.format(instant);
  // "GMT", "GMT+02:00" or, for a historical local mean time, "GMT-00:43:08" is at the end.
  const offset = text.slice(text.indexOf("GMT") + "GMT".length);
  const seconds = Number(offset.slice(1, 3)) * 3600 + Number(offset.slice(4, 6)) * 60 + Number(offset.slice(7, 9));
  return (offset.startsWith("-") ? -1000 : 1000) * seconds;
}

/** Returns by how much the clocks are set back within a day after an instant: that wall-clock time occurs twice. */
export function clockSetBack(zone: TimeZone, instant: number): number {
  return Math.max(0, offsetAt(zone, instant) - offsetAt(zone, instant + dayMilliseconds));
}

/** Returns the instants of a wall-clock time: none if it is skipped in spring, two if it repeats in autumn. */
export function instantsAt(zone: TimeZone, wallClock: number): number[] {
  return [wallClock - dayMilliseconds, wallClock + dayMilliseconds]
    .map((nearby) => wallClock - offsetAt(zone, nearby))
    .filter((instant) => instant + offsetAt(zone, instant) === wallClock);
}
