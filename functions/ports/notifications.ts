import type { Answer } from "../domain/notification/attempts.ts";
import type { NotificationRequest } from "../domain/notification/request.ts";
import type { NotificationTarget } from "../domain/notification/target.ts";

/** The targets of the deployment, and how to reach them. */
export interface Notifications {
  /** Returns null if the deployment has no such target any more. */
  target(name: string): Promise<NotificationTarget | null>;
  /** Returns null for a target without a secret. Throws `SecretUnreadable`, `Throttled` and `Unreachable`. */
  readSecret(name: string): Promise<string | null>;
  /** Sends one request. Redirects are not followed. */
  send(request: NotificationRequest): Promise<Answer>;
  sleep(seconds: number): Promise<void>;
  /** Remembers until when a receiver wants no request. */
  pause(name: string, until: Date): Promise<void>;
  /** Returns null if the receiver has not said so. */
  pausedUntil(name: string): Promise<Date | null>;
}
