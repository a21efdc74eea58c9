import { randomUUID } from "node:crypto";
import type { PutEventsResponse, PutEventsResultEntry } from "@aws-sdk/client-eventbridge";
import * as v from "valibot";
import { openObject } from "../../../functions/domain/text/schema.ts";
import type { AwsService } from "../aws-json/aws-json.ts";
import { boundedList, parseInput, type RequestFields } from "../aws-json/request-fields.ts";
import type { BusEvent } from "./bus-event.ts";

const maxEntries = 10;

const entrySchema = openObject({
  Source: v.optional(v.string()),
  DetailType: v.optional(v.string()),
  Detail: v.optional(v.string()),
  /** In epoch seconds. */
  Time: v.optional(v.number()),
  EventBusName: v.optional(v.string(), "default"),
  Resources: v.optional(v.array(v.string()), []),
});

const putEventsInput = openObject({ Entries: boundedList(entrySchema, 1, maxEntries) });

/** Returns an EventBridge API with one rule for all buses: `deliver` is called for every event. */
export function eventBridgeService(now: () => Date, deliver: (event: BusEvent) => void): AwsService {
  return {
    target: "AWSEvents",
    version: "1.1",
    operations: { PutEvents: (fields) => putEvents(fields, now, deliver) },
  };
}

/** Delivers the entries. An invalid entry gets an error at its index of the result; the others are delivered. */
function putEvents(fields: RequestFields, now: () => Date, deliver: (event: BusEvent) => void): PutEventsResponse {
  const results = parseInput(putEventsInput, fields).Entries.map((entry) => putEvent(entry, now, deliver));
  return { FailedEntryCount: results.filter(({ ErrorCode }) => ErrorCode).length, Entries: results };
}

function putEvent(
  entry: v.InferOutput<typeof entrySchema>,
  now: () => Date,
  deliver: (event: BusEvent) => void,
): PutEventsResultEntry {
  const { Source: source, DetailType: detailType, Detail: text } = entry;
  if (!source) return missingParameter("Source");
  if (!detailType) return missingParameter("DetailType");
  if (!text) return missingParameter("Detail");
  const detail = parseDetail(text);
  if (!detail) return { ErrorCode: "MalformedDetail", ErrorMessage: "Detail is malformed." };
  const id = randomUUID();
  const time = entry.Time === undefined ? now() : new Date(entry.Time * 1000);
  const { EventBusName: bus, Resources: resources } = entry;
  deliver({ bus, id, source, "detail-type": detailType, time, resources, detail });
  return { EventId: id };
}

function parseDetail(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const detail: unknown = JSON.parse(text);
    const isObject = typeof detail === "object" && detail !== null && !Array.isArray(detail);
    return isObject ? (detail as Readonly<Record<string, unknown>>) : null;
  } catch {
    return null;
  }
}

function missingParameter(field: string): PutEventsResultEntry {
  const ErrorMessage = `Parameter ${field} is not valid. Reason: ${field} is a required argument.`;
  return { ErrorCode: "InvalidArgument", ErrorMessage };
}
