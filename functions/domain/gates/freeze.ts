import { fromEpoch, formatRfc3339 } from "../text/rfc3339.ts";
import type { Workload } from "../workload/workload.ts";
import type { Gate, GateSubject } from "./gate.ts";

/** A time in which no new update starts. */
export interface Freeze {
  /** null if it has begun in any case. */
  readonly from: Date | null;
  /** It excludes its end; null if it lasts until it is lifted. */
  readonly to: Date | null;
  readonly reason: string;
  /** Who ordered it; null if nobody says. */
  readonly by: string | null;
  /** null freezes all. */
  readonly namespaces: readonly string[] | null;
  /** Whether updates that began before it are reverted, and not only new ones held. */
  readonly rollBack: boolean;
  /** Who ends it before, unless `pawl unfreeze` does. */
  readonly liftedBy?: string;
}

/** What is known of the freezes of a cluster. */
export type Freezes =
  | { readonly kind: "known"; readonly freezes: readonly Freeze[] }
  /** They are unreadable, or invalid: nothing starts. */
  | { readonly kind: "unknown"; readonly reason: string };

/** Joins freezes of several sources. They are unknown if those of one source are. */
export function mergeFreezes(...sources: readonly Freezes[]): Freezes {
  const reasons: string[] = [];
  const freezes: Freeze[] = [];
  for (const source of sources) {
    if (source.kind === "unknown") reasons.push(source.reason);
    else freezes.push(...source.freezes);
  }
  return reasons.length === 0 ? { kind: "known", freezes } : { kind: "unknown", reason: reasons.join("; ") };
}

/** Returns the gate of the freezes of a cluster. It is closed if they are not known. */
export function createFreezeGate(freezes: Freezes): Gate<GateSubject> {
  return {
    name: "freeze",
    hold: "frozen",
    isEvaluatedAgain: true,
    hasFacts: true,
    evaluate({ ref: { namespace } }, _target, now) {
      if (freezes.kind === "unknown") {
        const message = `whether updates are frozen is not known: ${freezes.reason}`;
        return { reason: "FreezeUnknown", message, liftedBy: "the operator of Pawl" };
      }
      const own = freezes.freezes.filter((freeze) => isOf(freeze, namespace));
      const active = own.filter((freeze) => isActive(freeze, now));
      if (active.length === 0) return null;
      const until = endOf(own, now);
      return {
        reason: "Frozen",
        message: `updates are frozen: ${active.map(describe).join("; ")}`,
        ...(until === null ? {} : { until }),
        liftedBy: [...new Set(active.map(({ liftedBy = "pawl unfreeze" }) => liftedBy))].join(" and "),
      };
    },
  };
}

/**
 * Returns why an update that is in progress must go back: a freeze that says so has begun after it. null if it may continue, also if the
 * freezes are not known.
 */
export function freezeRollbackReason(
  freezes: Freezes,
  { ref: { namespace } }: Pick<Workload, "ref">,
  startedAt: Date | "malformed",
  now: Date,
): string | null {
  if (freezes.kind === "unknown" || startedAt === "malformed") return null;
  const found = freezes.freezes.find(
    (freeze) =>
      freeze.rollBack &&
      isActive(freeze, now) &&
      isOf(freeze, namespace) &&
      (freeze.from === null || startedAt < freeze.from),
  );
  return found === undefined ? null : `updates are frozen, and those in progress go back: ${describe(found)}`;
}

function isOf({ namespaces }: Freeze, namespace: string): boolean {
  return namespaces?.includes(namespace) ?? true;
}

function isActive({ from, to }: Freeze, at: Date): boolean {
  return (from === null || from <= at) && (to === null || at < to);
}

/** Returns when the last of the freezes ends that follow each other without a gap; null if one does not end by itself. */
function endOf(freezes: readonly Freeze[], now: Date): Date | null {
  const active = freezes.filter((freeze) => isActive(freeze, now));
  if (active.length === 0) return now;
  const ends = active.map(({ to }) => to).filter((to) => to !== null);
  if (ends.length < active.length) return null;
  return endOf(freezes, fromEpoch(Math.max(...ends.map((end) => end.getTime()))));
}

function describe({ reason, by, to }: Freeze): string {
  return `${reason}${by === null ? "" : `, by ${by}`}${to === null ? "" : `, until ${formatRfc3339(to)}`}`;
}
