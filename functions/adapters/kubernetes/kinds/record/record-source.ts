import { parseRfc3339 } from "../../../../domain/text/rfc3339.ts";
import type { RecordSource } from "../../../../domain/workload/record/record-source.ts";
import type { InFlight } from "../../../../domain/workload/update/in-flight.ts";
import { type AutoUpdate, isManagedByPawl } from "../../auto-update/object.ts";
import type { OwnRecords } from "./own-records.ts";
import type { ClaimHolder } from "../kind.ts";

interface HolderSettings {
  readonly holder: ClaimHolder;
  readonly now: () => Date;
}

/** `claimed` is null if there is no update in flight, and if it is ignored: then a poll removes it. */
export function recordSource(
  autoUpdate: AutoUpdate | null,
  claimed: InFlight | null,
  { holder, now }: HolderSettings,
  { foreign, isCurrent, isOwnerless }: Omit<OwnRecords, "autoUpdate">,
): RecordSource {
  if (autoUpdate === null) {
    return { resourceVersion: null, state: "missing", isManaged: true, claimedElsewhereUntil: null };
  }
  const { metadata, status = {} } = autoUpdate;
  const { update } = status;
  const isIgnored = update !== undefined && claimed === null;
  const isElsewhere =
    update !== undefined && !isIgnored && update.holder !== holder.id && !holder.isLost(update.holder);
  const expiresAt = parseRfc3339(update?.expiresAt ?? "");
  return {
    resourceVersion: metadata.resourceVersion,
    state: status.observedGeneration === (metadata.generation ?? 1) && !isIgnored && isCurrent ? "observed" : "changed",
    ...(autoUpdate.status === undefined ? { isNew: true } : {}),
    isManaged: isManagedByPawl(autoUpdate),
    ...(isOwnerless ? { isOwnerless } : {}),
    ...(foreign === null ? {} : { foreign }),
    claimedElsewhereUntil: isElsewhere && expiresAt !== null && expiresAt > now() ? expiresAt : null,
    ...(isElsewhere || expiresAt === null ? {} : { claimExpiresAt: expiresAt }),
  };
}
