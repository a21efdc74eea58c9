import { digestGate } from "../../gates/gates.ts";
import { isSameImage } from "../../image/reference.ts";
import { containerDigests } from "../config/tracking.ts";
import type { Target } from "../target/target.ts";
import type { Change } from "../update/change.ts";
import type { InFlight } from "../update/in-flight.ts";
import type { Workload } from "../workload.ts";

type Written = Pick<Change, "written">;

/** Returns the digests that a restart writes beside the tags: of containers that have one, or all if the policy or a gate asks for it. */
export function writeDigests(
  workload: Workload,
  { target, digests }: InFlight,
  gate: string | null = digestGate(workload),
): Written {
  const { pin } = workload.policy;
  if (target.kind !== "digest") return {};
  const chosen = containerDigests(digests) ?? {};
  return toWritten(
    (workload.digests?.containers ?? []).map(({ name, digest }) => {
      if (pin === "tag") return [name, digest === undefined ? undefined : null];
      const isWritten = pin === "digest" || gate !== null || digest !== undefined;
      return [name, isWritten ? chosen[name] : undefined];
    }),
  );
}

/** Returns the digests that a restart replaced in references, so that its rollback restores them. */
export function restoreDigests({ digests: tracking }: Workload, { target, digests }: InFlight): Written {
  if (target.kind !== "digest") return {};
  const chosen = containerDigests(digests) ?? {};
  const previous = tracking?.previous.at(-1) ?? {};
  return toWritten(
    (tracking?.containers ?? []).map(({ name, digest }) => {
      const isOwn = digest !== undefined && digest === chosen[name] && previous[name] !== digest;
      return [name, isOwn ? previous[name] : undefined];
    }),
  );
}

/** Reports whether the digest of a restart was replaced by that before it. */
export function isDigestRestored({ digests: tracking }: Workload, target: Target): boolean {
  if (target.kind !== "digest" || tracking === null) return false;
  const last = tracking.previous.at(-1) ?? {};
  return tracking.containers.some(
    ({ name, image, digest }) =>
      digest !== undefined && digest === last[name] && digest !== target.digest && isSameImage(image, target.image),
  );
}

function toWritten(entries: readonly (readonly [string, string | null | undefined])[]): Written {
  const known = entries.filter((entry): entry is readonly [string, string | null] => entry[1] !== undefined);
  return known.length === 0 ? {} : { written: Object.fromEntries(known) };
}
