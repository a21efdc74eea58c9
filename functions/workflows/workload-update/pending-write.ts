import { claimIdOf, type CommittedUpdate } from "../../domain/git/commit-message.ts";
import type { GitWrite } from "../../domain/workload/git/git-write.ts";
import { writtenImage } from "../../domain/workload/target/target.ts";
import type { InFlight } from "../../domain/workload/update/in-flight.ts";
import type { Workload } from "../../domain/workload/workload.ts";
import type { GitHead } from "../../ports/git-repository.ts";

/** An update, or a rollback, that waits for its image in git. */
export interface Pending {
  readonly workload: Workload;
  readonly inFlight: InFlight;
  readonly git: GitWrite;
}

export type Rendered =
  | {
      readonly kind: "rendered";
      readonly files: ReadonlyMap<string, string>;
      readonly updates: readonly CommittedUpdate[];
    }
  | { readonly kind: "problem"; readonly reason: string };

/** Writes the images one after the other into the files. The own one is the first: of another one, a problem is left to its own execution. */
export type Render = (head: GitHead, all: readonly Pending[]) => Rendered;

/** Returns the claim as messages name it. */
export function claimOf(pending: Pending): string {
  const { workload, git } = pending;
  return claimIdOf(workload.ref.uid, git.since, isRollback(pending));
}

/** Returns the image that is written. */
export function imageOf(pending: Pending): string {
  const { previousImage, target } = pending.inFlight;
  return isRollback(pending) ? `${previousImage}` : writtenImage(target);
}

export function isRollback({ inFlight }: Pending): boolean {
  return inFlight.phase === "rollback";
}
