import { slotAnnotations as keys } from "../../../domain/node-pool/names.ts";
import type { Slot } from "../../../domain/node-pool/types.ts";
import { formatRfc3339, parseRfc3339 } from "../../../domain/time.ts";
import type { AnnotationPatch, Annotations } from "../annotated.ts";

/** null where no slot is held, whatever else stands there. */
export function readSlot(annotations: Annotations): Slot | null {
  if (annotations[keys.inRebootSlot] === undefined) return null;
  const wasCordoned = annotations[keys.wasCordoned];
  const time = (key: string) => parseRfc3339(annotations[key] ?? "");
  return {
    wasCordoned: wasCordoned === "true" ? true : wasCordoned === "false" ? false : null,
    takenAt: time(keys.takenAt),
    nodeUid: annotations[keys.nodeUid] || null,
    drainSince: time(keys.drainSince),
    approvedAt: time(keys.approvedAt),
  };
}

/** Nothing of a slot before it is left. */
export function takenSlot(wasCordoned: boolean, nodeUid: string, now: Date): AnnotationPatch {
  return {
    ...freedSlot,
    [keys.inRebootSlot]: "true",
    [keys.wasCordoned]: String(wasCordoned),
    [keys.takenAt]: formatRfc3339(now),
    [keys.nodeUid]: nodeUid,
  };
}

export const freedSlot: AnnotationPatch = {
  [keys.inRebootSlot]: null,
  [keys.wasCordoned]: null,
  [keys.takenAt]: null,
  [keys.nodeUid]: null,
  [keys.drainSince]: null,
  [keys.approvedAt]: null,
};
