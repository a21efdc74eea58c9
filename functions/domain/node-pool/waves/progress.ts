import { summarizeList } from "../../text/summarize-list.ts";
import { formatRfc3339, fromEpoch, secondsAfter, secondsBetween } from "../../text/rfc3339.ts";
import { classifyNode, parseDigest } from "../node/node-state.ts";
import type { Member } from "../node/bootc-node.ts";
import type { Membership } from "../pool/membership.ts";
import type { NodePool } from "../pool/node-pool.ts";
import { computeRequestedImage, isGoingBack } from "../pool/target.ts";
import { holdsSlot } from "../step/slots.ts";
import { countNodes, type WaveProgress } from "./waves.ts";

/** What a person asked for: the next step, or the end of all steps. */
export type Promotion = "next" | "full" | null;

type Observed = Pick<Membership, "members" | "joining">;

/** Returns how far a rollout has come; null if it has no steps, or is not needed. A rollback has none. */
export function computeProgress(
  pool: NodePool,
  membership: Observed,
  now: Date,
  promotion: Promotion = null,
): WaveProgress | null {
  const { spec, status } = pool;
  const digest = parseDigest(computeRequestedImage(pool) ?? "");
  if (digest === null) return status.progress;
  const recorded = status.progress?.digest === digest ? status.progress : null;
  // A pool that is scaled in during a step may have updated all the nodes that are left.
  const isOver = recorded === null || recorded.step > spec.steps.length;
  if (spec.steps.length === 0 || (status.deployedDigest === digest && isOver)) return null;
  if (isGoingBack(pool)) return recorded;
  const begun = recorded ?? { digest, step: 1, since: null };
  if (promotion === "full") return { digest, step: spec.steps.length + 1, since: null };
  return advance(promotion === "next" ? nextStep(begun) : begun, spec.steps, membership, now);
}

function nextStep({ digest, step }: WaveProgress): WaveProgress {
  return { digest, step: step + 1, since: null };
}

/** Leaves every step that is over. A step whose nodes are not all good any more soaks again, and a pool without nodes proves nothing. */
function advance(
  progress: WaveProgress,
  steps: NodePool["spec"]["steps"],
  membership: Observed,
  now: Date,
): WaveProgress {
  const wave = steps[progress.step - 1];
  const nodeCount = membership.members.length + membership.joining.length;
  if (wave === undefined || nodeCount === 0) return progress;
  const { released, failing } = findReleased(membership, progress.digest);
  const isComplete = released.length >= Math.min(countNodes(steps, progress.step, nodeCount), nodeCount);
  if (wave.kind === "nodes" && !(isComplete && failing.length === 0)) return { ...progress, since: null };
  const begun = progress.since ?? now;
  const since = wave.kind === "nodes" && progress.since !== null ? goodSince(begun, released, now) : begun;
  const seconds = wave.kind === "nodes" ? wave.soakSeconds : wave.seconds;
  if (seconds === null || secondsBetween(since, now) < seconds) return { ...progress, since };
  return advance(nextStep(progress), steps, membership, now);
}

/** Returns the nodes that run an image and have released their slots, and those of them that fail on it. */
function findReleased({ members }: Observed, digest: string) {
  const released = members.filter((one) => one.bootcNode.bootedDigest === digest && !holdsSlot(one));
  const isGood = (one: Member) => one.node.ready && classifyNode(one.bootcNode) === "up-to-date";
  return { released, failing: released.filter((one) => !isGood(one)).map(({ name }) => name) };
}

/** Returns since when the nodes of a step are good: not before one was not Ready. A clock that is ahead is ignored. */
function goodSince(since: Date, released: readonly Member[], now: Date): Date {
  const changes = released
    .map(({ node }) => node.readyChangedAt?.getTime() ?? 0)
    .filter((time) => time <= now.getTime());
  return fromEpoch(Math.max(since.getTime(), ...changes));
}

/** What the current step allows. */
export interface WaveLimit {
  /** How many nodes may run the image or hold a slot: Infinity if there are no further steps. */
  readonly nodes: number;
  /** How many more of them there may be. */
  readonly left: number;
  /** The nodes that have released their slots, and for which the step waits: they fail, or are not Ready. */
  readonly failing: readonly string[];
  /** What the rollout waits for; null if the step needs no more than slots. */
  readonly waitsFor: string | null;
  /** Whether a person may promote the step. */
  readonly isPromotable: boolean;
}

const noLimit: WaveLimit = { nodes: Infinity, left: Infinity, failing: [], waitsFor: null, isPromotable: false };

/**
 * Returns what the current step of a pool allows. Nodes that go back need no step. A slot that is `lost` to another image takes no
 * place of it; one that is lost on the way to this image does, because its node may still get there.
 */
export function computeWaveLimit(
  pool: NodePool,
  { members, joining }: Observed,
  lost: readonly string[] = [],
): WaveLimit {
  const { spec, status } = pool;
  const { progress } = status;
  const wave = progress === null ? undefined : spec.steps[progress.step - 1];
  if (progress === null || wave === undefined || isGoingBack(pool)) return noLimit;
  const { digest, step, since } = progress;
  const nodeCount = members.length + joining.length;
  const nodes = countNodes(spec.steps, step, nodeCount);
  const isForStep = ({ bootcNode }: Member) => parseDigest(bootcNode.desiredImage) === digest;
  const hasBegun = (one: Member) => holdsSlot(one) && (isForStep(one) || !lost.includes(one.name));
  const begun = members.filter((one) => one.bootcNode.bootedDigest === digest || hasBegun(one)).length;
  const { failing } = findReleased({ members, joining }, digest);
  const left = Math.max(0, nodes - begun);
  const all = countNodes(spec.steps, spec.steps.length, nodeCount);
  const surplus = all > nodeCount ? `; its steps have ${all} nodes, and it has ${nodeCount}` : "";
  const name = `step ${step}/${spec.steps.length}${surplus}`;
  if (since === null) {
    const of = `the nodes of ${name}${failing.length === 0 ? "" : `: ${summarizeList(failing).join(", ")}`}`;
    return { nodes, left, failing, isPromotable: false, waitsFor: left > 0 ? null : of };
  }
  const seconds = wave.kind === "nodes" ? wave.soakSeconds : wave.seconds;
  const waitsFor =
    seconds === null
      ? `a person at ${name} (pawl promote bootcnodepool/${pool.name})`
      : `the ${wave.kind === "nodes" ? "soak" : "pause"} of ${name} until ${formatRfc3339(secondsAfter(since, seconds))}`;
  return { nodes, left: 0, failing, isPromotable: true, waitsFor };
}
