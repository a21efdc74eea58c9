import { readFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { sendNotification } from "../adapters/notifications/send.ts";
import type { ExpiringCache } from "../adapters/expiring-cache.ts";
import type { NotificationTarget } from "../domain/notification/target.ts";
import type { Notifications } from "../ports/notifications.ts";
import type { AdapterOptions } from "./open-aws.ts";
import { openSecret } from "./open-secret.ts";
import { requireSetting } from "./settings.ts";

/** As the stack has validated it. */
export type DeployedTarget = NotificationTarget & { readonly secretArn: string | null };

/** Of all clusters, while the function is warm. */
const pauses = new Map<string, Date>();

/** Opens the targets of PAWL_NOTIFICATIONS_FILE, which the stack adds as a layer, with secrets of Secrets Manager. */
export async function openNotifications({ settings, aws, now }: AdapterOptions): Promise<Notifications> {
  const file = requireSetting(settings.notificationsFile, "PAWL_NOTIFICATIONS_FILE");
  const targets = JSON.parse(await readFile(file, "utf8")) as readonly DeployedTarget[];
  const find = (name: string) => targets.find((target) => target.name === name) ?? null;
  const secrets = new Map<string, ExpiringCache<string>>();
  return {
    target: async (name) => find(name),
    async readSecret(name) {
      const arn = find(name)?.secretArn ?? null;
      if (arn === null) return null;
      const secret = secrets.get(arn) ?? (await openSecret(arn, { aws, now }));
      secrets.set(arn, secret);
      return secret.get();
    },
    send: (request) => sendNotification(request),
    sleep: (seconds) => setTimeout(seconds * 1000),
    pause: async (name, until) => void pauses.set(name, until),
    pausedUntil: async (name) => pauses.get(name) ?? null,
  };
}
