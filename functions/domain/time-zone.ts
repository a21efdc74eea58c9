/** A time zone of the IANA database. Wall-clock times and instants are both counted in milliseconds, as if in UTC. */
export interface TimeZone {
  readonly name: string;
  readonly format: Intl.DateTimeFormat;
}

const dayMilliseconds = 86_400_000;

/** null where the runtime's time zone database knows no such name. */
export function parseTimeZone(name: string): TimeZone | null {
  if (!/^[A-Za-z]/.test(name)) return null;
  try {
    return { name, format: new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" }) };
  } catch {
    return null;
  }
}

/** How far the clocks of the zone are ahead of UTC at an instant; negative west of Greenwich. */
export function offsetAt({ format }: TimeZone, instant: number): number {
  const text = format.format(instant);
  // "GMT", "GMT+02:00" or, for a local mean time of old, "GMT-00:43:08" stands at the end.
  const offset = text.slice(text.indexOf("GMT") + "GMT".length);
  const seconds = Number(offset.slice(1, 3)) * 3600 + Number(offset.slice(4, 6)) * 60 + Number(offset.slice(7, 9));
  return (offset.startsWith("-") ? -1000 : 1000) * seconds;
}

/** By how much the clocks are set back within a day after an instant: so much wall-clock time comes twice. */
export function setBackAfter(zone: TimeZone, instant: number): number {
  return Math.max(0, offsetAt(zone, instant) - offsetAt(zone, instant + dayMilliseconds));
}

/** When the clocks show a wall-clock time: never where they are put forward over it, twice where they are set back. */
export function instantsOf(zone: TimeZone, wallClock: number): number[] {
  return [wallClock - dayMilliseconds, wallClock + dayMilliseconds]
    .map((nearby) => wallClock - offsetAt(zone, nearby))
    .filter((instant) => instant + offsetAt(zone, instant) === wallClock);
}
