import type { NotifyMessage } from "../../contract/notify-input.ts";
import type { Ports } from "../../contract/ports.ts";
import type { Invocation } from "../../contract/task.ts";
import { contentOf, groupEvents } from "../../domain/notification/group.ts";
import { deliver } from "./deliver.ts";

/**
 * Notifies each target of the events in its messages, all targets at the same time and one message to each after the other. Returns the ids of
 * messages to deliver again: after a failure the target is sent nothing more, so that a receiver that hangs takes 50 s, whatever it is sent.
 */
export async function deliverBatch(
  ports: Pick<Ports, "notifications" | "now">,
  messages: readonly NotifyMessage[],
  warn: Invocation["warn"],
): Promise<readonly string[]> {
  const startedAt = ports.now();
  const byTarget = Map.groupBy(messages, ({ target }) => target);
  const failed = [...byTarget].map(async ([name, ofTarget]) => {
    const delivered = new Set<string>();
    try {
      const target = await ports.notifications.target(name);
      // It was removed from the configuration after the event.
      if (target === null) return [];
      const isGrouped = target.kind === "slack" || target.grouped;
      const events = ofTarget.map(({ event }) => event);
      for (const group of groupEvents(events, isGrouped)) {
        await deliver(ports, target, group, startedAt);
        for (const event of group) delivered.add(contentOf(event));
      }
      return [];
    } catch (error) {
      const left = ofTarget.filter(({ event }) => !delivered.has(contentOf(event)));
      warn((error as Error).message, { target: name, events: left.length });
      return left.map(({ id }) => id);
    }
  });
  return (await Promise.all(failed)).flat();
}
