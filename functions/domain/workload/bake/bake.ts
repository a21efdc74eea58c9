import { parseDuration } from "../../text/duration.ts";
import { type ParseError, invalid } from "../../text/parse-error.ts";

/** How long an update is watched after all replicas were ready: a failure rolls it back. */
export interface Bake {
  /** null: until its analysis has completed. */
  readonly seconds: number | null;
}

const daySeconds = 86_400;

/** Parses a bake time, such as `30m`. */
export function parseBakeTime(text: string): Bake | ParseError {
  const parsed = parseDuration(text);
  if (parsed.kind === "invalid") return parsed;
  const { seconds } = parsed;
  return seconds >= 1 && seconds <= daySeconds ? { seconds } : invalid(text, "must be from 1s to 24h");
}
