import type { CanarySize } from "../../../../domain/workload/canary/canary-size.ts";
import { parseCanarySize } from "../../../../domain/workload/canary/size.ts";
import { annotations } from "../../../../domain/workload/policy/annotations.ts";
import type { ObjectMeta } from "../../objects.ts";
import { type Pod, revisionLabel } from "../../pods/pod.ts";
import type { RevisionHash } from "../pod-template/revisions.ts";

/** What a DaemonSet says of a canary in it: its size, and the image of the template before it. It stays until no pod of the canary is left. */
interface NodeMark {
  readonly size: CanarySize;
  readonly before: string;
}

/** Returns the mark of a DaemonSet; null if it has none, or a person has changed it. */
export function readMark({ annotations: from = {} }: ObjectMeta): NodeMark | null {
  const [text = "", before = ""] = (from[annotations.canaryPartition] ?? "").split(" ");
  const size = parseCanarySize(text);
  return "kind" in size || before === "" ? null : { size, before };
}

/**
 * Reports whether a pod is of a canary that has ended: its revision is not the latest, and later than that of the image before the canary, or another
 * one if that is the latest again. The image of the pod itself does not count: a webhook may have changed it.
 */
export function isPodSuperseded({ metadata }: Pod, of: ObjectMeta, revisions: readonly RevisionHash[]): boolean {
  const mark = readMark(of);
  const found = revisions.findIndex(({ hash }) => hash !== null && hash === metadata.labels?.[revisionLabel]);
  const before = revisions.findIndex(({ images }) => mark !== null && images.includes(mark.before));
  if (mark === null || found <= 0) return false;
  return before === 0 ? !revisions[found]?.images.includes(mark.before) : found < before;
}
