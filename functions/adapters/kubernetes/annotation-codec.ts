import { annotations, canaryPhase, healthCheckPhase } from "../../domain/workload/policy/annotations.ts";
import { formatDigests, parseDigests } from "../../domain/workload/digest/digests.ts";
import { formatRfc3339, parseRfc3339 } from "../../domain/text/rfc3339.ts";
import type { Digests } from "../../domain/workload/digest/tracking.ts";
import type { InFlight } from "../../domain/workload/update/in-flight.ts";

export type Annotations = Readonly<Record<string, string>>;
/** null removes an annotation. */
export type AnnotationPatch = Readonly<Record<string, string | null>>;

interface InFlightKeys {
  readonly targetImage: string;
  readonly updatePhase: string;
  readonly updateStarted: string;
}

/** Reads the update in flight: a phase with a target image, or a rollback. */
export function readInFlight(from: Annotations, keys: InFlightKeys): InFlight | null {
  const phase = readPhase(from, keys);
  const image = from[phase === "rollback" ? annotations.rollingBack : keys.targetImage];
  if (phase === null || !image) return null;
  const at = parseRfc3339(from[keys.updateStarted] ?? "");
  const common = {
    target: { kind: "image", image },
    execution: from[annotations.execution] || null,
    previousImage: from[annotations.previousImage] || null,
    digests: readTargetDigests(from[annotations.targetDigests]),
  } as const;
  if (phase !== "rollback") return { ...common, phase, startedAt: at ?? "malformed" };
  // The annotation has the time of the rollback. When the update started is in the history only.
  return { ...common, phase, startedAt: "malformed", ...(at === null ? {} : { revertedAt: at }) };
}

/** null if nothing is tracked by digest, and if the value is invalid. */
function readTargetDigests(text: string | undefined): Digests | null {
  return text ? parseDigests(text) : null;
}

/** Of kinds that record their updates themselves; none of them restarts, or restores a release. */
function readPhase(from: Annotations, keys: InFlightKeys): "canary" | "rollout" | "rollback" | null {
  if (from[annotations.rollingBack]) return "rollback";
  const written = from[keys.updatePhase];
  if (written === canaryPhase && keys.updatePhase === annotations.updatePhase) return "canary";
  return written === healthCheckPhase ? "rollout" : null;
}

/** The annotations of an update. A rollback has the execution and the image that it reverts and, but for a Claw, since when to what. */
export function inFlightPatch(inFlight: InFlight, keys: InFlightKeys): AnnotationPatch {
  const { target, startedAt, execution, previousImage, digests, phase } = inFlight;
  if (phase === "rollback") {
    return {
      ...clearInFlightPatch(keys),
      [annotations.execution]: execution,
      [annotations.rollingBack]: target.image,
      ...(inFlight.revertedAt === undefined || keys.updateStarted !== annotations.updateStarted
        ? {}
        : {
            [annotations.updateStarted]: formatRfc3339(inFlight.revertedAt),
            [annotations.previousImage]: previousImage,
          }),
    };
  }
  return {
    [keys.targetImage]: target.image,
    [keys.updatePhase]: phase === "canary" ? canaryPhase : healthCheckPhase,
    // An invalid start time is left unchanged.
    ...(startedAt === "malformed" ? {} : { [keys.updateStarted]: formatRfc3339(startedAt) }),
    [annotations.execution]: execution,
    [annotations.previousImage]: previousImage,
    [annotations.targetDigests]: digests === null ? null : formatDigests(digests),
  };
}

export function clearInFlightPatch(keys: InFlightKeys): AnnotationPatch {
  return {
    [keys.updatePhase]: null,
    [keys.updateStarted]: null,
    [annotations.execution]: null,
    [annotations.previousImage]: null,
    [annotations.targetDigests]: null,
    [annotations.rollingBack]: null,
  };
}

/** Reports whether an update has to be finished or cleaned up, even if the owner has opted out since. */
export function hasUpdateAnnotations(from: Annotations | undefined, keys: InFlightKeys): boolean {
  return from?.[keys.updatePhase] !== undefined || from?.[annotations.rollingBack] !== undefined;
}

export function pausedPatch(paused: boolean | undefined): AnnotationPatch {
  return paused === undefined ? {} : { [annotations.paused]: paused ? "true" : null };
}

/** Reads the recorded verdict on the canary; null for any other value. */
export function readVerdict(from: Annotations): "promote" | "abort" | null {
  const verdict = from[annotations.canaryVerdict];
  return verdict === "promote" || verdict === "abort" ? verdict : null;
}
