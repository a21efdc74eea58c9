import type { CanarySize } from "../../../../domain/workload/canary/canary-size.ts";
import { describeSize, parseCanarySize } from "../../../../domain/workload/canary/size.ts";
import { annotations } from "../../../../domain/workload/policy/annotations.ts";
import type { ObjectMeta } from "../../objects.ts";
import { type Pod, revisionLabel } from "../../pods/pod.ts";
import type { RevisionHash } from "../pod-template/revisions.ts";

/**
 * What a DaemonSet says of a canary in it: its size, the image of the template before it, and that of each canary since. It stays until no pod of the canary is left.
 */
interface NodeMark {
  readonly size: CanarySize;
  readonly before: string;
  readonly images: readonly string[];
}

/** Returns the mark of a DaemonSet; null if it has none, or a person has changed it. */
export function readMark({ annotations: from = {} }: ObjectMeta): NodeMark | null {
  const [text = "", before = "", ...images] = (from[annotations.canaryPartition] ?? "").split(" ");
  const size = parseCanarySize(text);
  return "kind" in size || before === "" ? null : { size, before, images };
}

/** Returns the mark of a DaemonSet with a canary of this size and image in place of its template; it keeps the canary that it supersedes. */
export function formatMark(of: ObjectMeta, size: CanarySize, running: string, image: string): string {
  const mark = readMark(of);
  const images = new Set([...(mark?.images ?? []), image]);
  return [describeSize(size), mark?.before ?? running, ...images].join(" ");
}

/**
 * Reports whether a pod is of a canary that has ended: its revision is not the latest, and later than that of the image before the canary, or, because
 * that may be restored, has the image of a canary. The image of the pod itself does not count: a webhook may have changed it.
 */
export function isPodSuperseded({ metadata }: Pod, of: ObjectMeta, revisions: readonly RevisionHash[]): boolean {
  const mark = readMark(of);
  const found = revisions.findIndex(({ hash }) => hash !== null && hash === metadata.labels?.[revisionLabel]);
  const has = (image: string) => revisions[found]?.images.includes(image) ?? false;
  const before = revisions.findIndex(({ images }) => mark !== null && images.includes(mark.before));
  if (mark === null || found <= 0) return false;
  return found < before || (!has(mark.before) && mark.images.some(has));
}
