import type { Replicas, RowProgress } from "../../model.ts";
import { Time } from "../format.tsx";

/** How far the update of a row has come: its pods, its step, and the time left. */
export function Progress({ progress: { step, ends, replicas, isCanary } }: { readonly progress: RowProgress }) {
  return (
    <div class="progress">
      {replicas === null ? null : <ReplicaBar title={isCanary ? "Canary: " : ""} replicas={replicas} />}
      <span class="note">
        {step}
        {ends === null ? null : (
          <>
            , {ends.as} <Time at={ends.at} />
          </>
        )}
      </span>
    </div>
  );
}

/** The available part is solid, what is updated and not yet available is lighter. The text says the same. */
export function ReplicaBar({ title, replicas }: { readonly title: string; readonly replicas: Replicas }) {
  const { desired, updated, available, old } = replicas;
  const part = (count: number) => (Math.min(count, desired) / Math.max(desired, 1)) * 100;
  // Available pods may be of the previous revision.
  const ready = Math.min(updated, Math.max(available - old, 0));
  return (
    <span class="replicas">
      <svg class="bar-track" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <rect class="updated" width={part(updated)} height="8" />
        <rect class="available" width={part(ready)} height="8" />
      </svg>
      <span>
        {title}
        {updated} of {desired} updated, {available} available{old === 0 ? "" : `, ${old} old`}
      </span>
    </span>
  );
}
