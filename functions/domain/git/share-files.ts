import { globsOverlap } from "../text/glob.ts";
import { trimEnd } from "../text/trim-end.ts";

/** The files of a branch that one cluster may change. */
interface Files {
  readonly apiUrl: string | null;
  /** Its host ignores the case. */
  readonly repository: string;
  readonly branch: string;
  /** Globs, or folders. */
  readonly paths: readonly string[];
}

/** Reports whether a file may be allowed by both. */
export function mayShareFiles(one: Files, other: Files): boolean {
  if (one.apiUrl?.toLowerCase() !== other.apiUrl?.toLowerCase() || one.branch !== other.branch) return false;
  if (one.repository.toLowerCase() !== other.repository.toLowerCase()) return false;
  return one.paths.flatMap(globsOf).some((glob) => other.paths.flatMap(globsOf).some((its) => globsOverlap(glob, its)));
}

/** No folder is called like a YAML file. */
function globsOf(path: string): readonly string[] {
  if (/\.ya?ml$/.test(path)) return [path];
  return [path, `${trimEnd(path, "/")}/*`];
}
