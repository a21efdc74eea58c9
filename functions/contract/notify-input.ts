import { parseJson } from "../domain/text/parse-json.ts";
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
    requested: v.optional(v.boolean()),
  }),
});

/** An event for one target, as a rule of EventBridge puts it into the queue. */
export interface NotifyMessage {
  /** Of the message in the queue. */
  readonly id: string;
  /** The target's name. */
  readonly target: string;
  readonly event: NotifiedEvent;
}

/** What Lambda invokes the function `notify` with. */
export interface NotifyEvent {
  readonly Records: readonly { readonly messageId: string; readonly body: string }[];
}

const message = v.looseObject({ cluster: nonEmptyString, target: nonEmptyString, event });

/** Messages without a target or an event are `unreadable`. */
export interface NotifyInput {
  /** That of the first message: one batch may have those of several. */
  readonly cluster: string;
  readonly messages: readonly NotifyMessage[];
  readonly unreadable: readonly string[];
}

export const notifyInput: v.GenericSchema<NotifyInput> = v.looseObject({
  cluster: nonEmptyString,
  messages: v.array(v.looseObject({ id: nonEmptyString, target: nonEmptyString, event })),
  unreadable: v.array(nonEmptyString),
});

/** Returns the messages of an event. One that nobody can read must not keep the others from their targets. */
export function toNotifyInput(delivered: NotifyEvent): NotifyInput {
  const { Records: records } = delivered;
  // What is no batch has problems that the schema names.
  if (!Array.isArray(records)) return delivered as unknown as NotifyInput;
  const read = records.map(({ messageId: id, body }) => ({ id, read: v.safeParse(message, parseJson(body)) }));
  const messages = read.flatMap(({ id, read: { success, output } }) => (success ? [{ ...output, id }] : []));
  const unreadable = read.flatMap(({ id, read: { success } }) => (success ? [] : [id]));
  return { cluster: messages[0]?.cluster ?? "unknown", messages, unreadable };
}
