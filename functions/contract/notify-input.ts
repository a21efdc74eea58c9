import * as v from "valibot";
import type { NotifiedEvent } from "../domain/notification/event.ts";
import { nonEmptyString } from "./validate.ts";

const text = v.nullish(v.string());

/** Unlike other inputs it keeps unknown fields: a webhook without a body of its own sends the complete event. */
const event: v.GenericSchema<NotifiedEvent> = v.looseObject({
  id: nonEmptyString,
  time: nonEmptyString,
  "detail-type": nonEmptyString,
  detail: v.looseObject({
    cluster: nonEmptyString,
    workload: v.optional(v.looseObject({ kind: v.string(), namespace: v.string(), name: v.string() })),
    nodePool: v.optional(v.looseObject({ name: v.string() })),
    node: text,
    execution: text,
    currentVersion: text,
    version: text,
    image: text,
    reason: text,
    evidence: text,
  }),
});

/** Input of the function `notify`, which a rule of EventBridge builds for one target. */
export interface NotifyInput {
  readonly cluster: string;
  /** The target's name. */
  readonly target: string;
  readonly event: NotifiedEvent;
}

export const notifyInput = v.looseObject({ cluster: nonEmptyString, target: nonEmptyString, event });
