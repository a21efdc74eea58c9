import { isAsWritten } from "../../image/reference.ts";
import type { ContainerDigest } from "../digest/tracking.ts";
import { type Target, writtenImage } from "../target/target.ts";

/** What the ready pods of a target run of it. */
export interface RanImage {
  /** The digest that was chosen, if they report that, or manifests of its index. Absent if they do not, or none can be compared. */
  readonly digest?: string;
  /** What they run in its place; null if nothing. */
  readonly note: string | null;
}

/**
 * Compares what ready pods report with the digest that was chosen. A tag that is written alone may move before a node pulls it. A runtime that
 * knows only the digest of a configuration shows nothing.
 */
export function ranImage(target: Target, running: readonly ContainerDigest[]): RanImage {
  if (target.kind !== "image" || target.digest === undefined) return { note: null };
  const { digest, manifests = [] } = target;
  const own = running.filter(
    ({ image = "", isUnready, isConfig }) => !isUnready && !isConfig && isAsWritten(image, writtenImage(target)),
  );
  const others = own.map((one) => one.digest).filter((one) => one !== digest && !manifests.includes(one));
  if (own.length === 0) return { note: null };
  if (others.length === 0) return { digest, note: null };
  const reported = [...new Set(others)].toSorted().join(", ");
  return { note: `its pods run ${reported}, and ${digest} was chosen: its tag has moved` };
}
