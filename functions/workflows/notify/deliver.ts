import type { Ports } from "../../contract/ports.ts";
import { assessAttempt, attemptSeconds, deliverySeconds } from "../../domain/notification/attempts.ts";
import type { EventGroup } from "../../domain/notification/group.ts";
import { createRequest } from "../../domain/notification/request.ts";
import type { NotificationTarget } from "../../domain/notification/target.ts";
import { secondsAfter, secondsBetween } from "../../domain/text/rfc3339.ts";

/** The events were not delivered. Names the target and the first event, and never the address, which may be a secret. */
export class NotificationFailed extends Error {
  override readonly name = "NotificationFailed";
}

/** Sends a target one message, in three attempts that end in time. Throws `NotificationFailed` after the last, and the errors of its secret. */
export async function deliver(
  { notifications, now }: Pick<Ports, "notifications" | "now">,
  target: NotificationTarget,
  group: EventGroup,
  startedAt: Date,
): Promise<void> {
  const { name } = target;
  const left = () => deliverySeconds - secondsBetween(startedAt, now());
  const pausedUntil = await notifications.pausedUntil(name);
  const pausedSeconds = pausedUntil === null ? 0 : secondsBetween(now(), pausedUntil);
  if (pausedSeconds > 0) throw failure(name, group, `the receiver wants no request for ${Math.ceil(pausedSeconds)} s`);
  if (left() < attemptSeconds) throw failure(name, group, "no time is left after the messages before");
  const request = createRequest(target, group, await notifications.readSecret(name));
  if (request.kind === "invalid") throw failure(name, group, `${request.reason}; change the target or its secret`);
  for (let attempt = 1; ; attempt += 1) {
    const verdict = assessAttempt(attempt, await notifications.send(request), left());
    if (verdict.kind === "delivered") return;
    if (verdict.kind === "failed") {
      await notifications.pause(name, secondsAfter(now(), verdict.pauseSeconds));
      throw failure(name, group, verdict.reason);
    }
    await notifications.sleep(verdict.afterSeconds);
  }
}

function failure(name: string, [{ id, "detail-type": type }, ...others]: EventGroup, reason: string) {
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  return new NotificationFailed(
    `notification target ${name}: ${type} (event ${id})${more} was not delivered: ${reason}`,
  );
}
