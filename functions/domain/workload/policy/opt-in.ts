import { truncate } from "../../text/summarize-list.ts";
import { annotations, imageUpdaterAnnotations } from "./annotations.ts";
import { isMisspelt } from "./unknown-annotations.ts";
import { fieldProblem, type Problem } from "./problem.ts";

/** "unclear": its owner may mean either. Nothing is updated, and nothing that is recorded is deleted, until that is fixed. */
export type OptIn = "yes" | "no" | "unclear";

type Annotations = Readonly<Record<string, string>>;

const own = [annotations.autoUpdate, annotations.restartOnConfigChange] as const;

/**
 * Returns what the annotations of a workload say together. A misspelt name, or another value in the annotation of
 * kubernetes-image-updater, which opts in only by "true", may be meant to opt out: that matters only if there is a record to delete.
 */
export function readOptIn(from: Annotations, isRecorded: boolean): OptIn {
  const isAny = (optIn: OptIn) => own.some((name) => parseOptIn(from[name]) === optIn);
  const byDigest = parseOptIn(from[imageUpdaterAnnotations.enabled]);
  if (isAny("unclear")) return "unclear";
  if (isAny("yes") || byDigest === "yes") return "yes";
  const isDoubtful = byDigest === "unclear" || own.some((name) => isMisspelt(name, from));
  return isRecorded && isDoubtful ? "unclear" : "no";
}

/** Returns the problem of each value that neither opts in nor out. */
export function optInProblems(from: Annotations, optIn: OptIn): readonly Problem[] {
  if (optIn !== "unclear") return [];
  return [...own, imageUpdaterAnnotations.enabled].flatMap((name) => {
    const value = from[name];
    if (value === undefined || parseOptIn(value) !== "unclear") return [];
    return [fieldProblem(name, "UnclearOptIn", 'is neither "true" nor "false"', truncate(value, 32))];
  });
}

function parseOptIn(value: string | undefined): OptIn {
  if (value === undefined || value === "false") return "no";
  return value === "true" ? "yes" : "unclear";
}
