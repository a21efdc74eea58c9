import { suggest } from "../text/suggest.ts";
import { summarizeList } from "../text/summarize-list.ts";
import { annotations } from "./annotations.ts";

const prefix = "pawl.dev/";
const known = Object.values(annotations).map((name) => name.slice(prefix.length));

/** Written by versions before the AutoUpdate existed: they may remain on workloads, and mean nothing. */
const former = new Set([
  "analysis",
  "available-version",
  "canary-name",
  "circuit-open",
  "current-version",
  "failed-versions",
  "former-digests",
  "held",
  "last-check",
  "last-update",
  "pinned",
  "problem",
  "returning-digests",
  "rollback-count",
  "version-history",
]);

/** Reports whether an annotation has Pawl's prefix and a name that Pawl does not know. */
function isUnknown(name: string): boolean {
  const own = name.slice(prefix.length);
  return name.startsWith(prefix) && !known.includes(own) && !former.has(own);
}

/** Reports whether there is an annotation that `unknownAnnotationProblems` reports. */
export function hasUnknownAnnotation(from: Readonly<Record<string, string>>): boolean {
  return Object.keys(from).some(isUnknown);
}

/** Returns a problem for each annotation with Pawl's prefix that Pawl does not know: a misspelt setting would be ignored. */
export function unknownAnnotationProblems(from: Readonly<Record<string, string>>): readonly string[] {
  const unknown = Object.keys(from).filter(isUnknown);
  // An object may have thousands of annotations, so only those that are shown are compared with all known names.
  const shown = unknown.slice(0, 5).map((name) => {
    const meant = suggest(name.slice(prefix.length), known);
    return `${name}: is not an annotation of Pawl; ${meant === null ? "remove it" : `did you mean ${prefix}${meant}?`}`;
  });
  return summarizeList([...shown, ...unknown.slice(5)], "more annotations that Pawl does not know");
}
