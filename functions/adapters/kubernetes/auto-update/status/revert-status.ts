import { formatRfc3339, parseRfc3339 } from "../../../../domain/text/rfc3339.ts";
import { truncate } from "../../../../domain/text/summarize-list.ts";
import type { Reverts } from "../../../../domain/workload/owner/set-back.ts";
import type { RevertStatus } from "./record-fields.ts";

const maxOwnerLength = 256;

export function toRevertStatus({ version, replaced, reapplied }: Reverts): RevertStatus {
  const entries = reapplied.map(({ at, owner, ...entry }) => ({
    ...entry,
    at: formatRfc3339(at),
    ...(owner === undefined ? {} : { owner: truncate(owner, maxOwnerLength) }),
  }));
  return { version, replaced, reapplied: entries };
}

/** Reads what was replaced. An invalid time was not written through the API, and counts as absent. */
export function fromRevertStatus({ version, replaced = [], reapplied = [] }: Partial<RevertStatus>): Reverts {
  const entries = reapplied.flatMap(({ at, ...entry }) => {
    const time = parseRfc3339(at);
    return time === null ? [] : [{ ...entry, at: time }];
  });
  return { version: version ?? "", replaced, reapplied: entries };
}
