import { truncate } from "../../text/summarize-list.ts";
import { isMisspelt } from "./unknown-annotations.ts";
import { policyTable } from "./policy-table.ts";
import { fieldProblem, type Problem } from "./problem.ts";
import { type OptIn, type RawPolicy, textOf } from "./raw-policy.ts";

const own = ["autoUpdate", "restartOnConfigChange"] as const;

/** The fields of a policy that opt in. */
export const optInFields = [...own, "digest"] as const;

/**
 * Returns what the fields of a policy say together. A misspelt name, or another value in the annotation of
 * kubernetes-image-updater, which opts in only by "true", may be meant to opt out: that matters only if there is a record to delete.
 */
export function readOptIn(raw: RawPolicy, from: Readonly<Record<string, string>>, isRecorded: boolean): OptIn {
  const isAny = (optIn: OptIn) => own.some((field) => parseOptIn(textOf(raw[field])) === optIn);
  const byDigest = parseOptIn(textOf(raw["digest"]));
  if (isAny("unclear")) return "unclear";
  if (isAny("yes") || byDigest === "yes") return "yes";
  const isDoubtful = byDigest === "unclear" || own.some((field) => isMisspelt(policyTable[field].annotation, from));
  return isRecorded && isDoubtful ? "unclear" : "no";
}

/** Returns the problem of each value that neither opts in nor out. */
export function optInProblems(raw: RawPolicy, optIn: OptIn): readonly Problem[] {
  if (optIn !== "unclear") return [];
  return optInFields.flatMap((field) => {
    const value = textOf(raw[field]);
    if (value === undefined || parseOptIn(value) !== "unclear") return [];
    const reason = 'is neither "true" nor "false"';
    return [fieldProblem(policyTable[field].annotation, "UnclearOptIn", reason, truncate(value, 32))];
  });
}

function parseOptIn(value: string | undefined): OptIn {
  if (value === undefined || value === "false") return "no";
  return value === "true" ? "yes" : "unclear";
}
