import { secondsSinceRequest, soakOf } from "../halt/overdue.ts";
import { soakSecondsLeft } from "../node/soak.ts";
import { findMeasuring } from "../node/analysis.ts";
import type { Member } from "../node/bootc-node.ts";
import type { NodeStepPlan } from "./plan-steps.ts";
import type { WaitReason, NodeStep } from "./step.ts";
import type { PoolState } from "../pool/pool-state.ts";

/** Seconds until the next check, by what a node waits for. Evictions are retried as often as in bootc-operator. */
const minWaitSeconds = {
  pods: 5,
  agent: 15,
  readiness: 15,
  staging: 30,
  soak: 60,
  slot: 60,
  owner: 60,
} satisfies Record<WaitReason, number>;

/** Metrics that are due more often are measured together. */
const minMeasuringSeconds = 10;

/** A write that failed with a conflict is retried soon. */
const retrySeconds = 2;

/** A reboot takes minutes. A node that takes longer may never come back, so it is checked with growing intervals. */
const rebootSeconds = 600;

/** The interval of a usual poll. */
const maxWaitSeconds = 300;

/** Of a blocked drain, and of nodes that wait for another one: a round of six transitions costs 36 an hour. */
const maxIdleSeconds = 600;

/** Of a drain after one that took too long: an attempt of 15 minutes costs 42 transitions, and a pool has one at a time. */
const retriedDrainSeconds = 150;

/** A drain that a PodDisruptionBudget blocks, and staging that does not end, are checked with intervals of a twelfth of their time. */
const growth = 12;

/** Returns how long an execution waits until its next round, in whole seconds: the shortest wait of its nodes. */
export function computeWaitSeconds(steps: readonly NodeStepPlan[], poolState: PoolState): number {
  const { membership, now } = poolState;
  const members = new Map(membership.members.map((member) => [member.name, member]));
  const each = steps.map(({ name, step }) => {
    const member = members.get(name);
    const isSoaking = member !== undefined && step.kind === "wait" && step.for === "soak";
    if (isSoaking) {
      const left = Math.ceil(soakSecondsLeft(member, soakOf(name, poolState), now));
      const measuring = measuringSeconds(member, poolState);
      const soaking = left > 0 ? Math.min(minWaitSeconds.soak, left) : maxIdleSeconds;
      return Math.min(soaking, measuring ?? maxIdleSeconds);
    }
    const seconds = secondsUntilNextCheck(step, secondsSinceRequest(member?.bootcNode, now));
    const isRetry = step.kind === "wait" && step.for === "pods" && (member?.bootcNode.givenBack ?? null) !== null;
    return isRetry ? Math.max(seconds, retriedDrainSeconds) : seconds;
  });
  return each.length === 0 ? maxWaitSeconds : Math.min(...each);
}

/** Returns when a node that soaks is measured next; null if it is not. Without data, a round of five transitions costs 60 an hour. */
function measuringSeconds(member: Member, { pool, now }: PoolState): number | null {
  const measuring = findMeasuring(member, pool, now);
  if (measuring === null) return null;
  const seconds = measuring.isWithoutData ? maxWaitSeconds : Math.ceil(measuring.waitSeconds);
  return Math.min(Math.max(seconds, minMeasuringSeconds), maxIdleSeconds);
}

/** A node that runs its desired image needs no check. */
function secondsUntilNextCheck(step: NodeStep, sinceRequest: number): number {
  if (step.kind !== "wait" && step.kind !== "none") return retrySeconds;
  const waitsFor = step.kind === "none" ? "slot" : step.for;
  const minSeconds = minWaitSeconds[waitsFor];
  if (waitsFor === "pods" || waitsFor === "staging") {
    const max = waitsFor === "pods" ? maxIdleSeconds : maxWaitSeconds;
    return Math.max(minSeconds, Math.min(Math.round(sinceRequest / growth), max));
  }
  const max = waitsFor === "slot" ? maxIdleSeconds : maxWaitSeconds;
  return Math.max(minSeconds, Math.min(minWaitSeconds.agent + Math.round(sinceRequest - rebootSeconds), max));
}
