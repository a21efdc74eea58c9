import { setTimeout as sleep } from "node:timers/promises";
import { readFile } from "node:fs/promises";
import { sendNotification } from "../../../functions/adapters/notifications/send.ts";
import type { NotifiedEvent } from "../../../functions/domain/notification/event.ts";
import type { DailyDigest } from "../../../functions/domain/notification/daily-digest.ts";
import { digestPattern, eventPattern } from "../../../functions/domain/notification/filter.ts";
import { digestsOf } from "../../../functions/domain/notification/target.ts";
import type { NotifyMessage } from "../../../functions/contract/notify-input.ts";
import { deliverBatch } from "../../../functions/workflows/notify/deliver-batch.ts";
import type { BusEvent } from "../event-bridge/bus-event.ts";
import { matchesPattern } from "../event-bridge/event-pattern.ts";
import type { LocalTarget } from "./notification-file.ts";

export interface Notifier {
  /** The names of the targets. */
  readonly targets: readonly string[];
  readonly digests: readonly DailyDigest[];
  /** Notifies every target whose filter allows the event, within half a minute, and never fails. */
  notify(event: BusEvent): void;
  /** Sends what is collected, and waits for it. */
  finish(): Promise<void>;
}

/** As the queue of a deployment collects messages. */
const batchSeconds = 30;

/**
 * Delivers to targets like the rules of a deployment, its queue and its function `notify`: one batch after the other. `warn` receives each
 * failure.
 */
export function createNotifier(targets: readonly LocalTarget[], warn: (message: string) => void): Notifier {
  const pauses = new Map<string, Date>();
  let collected: NotifyMessage[] = [];
  let timer: NodeJS.Timeout | null = null;
  let sending = Promise.resolve();
  const find = (name: string) => targets.find((target) => target.name === name) ?? null;
  const notifications = {
    target: async (name: string) => find(name),
    readSecret: async (name: string) => readSecret(find(name)),
    send: (request: Parameters<typeof sendNotification>[0]) => sendNotification(request),
    sleep: (seconds: number) => sleep(seconds * 1000),
    pause: async (name: string, until: Date) => void pauses.set(name, until),
    pausedUntil: async (name: string) => pauses.get(name) ?? null,
  };
  const ports = { notifications, now: () => new Date() };
  const sendCollected = () => {
    const batch = collected;
    collected = [];
    if (timer !== null) clearTimeout(timer);
    timer = null;
    sending = sending.then(async () => void (await deliverBatch(ports, batch, warn)));
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
        collected.push({ id: `${name}/${id}`, target: name, event: notified });
        timer ??= setTimeout(sendCollected, batchSeconds * 1000);
      }
    },
    async finish() {
      sendCollected();
      await sending;
    },
  };
}

async function readSecret(target: LocalTarget | null): Promise<string | null> {
  const file = target?.secretFile ?? null;
  return file === null ? null : readFile(file, "utf8");
}
