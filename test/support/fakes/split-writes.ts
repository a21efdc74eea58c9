import { pinToDigest, withoutDigest } from "../../../functions/domain/image/reference.ts";
import type { Digests } from "../../../functions/domain/workload/digest/tracking.ts";
import type { Change } from "../../../functions/domain/workload/update/change.ts";
import type { TemplateSnapshot } from "../../../functions/domain/workload/release/release.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";

/** One write to one object. The canary of a Deployment is an object of its own, without a version in a `Workload`. */
export interface Write {
  readonly to: "workload" | "record" | "canary";
  readonly change: Change;
  /** Creates the AutoUpdate instead. */
  readonly isCreation?: true;
}

/**
 * Splits a change into writes, in the order that the port guarantees. A Claw has metadata and status, and a built-in kind has an
 * AutoUpdate. A StatefulCanary has one patch.
 */
export function splitWrites(workload: Workload, change: Change): readonly Write[] {
  if (workload.ref.kind === "Claw") return splitClawWrites(change);
  if (workload.record.resourceVersion === null && workload.record.state === "observed")
    return [{ to: "workload", change }];
  return splitBuiltInWrites(workload, change);
}

function splitClawWrites(change: Change): readonly Write[] {
  const { updateRecord, lastReported, answer, ...metadata } = change;
  const recorded = {
    ...(updateRecord === undefined ? {} : { updateRecord }),
    ...(lastReported === undefined ? {} : { lastReported }),
    ...(answer === undefined ? {} : { answer }),
  };
  const isMetadataKept = Object.keys(metadata).every((field) => field === "conditions");
  if (Object.keys(recorded).length === 0 || isMetadataKept) return [{ to: "workload", change }];
  const own: Write = { to: "workload", change: metadata };
  const status: Write = { to: "workload", change: recorded };
  const isOver = metadata.inFlight === null || metadata.inFlight?.phase === "rollback";
  return isOver ? [status, own] : [own, status];
}

/** A claim precedes the change of the workload and is marked as applied after it; everything else follows the workload. */
function splitBuiltInWrites(workload: Workload, change: Change): readonly Write[] {
  if (change.deleteRecord) return [{ to: "record", change }];
  if (change.removeFinalizer) return [{ to: "workload", change }];
  const { inFlight } = change;
  const { image: _image, restart: _restart, pins: _pins, canary: _canary, template: _template, ...recorded } = change;
  const created = workload.record.resourceVersion === null;
  const creation: readonly Write[] = created ? [{ to: "record", change: {}, isCreation: true }] : [];
  const pods = podWrites(workload, change);
  if (!inFlight || pods.length === 0) {
    const isTaken = inFlight && inFlight.execution !== workload.inFlight?.execution;
    const fence: readonly Write[] = isTaken && pods.length === 0 ? [{ to: "workload", change: {} }] : [];
    return [...creation, ...fence, ...pods, { to: "record", change: recorded }];
  }
  const claim: Write = { to: "record", change: { ...recorded, inFlight: { ...inFlight, isApplied: false } } };
  const applied: Write = { to: "record", change: { inFlight: { ...inFlight, isApplied: true } } };
  return [...creation, claim, ...pods, applied];
}

/** Returns the patch of the workload, if its pods change, and the write of a Deployment's canary. */
function podWrites(workload: Workload, change: Change): readonly Write[] {
  const { image, restart, pins, canary, inFlight, template } = change;
  const hasCanary = workload.canary !== null || workload.isCanaryLeft;
  const isOwn = workload.ref.kind !== "Deployment";
  const written = {
    ...(image === undefined || image === workload.image ? {} : { image }),
    ...(restart === undefined ? {} : { restart }),
    ...(template === undefined ? {} : { template }),
    ...(template !== undefined || pins === undefined || pinnedImage(workload, pins) === workload.image ? {} : { pins }),
    ...(isOwn && (canary || (canary === null && hasCanary)) ? { canary } : {}),
    ...(isOwn && inFlight === null && hasCanary ? { canary: null } : {}),
  };
  const own: readonly Write[] = Object.keys(written).length === 0 ? [] : [{ to: "workload", change: written }];
  if (isOwn) return own;
  if (canary) return [...own, { to: "canary", change: { canary } }];
  const isDeleted = hasCanary && (canary === null || inFlight === null);
  return isDeleted ? [...own, { to: "canary", change: { canary: null } }] : own;
}

/** Returns the hash that a fake snapshot has in a label of its template. */
export function hashLabelOf({ metadata }: TemplateSnapshot): string {
  return metadata?.labels?.["hash"] ?? "";
}

/** Returns the image of the main container, with its pin if it has one. */
export function pinnedImage({ image, digests }: Workload, pins: Digests): string | null {
  const own = withoutDigest(image ?? "");
  const pin = pins[digests?.containers.find((container) => container.image === own)?.name ?? ""];
  return pin === undefined ? own : pinToDigest(own, pin);
}
