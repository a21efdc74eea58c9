import { type NotifyEvent, type NotifyInput, notifyInput, toNotifyInput } from "../contract/notify-input.ts";
import type { Ports } from "../contract/ports.ts";
import type { Invocation } from "../contract/task.ts";
import { createHandler, type LambdaContext } from "../runtime/lambda.ts";
import { deliverBatch } from "../workflows/notify/deliver-batch.ts";

/** Notifies targets of a batch of events. Lambda delivers again what it returns, and no update waits for it. */
export async function notify(
  ports: Pick<Ports, "notifications" | "now">,
  { messages, unreadable }: NotifyInput,
  { warn }: Pick<Invocation, "warn">,
) {
  if (unreadable.length > 0) warn("messages are no events of a target", { unreadable });
  const failed = await deliverBatch(ports, messages, warn);
  return { batchItemFailures: [...unreadable, ...failed].map((itemIdentifier) => ({ itemIdentifier })) };
}

const handle = createHandler(notifyInput, { notify });

export const handler = async (event: NotifyEvent, context?: LambdaContext) => handle(toNotifyInput(event), context);
