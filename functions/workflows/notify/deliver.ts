import { assessAttempt } from "../../domain/notification/attempts.ts";
import type { NotifiedEvent } from "../../domain/notification/event.ts";
import { createRequest } from "../../domain/notification/request.ts";
import type { Notifications } from "../../ports/notifications.ts";

/** The event was not delivered. Names the target and the event, and never the address, which may be a secret. */
export class NotificationFailed extends Error {
  override readonly name = "NotificationFailed";
}

/** "unknown": the target was removed from the configuration after the event. */
export type Delivery = { readonly kind: "delivered"; readonly attempts: number } | { readonly kind: "unknown" };

/** Notifies a target of an event, in three attempts. Throws `NotificationFailed` after the last, and the errors of its secret. */
export async function deliver(notifications: Notifications, name: string, event: NotifiedEvent): Promise<Delivery> {
  const target = await notifications.target(name);
  if (target === null) return { kind: "unknown" };
  const request = createRequest(target, event, await notifications.readSecret(name));
  if (request.kind === "invalid") throw failure(name, event, `${request.reason}; change the target or its secret`);
  for (let attempt = 1; ; attempt += 1) {
    const verdict = assessAttempt(attempt, await notifications.send(request));
    if (verdict.kind === "delivered") return { kind: "delivered", attempts: attempt };
    if (verdict.kind === "failed") throw failure(name, event, verdict.reason);
    await notifications.sleep(verdict.afterSeconds);
  }
}

function failure(name: string, { id, "detail-type": type }: NotifiedEvent, reason: string): NotificationFailed {
  return new NotificationFailed(`notification target ${name}: ${type} (event ${id}) was not delivered: ${reason}`);
}
