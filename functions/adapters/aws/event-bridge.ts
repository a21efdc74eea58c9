import { truncate } from "../../domain/text/summarize-list.ts";
import { PutEventsCommand, type EventBridgeClient, type PutEventsResponse } from "@aws-sdk/client-eventbridge";
import type { Events } from "../../ports/events.ts";
import { mapAwsError, mapAwsErrorCode } from "./map-error.ts";
import type { AwsRateLimiter } from "./rate-limiter.ts";

/** The bus accepted the request but not its event, for a reason that a retry does not fix. */
class EventRejected extends Error {
  override readonly name = "EventRejected";
}

interface Options {
  readonly client: EventBridgeClient;
  readonly busName: string;
  readonly now: () => Date;
  /** Absent: nothing is delayed. */
  readonly limiter?: AwsRateLimiter | undefined;
}

/** In characters, as for an Event of Kubernetes; the limit of a bus is 256 KiB. */
const maxReasonLength = 1024;

/** Publishes events to an EventBridge bus. All methods may also throw `EventRejected`. */
export function createEventBridgeEvents(options: Options): Events {
  return {
    publish: (type, detail) => put(type, detail, options),
    publishCluster: (type, detail) => put(type, detail, options),
    publishPool: (type, detail) =>
      put(
        type,
        { ...detail, reason: detail.reason === null ? null : truncate(detail.reason, maxReasonLength) },
        options,
      ),
  };
}

async function put(type: string, detail: object, { client, busName, now, limiter }: Options): Promise<void> {
  const entry = { EventBusName: busName, Source: "pawl", DetailType: type, Detail: JSON.stringify(detail) };
  const command = new PutEventsCommand({ Entries: [{ ...entry, Resources: [], Time: now() }] });
  const operation = `PutEvents ${type}`;
  await limiter?.acquire("eventsPerSecond", operation);
  const response = await client.send(command).catch((error: unknown) => {
    throw mapAwsError(error, operation);
  });
  throwIfRejected(response, operation);
}

/** A successful PutEvents call may have rejected its entries. */
function throwIfRejected({ FailedEntryCount = 0, Entries = [] }: PutEventsResponse, operation: string): void {
  if (FailedEntryCount === 0) return;
  const { ErrorCode = "InternalFailure", ErrorMessage = "" } = Entries.find((entry) => entry.ErrorCode) ?? {};
  const message = `${operation}: ${ErrorCode}: ${ErrorMessage}`;
  throw mapAwsErrorCode(ErrorCode, message) ?? new EventRejected(message);
}
