import type { BusEvent } from "../event-bridge/bus-event.ts";

/** The event by which a command asks `pawl local` to poll at once: an entry of PutEvents. */
export const pollRequest = { EventBusName: "pawl", Source: "pawl.cli", DetailType: "Poll Requested", Detail: "{}" };

/** Reports whether an event asks for a poll. */
export function isPollRequest({ source, "detail-type": type }: BusEvent): boolean {
  return source === pollRequest.Source && type === pollRequest.DetailType;
}
