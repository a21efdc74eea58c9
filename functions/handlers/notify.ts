import { type NotifyInput, notifyInput } from "../contract/notify-input.ts";
import type { Ports } from "../contract/ports.ts";
import { createHandler } from "../runtime/lambda.ts";
import { deliver, type Delivery } from "../workflows/notify/deliver.ts";

/** Notifies one target of one event. A failed delivery is retried by Lambda, and no update waits for it. */
export async function notify({ notifications }: Pick<Ports, "notifications">, input: NotifyInput): Promise<Delivery> {
  return deliver(notifications, input.target, input.event);
}

export const handler = createHandler(notifyInput, { notify });
