import { createHash } from "node:crypto";
import type { CoreV1Event } from "@kubernetes/client-node";
import type { Announcement } from "../../ports/cluster.ts";

/** What an Event is about. */
export interface EventSubject {
  readonly apiVersion: string;
  readonly kind: string;
  /** Left out of what lives in no namespace: its Events lie in `default`. */
  readonly namespace?: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
}

/** An Event whose name is made of what it says, so that saying it again finds it there. */
export function eventAbout(subject: EventSubject, announcement: Announcement, now: Date): CoreV1Event {
  const { type, reason, message, key } = announcement;
  const { name, namespace, uid } = subject;
  const id = createHash("sha256").update([uid, reason, key].join("\n")).digest("hex").slice(0, 16);
  return {
    metadata: { name: `${name.slice(0, 200).replace(/[-.]+$/, "")}.${id}`, namespace: namespace ?? "default" },
    involvedObject: involved(subject),
    type,
    reason,
    message: message.slice(0, 1024),
    source: { component: "pawl" },
    firstTimestamp: now,
    lastTimestamp: now,
    count: 1,
  };
}

function involved({ apiVersion, kind, namespace, name, uid, resourceVersion }: EventSubject) {
  return { apiVersion, kind, ...(namespace === undefined ? {} : { namespace }), name, uid, resourceVersion };
}
