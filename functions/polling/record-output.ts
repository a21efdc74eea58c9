import type { RecordOutput } from "../ports/checks.ts";

/** What a function answers that has written down what there was to write of `what`. */
export function recordOutput(recorded: "recorded" | "none", what: string): RecordOutput {
  return recorded === "recorded"
    ? { kind: "written", reason: `recorded on ${what}` }
    : { kind: "nothing-new", reason: `nothing is new about ${what}` };
}
