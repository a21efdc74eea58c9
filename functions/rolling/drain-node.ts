import { firstFew } from "../domain/node-pool/first-few.ts";
import { inWords } from "../domain/node-pool/in-words.ts";
import type { DrainedPod } from "../domain/node-pool/drain.ts";
import { newsOfKept } from "../domain/node-pool/node-news.ts";
import { memberStep } from "../domain/node-pool/node-steps.ts";
import type { NodeStep } from "../domain/node-pool/step.ts";
import type { Tick } from "../domain/node-pool/tick.ts";
import type { Member } from "../domain/node-pool/types.ts";
import type { Ports } from "../task.ts";
import { tellOfNode } from "../telling-pools.ts";
import { forEach } from "./for-each.ts";
import { tellOfStep } from "./tell.ts";

/** Of one node: several are drained at once. */
const evictionsAtOnce = 4;

/** What became of a node's drain in this step, in words. */
export type Drained = string;

/**
 * Goes on with the drain of one node: evicts what may go, and where nothing is left, lets the agent reboot it. A pod that a
 * PodDisruptionBudget or admission keeps is asked for again at the next step. Throws `Conflict` where the node has changed since it
 * was read, and `Refused` where it may not be written so.
 */
export async function drainNode(ports: Ports, tick: Tick, member: Member): Promise<Drained> {
  const step = memberStep(member, tick, await ports.nodePools.pods(member.name));
  if (step.kind === "evict") return `${member.name}: ${await evictAll(ports, tick, member, step.pods)}`;
  if (isEndOfDrain(step)) {
    await tellOfStep(ports, tick.pool, member, step);
    await ports.nodePools.write(tick.pool, member, step);
  }
  return `${member.name}: ${inWords(step)}`;
}

/** Whether a node's next step is up to its pods, which nobody has read yet. */
export function waitsForPods(member: Member, tick: Tick): boolean {
  const step = memberStep(member, tick, null);
  return step.kind === "wait" && step.for === "pods";
}

/** All else is `step-nodes`' to do, which is not let near the pods. */
function isEndOfDrain(step: NodeStep): step is Extract<NodeStep, { readonly kind: "approve" | "restart-drain" }> {
  return step.kind === "approve" || step.kind === "restart-drain";
}

async function evictAll(ports: Ports, tick: Tick, member: Member, pods: readonly DrainedPod[]): Promise<string> {
  const kept = (await forEach(pods, evictionsAtOnce, (pod) => whyKept(ports, pod))).flat();
  const news = newsOfKept(member, kept, tick);
  if (news !== null) await tellOfNode(ports, tick.pool, member, news);
  const evicted = `${pods.length - kept.length} evicted`;
  return kept.length === 0 ? evicted : `${evicted}, ${kept.length} not yet: ${firstFew(kept.slice(0, 1)).join("")}`;
}

async function whyKept({ nodePools }: Ports, pod: DrainedPod): Promise<readonly string[]> {
  const answer = await nodePools.evict(pod);
  return answer.kind === "refused" ? [`${pod.namespace}/${pod.name}: ${answer.reason}`] : [];
}
