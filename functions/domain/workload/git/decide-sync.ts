import type { FoundImage } from "../../git/git-target.ts";
import { isAsWritten } from "../../image/reference.ts";
import { writtenImage } from "../target/target.ts";
import type { InFlight } from "../update/in-flight.ts";

/** What follows from the head of the repository. */
export type SyncStep =
  /** The files do not name the image yet. */
  | { readonly kind: "write"; readonly image: string }
  /** `isWritten`: the files name the image. */
  | { readonly kind: "wait"; readonly isWritten: boolean; readonly reason: string }
  /** A rollback has nothing to wait for. */
  | { readonly kind: "synced" }
  /** A person reverted the image in git: the version is held. */
  | { readonly kind: "held"; readonly reason: string }
  /** Nothing is written, and it is tried again later. */
  | { readonly kind: "refused"; readonly reason: string };

/** Reports whether the workload has the image of an update, or has it no more if that is rolled back. */
export function isSynced({ phase, target }: InFlight, image: string | null): boolean {
  const hasTarget = image !== null && isAsWritten(image, writtenImage(target));
  return phase === "rollback" ? !hasTarget : hasTarget;
}

/** Decides by what the files say. They are the truth: what they named once and name no more, a person has changed. */
export function decideSync(inFlight: InFlight, running: string | null, found: FoundImage): SyncStep {
  const { phase, previousImage, target, git } = inFlight;
  const own = writtenImage(target);
  const isOwn = found.kind === "found" && isAsWritten(found.image, own);
  if (phase === "rollback") return decideRollback(inFlight, running, found, isOwn);
  if (isOwn) return { kind: "wait", isWritten: true, reason: `the files have ${own}; waits until the workload has it` };
  const { commit, url } = git ?? {};
  // Nobody has named another image: the commit may still come to the workload.
  const written = commit ?? url;
  if (found.kind === "problem")
    return written === undefined
      ? { kind: "refused", reason: found.reason }
      : { kind: "wait", isWritten: false, reason: `${own} was written in ${written}, and now: ${found.reason}` };
  if (commit !== undefined) return holdReverted(inFlight, commit);
  if (previousImage !== null && isAsWritten(found.image, previousImage)) return { kind: "write", image: own };
  if (url !== undefined)
    return { kind: "held", reason: `a person wrote ${found.image} to git, while ${own} waited in ${url}` };
  return {
    kind: "refused",
    reason: `the files name ${found.image}, and the workload runs ${running}: a person's change waits to be applied`,
  };
}

/** Holds a version whose commit a person has reverted. */
export function holdReverted({ target }: InFlight, commit: string) {
  const reason = `${writtenImage(target)} was committed in ${commit}, and reverted in git`;
  return { kind: "held", reason } as const;
}

/** Holds a version whose pull request a person has closed, or has merged into another branch. */
export function holdClosed({ target, phase, previousImage }: InFlight, url: string, otherBase: string | null) {
  const own = writtenImage(target);
  const how = otherBase === null ? "closed without a merge" : `moved to the branch ${otherBase}, and merged there`;
  const reason =
    phase === "rollback"
      ? `the pull request ${url} was ${how}: ${own} stays, and ${previousImage} is not restored`
      : `the pull request ${url} of ${own} was ${how}; "pawl retry" opens another`;
  return { kind: "held", reason } as const;
}

/** Only what Pawl wrote is reverted: what a person wrote since comes to the workload instead. */
function decideRollback(inFlight: InFlight, running: string | null, found: FoundImage, isOwn: boolean): SyncStep {
  const { previousImage } = inFlight;
  if (isOwn && previousImage !== null) return { kind: "write", image: previousImage };
  if (isSynced(inFlight, running)) return { kind: "synced" };
  if (found.kind === "problem") return { kind: "wait", isWritten: false, reason: found.reason };
  return { kind: "wait", isWritten: true, reason: `the files have ${found.image}; waits until the workload has it` };
}
