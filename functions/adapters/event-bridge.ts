import { PutEventsCommand, type EventBridgeClient, type PutEventsResponse } from "@aws-sdk/client-eventbridge";
import type { Events } from "../ports/events.ts";
import { awsFailure, awsFailureByCode } from "./aws-failure.ts";

/** The bus took the request and not the event in it, for a reason that asking again does not mend. */
class EventRefused extends Error {
  override readonly name = "EventRefused";
}

interface Options {
  readonly client: EventBridgeClient;
  readonly busName: string;
  readonly now: () => Date;
}

/** A bus takes 256 KiB; people read less. As long as an Event of Kubernetes may be. */
const longestReason = 1024;

/** Puts events on an EventBridge bus. Besides what the port names, both methods may throw `EventRefused`. */
export function eventBridgeEvents(options: Options): Events {
  return {
    publish: (type, detail) => put(type, detail, options),
    publishPool: (type, detail) =>
      put(type, { ...detail, reason: detail.reason?.slice(0, longestReason) ?? null }, options),
  };
}

async function put(type: string, detail: object, { client, busName, now }: Options): Promise<void> {
  const entry = { EventBusName: busName, Source: "pawl", DetailType: type, Detail: JSON.stringify(detail) };
  const command = new PutEventsCommand({ Entries: [{ ...entry, Resources: [], Time: now() }] });
  const attempted = `PutEvents ${type}`;
  const answer = await client.send(command).catch((error: unknown) => {
    throw awsFailure(error, attempted);
  });
  throwIfRefused(answer, attempted);
}

/** PutEvents succeeds as a call also where it took none of its entries. */
function throwIfRefused({ FailedEntryCount = 0, Entries = [] }: PutEventsResponse, attempted: string): void {
  if (FailedEntryCount === 0) return;
  const { ErrorCode = "InternalFailure", ErrorMessage = "" } = Entries.find((entry) => entry.ErrorCode) ?? {};
  const message = `${attempted}: ${ErrorCode}: ${ErrorMessage}`;
  throw awsFailureByCode(ErrorCode, message) ?? new EventRefused(message);
}
