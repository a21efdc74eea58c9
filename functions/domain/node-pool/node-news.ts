import { formatRfc3339 } from "../time.ts";
import { classify, digestOf, isStagedAsDesired } from "./classify.ts";
import { isDrainSlow } from "./drain.ts";
import { firstFew } from "./first-few.ts";
import { inWords, type PoolNews } from "./news.ts";
import { memberStep } from "./node-steps.ts";
import type { NodeStep } from "./step.ts";
import type { Tick } from "./tick.ts";
import { isTold, withMarks } from "./told.ts";
import type { BootcNode, Member, PoolNode, Slot } from "./types.ts";

/**
 * What there is to tell of a step that is about to be done to a node, as it was read; null of most. The key is made of what only
 * such a step changes, so that a step that is done again, because another writer or its Lambda's end came between, is one Event.
 */
export function newsOfStep({ bootcNode }: PoolNode, step: NodeStep, execution: string | null): PoolNews | null {
  const told = toldOf(bootcNode, step);
  if (told === null) return null;
  const { image, message, since, ...rest } = told;
  const key = [image, bootcNode?.uid, bootcNode?.generation, since].join(" ");
  return { event: null, ...rest, message: inWords(message, execution), key, execution, image };
}

interface Told extends Pick<PoolNews, "type" | "reason" | "message"> {
  readonly image: string;
  /** Of what may come again without a change of the spec. */
  readonly since?: string;
}

function toldOf(bootcNode: BootcNode | null, step: NodeStep): Told | null {
  if (step.kind === "create") return staging(step.asks.image);
  if (bootcNode === null) return null;
  const { desiredImage, bootedDigest, slot } = bootcNode;
  // Asked for what it runs, as where a rollout is called off, a node stages nothing.
  const isStaging = step.kind === "ask" && step.isNewImage && bootedDigest !== digestOf(step.asks.image);
  if (isStaging) return staging(step.asks.image);
  if (step.kind === "approve") return rebooting(desiredImage);
  // A slot is given back outside of a maintenance window too, by a node that has yet to reboot.
  if (step.kind === "free-slot" && classify(bootcNode) === "up-to-date") return idle(desiredImage);
  return step.kind === "restart-drain" ? drainFailed(desiredImage, step.reason, slot) : null;
}

function staging(image: string): Told {
  return { type: "Normal", reason: "Staging", message: `Asked to stage ${image}`, image };
}

function rebooting(image: string): Told {
  return { type: "Normal", reason: "Rebooting", message: `Drained, and told to reboot into ${image}`, image };
}

function idle(image: string): Told {
  return { type: "Normal", reason: "Idle", message: `Runs ${image} and is Ready`, image };
}

function drainFailed(image: string, why: string, slot: Slot | null): Told {
  const since = slot?.drainSince ?? slot?.takenAt ?? null;
  const message = `${why}: the drain for ${image} begins anew`;
  return { type: "Warning", reason: "DrainFailed", message, image, since: textOf(since) };
}

/**
 * Told while a slow drain is kept waiting: which pods may not be evicted yet, and why. Once for each slot: it is not marked on the
 * node, where who drains may write no mark, and goes by its key.
 */
export function newsOfKept({ bootcNode }: Member, kept: readonly string[], { now, pool }: Tick): PoolNews | null {
  const { slot, desiredImage: image } = bootcNode;
  if (kept.length === 0 || slot === null || slot.takenAt === null || !isDrainSlow(slot, now)) return null;
  const message = inWords(`Not evicted for ${image}: ${firstFew(kept).join("; ")}`, pool.execution);
  const key = `draining=${formatRfc3339(slot.takenAt)}`;
  return { event: null, type: "Warning", reason: "EvictionRefused", message, key, execution: pool.execution, image };
}

/** What is told of a node and then marked on it: a mark without its Event would be an Event that was never told. */
export interface ToRemember {
  readonly node: Member;
  readonly news: readonly PoolNews[];
  /** What the node is to remember then. */
  readonly told: string;
}

/** What no step brings about and every look sees again: that a node has staged, and that its drain takes too long. */
export function newsToRemember(tick: Tick, execution: string | null): readonly ToRemember[] {
  if (tick.problems.length > 0) return [];
  return tick.membership.members.flatMap((node) => {
    const { told, desiredImage: image } = node.bootcNode;
    const unsaid = [...staged(node), ...drainSlow(node, tick)].filter(({ key }) => !isTold(told, key));
    if (unsaid.length === 0) return [];
    const news = unsaid.map((seen) => ({ ...seen, message: inWords(seen.message, execution), execution, image }));
    const marks = unsaid.map(({ key }) => key);
    return [{ node, news, told: withMarks(told, marks) }];
  });
}

/** Its key is the mark. */
type Seen = Pick<PoolNews, "event" | "type" | "reason" | "message" | "key">;

/** Once each time that it was asked: the same image may be asked for again after another. */
function staged({ bootcNode }: Member): readonly Seen[] {
  const { desiredImage, askedAt } = bootcNode;
  if (classify(bootcNode) !== "staged" || !isStagedAsDesired(bootcNode)) return [];
  const key = `staged=${digestOf(desiredImage)}/${textOf(askedAt)}`;
  return [{ event: null, type: "Normal", reason: "Staged", message: `Has staged ${desiredImage}`, key }];
}

/** Once for each slot, and only while it is pods that are waited for: not another image, a window, or a halted rollout. */
function drainSlow(member: Member, tick: Tick): readonly Seen[] {
  const { slot, desiredImage } = member.bootcNode;
  if (slot === null || slot.takenAt === null || !isDrainSlow(slot, tick.now)) return [];
  const step = memberStep(member, tick, null);
  if (step.kind !== "wait" || step.for !== "pods") return [];
  const since = formatRfc3339(slot.takenAt);
  const message = `Draining since ${since} for ${desiredImage}: a PodDisruptionBudget or a pod's own grace holds it up`;
  return [
    { event: "Node Drain Slow", type: "Warning", reason: "DrainTakingTooLong", message, key: `draining=${since}` },
  ];
}

function textOf(time: Date | null): string {
  return time === null ? "" : formatRfc3339(time);
}
