import { parseRfc3339 } from "../../../../domain/text/rfc3339.ts";
import { truncate } from "../../../../domain/text/summarize-list.ts";
import type { Reapplied, Reverts } from "../../../../domain/workload/owner/set-back.ts";
import { type Stored, toStored } from "./stored.ts";

const maxOwnerLength = 256;

export function toRevertStatus({ reapplied, ...reverts }: Reverts): Stored<Reverts> {
  const cut = (one: Reapplied) =>
    one.owner === undefined ? one : { ...one, owner: truncate(one.owner, maxOwnerLength) };
  return toStored({ ...reverts, reapplied: reapplied.map(cut) });
}

/** Reads what was replaced. An invalid time was not written through the API, and counts as absent. */
export function fromRevertStatus({ version, replaced = [], reapplied = [] }: Partial<Stored<Reverts>>): Reverts {
  const entries = reapplied.flatMap(({ at, ...entry }) => {
    const time = parseRfc3339(at);
    return time === null ? [] : [{ ...entry, at: time }];
  });
  return { version: version ?? "", replaced, reapplied: entries };
}
