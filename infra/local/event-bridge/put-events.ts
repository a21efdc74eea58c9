import { randomUUID } from "node:crypto";
import type { PutEventsRequestEntry, PutEventsResponse, PutEventsResultEntry } from "@aws-sdk/client-eventbridge";
import { invalidField } from "../wire/aws-fault.ts";
import type { Fields } from "../wire/fields.ts";
import type { BusEvent } from "./bus-event.ts";

const mostEntries = 10;

/** An entry as it stands in the request: its time is epoch seconds on the wire. */
type Entry = Omit<PutEventsRequestEntry, "Time"> & { readonly Time?: number };

/** A bad entry is refused in its own place of the answer; the others go through. */
export function putEvents(fields: Fields, now: () => Date, deliver: (event: BusEvent) => void): PutEventsResponse {
  const results = entriesIn(fields).map((entry) => putEvent(entry, now, deliver));
  return { FailedEntryCount: results.filter(({ ErrorCode }) => ErrorCode).length, Entries: results };
}

function entriesIn(fields: Fields): readonly Entry[] {
  const entries = fields["Entries"];
  if (!Array.isArray(entries)) throw invalidField("entries", undefined, "Member must not be null");
  if (entries.length >= 1 && entries.length <= mostEntries) return entries as readonly Entry[];
  const bound = entries.length === 0 ? "greater than or equal to 1" : `less than or equal to ${mostEntries}`;
  throw invalidField("entries", `[${entries.length} entries]`, `Member must have length ${bound}`);
}

function putEvent(entry: Entry, now: () => Date, deliver: (event: BusEvent) => void): PutEventsResultEntry {
  const { Source: source, DetailType: detailType, Detail: text } = entry;
  if (!source) return missing("Source");
  if (!detailType) return missing("DetailType");
  if (!text) return missing("Detail");
  const detail = detailIn(text);
  if (!detail) return { ErrorCode: "MalformedDetail", ErrorMessage: "Detail is malformed." };
  const id = randomUUID();
  const time = entry.Time === undefined ? now() : new Date(entry.Time * 1000);
  const bus = entry.EventBusName ?? "default";
  deliver({ bus, id, source, "detail-type": detailType, time, resources: entry.Resources ?? [], detail });
  return { EventId: id };
}

function detailIn(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const detail: unknown = JSON.parse(text);
    const isObject = typeof detail === "object" && detail !== null && !Array.isArray(detail);
    return isObject ? (detail as Readonly<Record<string, unknown>>) : null;
  } catch {
    return null;
  }
}

function missing(field: string): PutEventsResultEntry {
  const ErrorMessage = `Parameter ${field} is not valid. Reason: ${field} is a required argument.`;
  return { ErrorCode: "InvalidArgument", ErrorMessage };
}
