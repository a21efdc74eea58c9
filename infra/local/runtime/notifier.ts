import { setTimeout } from "node:timers/promises";
import { readFile } from "node:fs/promises";
import { sendNotification } from "../../../functions/adapters/notifications/send.ts";
import type { NotifiedEvent } from "../../../functions/domain/notification/event.ts";
import type { DailyDigest } from "../../../functions/domain/notification/daily-digest.ts";
import { digestPattern, eventPattern } from "../../../functions/domain/notification/filter.ts";
import { digestsOf } from "../../../functions/domain/notification/target.ts";
import { deliver } from "../../../functions/workflows/notify/deliver.ts";
import type { BusEvent } from "../event-bridge/bus-event.ts";
import { matchesPattern } from "../event-bridge/event-pattern.ts";
import type { LocalTarget } from "./notification-file.ts";

export interface Notifier {
  /** The names of the targets. */
  readonly targets: readonly string[];
  readonly digests: readonly DailyDigest[];
  /** Starts to notify every target whose filter allows the event, and never fails. */
  notify(event: BusEvent): void;
  /** Waits for what is still being sent. */
  finish(): Promise<void>;
}

/** Delivers to targets like the rules of a deployment and its function `notify`. `warn` receives each failure. */
export function createNotifier(targets: readonly LocalTarget[], warn: (message: string) => void): Notifier {
  const pending = new Set<Promise<unknown>>();
  const find = (name: string) => targets.find((target) => target.name === name) ?? null;
  const notifications = {
    target: async (name: string) => find(name),
    readSecret: async (name: string) => readSecret(find(name)),
    send: (request: Parameters<typeof sendNotification>[0]) => sendNotification(request),
    sleep: (seconds: number) => setTimeout(seconds * 1000),
  };
  return {
    targets: targets.map(({ name }) => name),
    digests: digestsOf(targets),
    notify(event) {
      const { id, source, time, resources, detail, "detail-type": type } = event;
      const sent = { id, source, time: time.toISOString(), resources, "detail-type": type, detail };
      const notified = sent as unknown as NotifiedEvent;
      for (const target of targets) {
        const { name, onlyNamed, dailyDigest } = target;
        const patterns = [eventPattern(target, onlyNamed ? name : null), ...(dailyDigest ? [digestPattern(name)] : [])];
        if (!patterns.some((pattern) => matchesPattern(pattern, event))) continue;
        const delivery = deliver(notifications, name, notified).catch((error: Error) => warn(error.message));
        pending.add(delivery);
        void delivery.finally(() => pending.delete(delivery));
      }
    },
    finish: async () => void (await Promise.all(pending)),
  };
}

async function readSecret(target: LocalTarget | null): Promise<string | null> {
  const file = target?.secretFile ?? null;
  return file === null ? null : readFile(file, "utf8");
}
