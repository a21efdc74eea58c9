import type { CanarySize } from "./canary-size.ts";

/** One step of a canary. A pause that its owner wrote beside other fields is a step of its own, after them. */
export type CanaryStep =
  | {
      readonly kind: "replicas";
      /** null keeps the size of the step before. */
      readonly size: CanarySize | null;
      /** As `Policy.analysis`; null ends the step as soon as the canary is ready. */
      readonly analysis: string | null;
      /** For how long the analysis measures; null is as long as it says itself. */
      readonly durationSeconds: number | null;
    }
  | Pause;

/** "continue": it ends after this time. "withdraw": waits for a person, for at most this time. */
export interface Pause {
  readonly kind: "pause";
  readonly seconds: number;
  readonly end: "continue" | "withdraw";
}

/** How far a canary has come. Times are whole seconds. */
export interface CanaryProgress {
  /** From 1. */
  readonly step: number;
  /** How many there are. */
  readonly steps: number;
  /** What the steps were when it came so far: `5%, analysis, 25%, pause`. */
  readonly plan: string;
  /** Of this step: `25%`. */
  readonly size: string;
  /** "NextStep": it is over, and the next one has not begun. */
  readonly waitsFor: "Replicas" | "Analysis" | "Time" | "Promotion" | "NextStep";
  /** Since when it waits for that. */
  readonly since: Date;
  /** When a pause ends, or is withdrawn; null if it waits for something else. */
  readonly until: Date | null;
}
