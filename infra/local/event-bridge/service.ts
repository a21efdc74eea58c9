import type { AwsService } from "../wire/aws-json.ts";
import type { BusEvent } from "./bus-event.ts";
import { putEvents } from "./put-events.ts";

/** The event bus: it has one rule, that `deliver` is told of everything. */
export function eventBridgeService(now: () => Date, deliver: (event: BusEvent) => void): AwsService {
  return {
    target: "AWSEvents",
    version: "1.1",
    operations: { PutEvents: (fields) => putEvents(fields, now, deliver) },
  };
}
