import { digestGate } from "../../gates/gates.ts";
import { hasOwnClaim } from "../record/current-version.ts";
import { isDigestPinned, tagOf } from "../../image/reference.ts";
import type { ResolvedImage } from "../../image/resolved-image.ts";
import { fieldProblem, type Problem } from "../policy/problem.ts";
import type { VerificationOutcome } from "../../signature/outcome.ts";
import { type ImageTarget, type Target, writtenImage } from "../target/target.ts";
import type { Workload } from "../workload.ts";

/** An index with more manifests than these is none of an image for several platforms, and the input of an execution is limited. */
export const maxManifests = 64;

/**
 * Returns a target with what its tag resolves to. The digest is written with it if the reference that runs has one, if its owner wants that, or if
 * a gate judges it.
 */
export function withResolved(
  workload: Workload,
  { kind, image }: ImageTarget,
  { digest, manifests }: ResolvedImage,
  gate: string | null = digestGate(workload),
): ImageTarget {
  const listed = manifests.filter(({ platform }) => platform !== null).map((one) => one.digest);
  const known = listed.length === 0 ? {} : { manifests: listed.slice(0, maxManifests) };
  return { kind, image, digest, ...known, ...(isWrittenWithDigest(workload, gate) ? { pinned: true } : {}) };
}

function isWrittenWithDigest({ policy, image, isPinnedByPawl, record }: Workload, gate: string | null): boolean {
  if (hasOwnClaim(record)) return false;
  if (policy.pin !== undefined) return policy.pin === "digest";
  if (gate !== null) return true;
  // A rollback of a restart pinned it; the next version ends that.
  return image !== null && isDigestPinned(image) && tagOf(image) !== "" && !isPinnedByPawl;
}

/**
 * Returns why an execution must not write the digest that it was started with; null if it may: it was verified, it runs already, or the workload asks
 * for one. A role that may start executions may name any.
 */
export function pinFailure(
  workload: Workload,
  target: Target,
  verification: VerificationOutcome | undefined,
): string | null {
  if (target.kind !== "image" || !target.pinned || verification?.kind === "verified") return null;
  const isRunning = [workload.image, workload.canary?.image].some((one) => one === writtenImage(target));
  if (isRunning || isWrittenWithDigest(workload, digestGate(workload))) return null;
  return "its input has a digest to write, for which neither its policy nor its image asks";
}

/** Returns why a Claw must not be updated: its operator reads a tag, and a digest is needed. null if none is. */
export function cannotPinReason(workload: Workload, gate: string | null = digestGate(workload)): string | null {
  if (!hasOwnClaim(workload.record)) return null;
  const kind = `a ${workload.ref.kind} has only a tag, and`;
  if (gate !== null) return `${kind} the gate ${gate} judges a digest; exempt it from that gate`;
  return workload.policy.pin === "digest" ? `${kind} its policy asks for a digest; remove pawl.dev/pin` : null;
}

/** Returns the problem of a policy that forbids the digest which a gate judges. `gate` is the name of that; null if there is none. */
export function pinProblems(workload: Workload, gate: string | null = digestGate(workload)): readonly Problem[] {
  const { policy, rawPolicy } = workload;
  if (policy.pin !== "tag" || gate === null) return [];
  const reason = `the gate ${gate} judges a digest, which is written with the tag; remove it, or set digest or auto`;
  return [fieldProblem(rawPolicy["pin"]?.place ?? "pawl.dev/pin", "InvalidValue", reason, policy.pin)];
}
