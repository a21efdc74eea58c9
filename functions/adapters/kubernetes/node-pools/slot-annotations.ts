import { bootcNodeAnnotations as keys } from "../../../domain/node-pool/pool/annotations.ts";
import type { Slot } from "../../../domain/node-pool/node/bootc-node.ts";
import type { NodeStep } from "../../../domain/node-pool/step/step.ts";
import { formatRfc3339, parseRfc3339 } from "../../../domain/text/rfc3339.ts";
import type { AnnotationPatch, Annotations } from "../annotation-codec.ts";

/** Returns null if no slot is held, whatever the other annotations are. */
export function readSlot(annotations: Annotations): Slot | null {
  if (annotations[keys.inRebootSlot] === undefined) return null;
  const wasCordoned = annotations[keys.wasCordoned];
  const time = (key: string) => parseRfc3339(annotations[key] ?? "");
  return {
    wasCordoned: wasCordoned === "true" ? true : wasCordoned === "false" ? false : null,
    acquiredAt: time(keys.acquiredAt),
    nodeUid: annotations[keys.nodeUid] || null,
    bootId: annotations[keys.bootId] || null,
    readyDaemonSets: (annotations[keys.readyDaemonSets] ?? "").split(" ").filter((name) => name !== ""),
    drainStartedAt: time(keys.drainStartedAt),
    approvedAt: time(keys.approvedAt),
    bootedAt: time(keys.bootedAt),
  };
}

type Acquired = Omit<Extract<NodeStep, { readonly kind: "acquire-slot" }>, "kind">;

/** Removes all annotations of an earlier slot. */
export function acquiredSlotPatch({ wasCordoned, nodeUid, bootId }: Acquired, now: Date): AnnotationPatch {
  return {
    ...releasedSlotPatch,
    [keys.inRebootSlot]: "true",
    [keys.wasCordoned]: String(wasCordoned),
    [keys.acquiredAt]: formatRfc3339(now),
    [keys.nodeUid]: nodeUid,
    [keys.bootId]: bootId,
  };
}

export const releasedSlotPatch: AnnotationPatch = {
  [keys.inRebootSlot]: null,
  [keys.wasCordoned]: null,
  [keys.acquiredAt]: null,
  [keys.nodeUid]: null,
  [keys.bootId]: null,
  [keys.readyDaemonSets]: null,
  [keys.drainStartedAt]: null,
  [keys.approvedAt]: null,
  [keys.bootedAt]: null,
  [keys.analysis]: null,
};
