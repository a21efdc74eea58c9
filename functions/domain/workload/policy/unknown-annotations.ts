import { suggest } from "../../text/suggest.ts";
import { truncate } from "../../text/summarize-list.ts";
import { annotations } from "./annotations.ts";
import { fieldProblem, type Problem } from "./problem.ts";

const prefix = "pawl.dev/";
const known = Object.values(annotations).map((name) => name.slice(prefix.length));

/** Reports whether an annotation has Pawl's prefix and a name that Pawl does not know. */
function isUnknown(name: string): boolean {
  const own = name.slice(prefix.length);
  return name.startsWith(prefix) && !known.includes(own);
}

/** Reports whether there is an annotation that `unknownAnnotationProblems` reports. */
export function hasUnknownAnnotation(from: Readonly<Record<string, string>>): boolean {
  return Object.keys(from).some(isUnknown);
}

/** An object may have thousands of annotations, so only the first that Pawl does not know are compared with all known names. */
const maxCompared = 5;

/** Reports whether a name that Pawl does not know resembles this one most. */
export function isMisspelt(name: string, from: Readonly<Record<string, string>>): boolean {
  const unknown = Object.keys(from).filter(isUnknown).slice(0, maxCompared);
  return unknown.some((one) => meantBy(one) === name);
}

/** Returns a problem for each annotation with Pawl's prefix that Pawl does not know: a misspelt setting would be ignored. */
export function unknownAnnotationProblems(from: Readonly<Record<string, string>>): readonly Problem[] {
  const unknown = Object.keys(from).filter(isUnknown);
  const shown = unknown.slice(0, maxCompared).map((name) => {
    const meant = meantBy(name);
    const fix = meant === null ? "remove it" : `did you mean ${meant}?`;
    return fieldProblem(truncate(name), "UnknownAnnotation", `is not an annotation of Pawl; ${fix}`);
  });
  const hiddenCount = unknown.length - shown.length;
  const text = `${hiddenCount} more annotations that Pawl does not know`;
  return hiddenCount > 0 ? [...shown, { field: null, code: "UnknownAnnotation", text }] : shown;
}

function meantBy(name: string): string | null {
  const meant = suggest(name.slice(prefix.length), known);
  return meant === null ? null : prefix + meant;
}
