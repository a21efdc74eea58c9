import type { HistoryEntry } from "../workload.ts";
import type { Target } from "./target.ts";

/*
 * What the version before typed targets wrote: an image, and after its `@` a digest, `config:` and a digest, or `restart:` and a request.
 * Delete this file after the next release, with `targetImage` of the CRDs and `image` of the input of an execution.
 */

const restartMark = "restart:";

/** Returns the target that this text named, of a restart or of a rollback to this release. */
export function liftTarget(text: string, isRestart: boolean, release?: number): Target {
  const { image, rest } = split(text);
  if (release !== undefined) return { kind: "release", image: text, number: release };
  if (rest.startsWith(restartMark)) return { kind: "restart", image, request: rest.slice(restartMark.length) };
  if (rest.startsWith("config:")) return { kind: "config", image, digest: rest };
  return isRestart && rest !== "" ? { kind: "digest", image, digest: rest } : { kind: "image", image: text };
}

/** Returns version and kind of an attempt by its version. One of a restart was marked with its request. */
export function liftVersion(text: string): Pick<HistoryEntry, "version" | "kind"> {
  const { kind, image } = liftTarget(text, true);
  return { version: kind === "restart" ? image : text, kind };
}

function split(text: string): { readonly image: string; readonly rest: string } {
  const at = text.indexOf("@");
  return at === -1 ? { image: text, rest: "" } : { image: text.slice(0, at), rest: text.slice(at + 1) };
}
