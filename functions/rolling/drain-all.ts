import type { Tick } from "../domain/node-pool/tick.ts";
import type { Ports } from "../task.ts";
import { whyLeft } from "./changed.ts";
import { type Drained, drainNode, waitsForPods } from "./drain-node.ts";
import { forEach } from "./for-each.ts";

const nodesAtOnce = 4;

/** Goes on with the drain of every node that waits for its pods. One that has changed since it was read, or is refused, is left to the next step. */
export async function drainAll(ports: Ports, tick: Tick, outOfTime?: AbortSignal): Promise<readonly Drained[]> {
  const waiting = tick.membership.members.filter((member) => waitsForPods(member, tick));
  return forEach(waiting, nodesAtOnce, async (member) => {
    if (outOfTime?.aborted) return `${member.name}: is left to the next step`;
    return drainNode(ports, tick, member).catch((error: unknown) => `${member.name}: ${whyLeft(error)}`);
  });
}
