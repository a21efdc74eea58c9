import * as v from "valibot";
import type { MetricSpec } from "./spec.ts";

/** How many failures are accepted among the last measurements. */
export interface FailureLimit {
  readonly failures: number;
  /** Of so many passed or failed measurements; null counts over the whole run. */
  readonly window: number | null;
}

const maxFailures = 1000;
/** The verdicts that a run remembers. */
export const maxWindow = 100;

const form = `a whole number from 0 to ${maxFailures}, or a number of the last 2 to ${maxWindow} measurements, such as 1 of 5`;
const inWindow = /^(\d{1,3}) of (\d{1,3})$/;

/** A limit such as 1, or 1 of 5. */
export const failureLimitSchema = v.pipe(
  v.custom<number | string>((given) => (typeof given === "string" ? isWindow(given) : isCount(given)), form),
  v.transform((given): FailureLimit => {
    if (typeof given === "number") return { failures: given, window: null };
    const [failures, window] = given.split(" of ").map(Number) as [number, number];
    return { failures, window };
  }),
);

function isWindow(text: string): boolean {
  const [whole, failures, window] = inWindow.exec(text.trim()) ?? [];
  return whole !== undefined && Number(window) >= 2 && Number(window) <= maxWindow && Number(failures) < Number(window);
}

function isCount(given: unknown): boolean {
  return Number.isInteger(given) && Number(given) >= 0 && Number(given) <= maxFailures;
}

/**
 * Returns the window of a metric that is measured for longer than its count: its limit was made for that many measurements. A limit of 0 needs
 * none.
 */
export function windowOfLongRun({
  count,
  failureLimit,
  failureWindow,
}: Pick<MetricSpec, "count" | "failureLimit" | "failureWindow">): number | null {
  const isCounted = count !== null && count <= maxWindow && failureLimit > 0;
  return failureWindow ?? (isCounted ? count : null);
}

/** Returns the verdicts after one more, `p` or `f` each, oldest first; undefined while none failed. */
export function addVerdict(recent: string | undefined, verdict: "pass" | "fail"): string | undefined {
  const next = `${recent ?? ""}${verdict === "fail" ? "f" : "p"}`.slice(-maxWindow);
  return next.includes("f") ? next : undefined;
}

/** Returns how many of the last measurements failed. */
export function failuresWithin(recent: string, window: number): number {
  return recent.slice(-window).split("f").length - 1;
}
