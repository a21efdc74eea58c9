import { type Decision, type Hold, hold, type HoldReason } from "../workload/decision/decision.ts";
import type { Target } from "../workload/target/target.ts";
import type { Workload } from "../workload/workload.ts";
import { createAfterGate } from "./after.ts";
import { createApprovalGate } from "./approval-gate.ts";
import { backOffGate } from "./back-off.ts";
import { circuitGate } from "./circuit.ts";
import { type ClosedGate, type FoundGate, fromFoundGate, toFoundGate } from "./closed-gate.ts";
import type { Gate } from "./gate.ts";
import { createMinimumAgeGate } from "./minimum-age.ts";
import { manualChangeGate } from "./manual-change.ts";
import { restartsGate } from "./restarts.ts";
import { scheduleGate } from "./schedule.ts";
import { createScanGate } from "./scan-gate.ts";
import { suspendedGate } from "./suspended.ts";
import { windowsGate } from "./windows.ts";

/** Everything that may stand between a version and its rollout. The first that is closed is the reason of a hold. */
const gates: readonly Gate[] = [suspendedGate, scheduleGate, windowsGate, circuitGate, backOffGate, manualChangeGate];

/** Those that judge a digest, also one of which nothing is known. */
const judging: readonly Gate[] = [
  createMinimumAgeGate([], null),
  createApprovalGate([], null),
  createAfterGate([], new Map()),
  createScanGate([]),
];

/** Returns the name of a gate that judges the digest of an image of this workload; null if none does. */
export function digestGate(workload: Workload, some: readonly Gate[] = judging): string | null {
  return some.find(({ needsDigest }) => needsDigest?.(workload))?.name ?? null;
}

/** Returns all gates that are closed. `target` is null before anything newer is known. */
export function closedGates(workload: Workload, target: Target | null, now: Date): readonly ClosedGate[] {
  return gates.flatMap(({ name, evaluate }) => {
    const closed = evaluate(workload, target, now);
    return closed === null ? [] : [{ name, ...closed }];
  });
}

/** Returns a hold by the first of these gates that is closed; null if all are open. */
export function holdByGate(
  workload: Workload,
  target: Target | null,
  now: Date,
  ...some: readonly Gate[]
): Hold | null {
  for (const gate of some) {
    const closed = gate.evaluate(workload, target, now);
    if (closed !== null) return { ...hold(gate.hold, closed.message), target };
  }
  return null;
}

/** Holds an update if one of these gates is closed. What a person asked for passes them. */
export function passGates(workload: Workload, decision: Decision, now: Date, ...some: readonly Gate[]): Decision {
  if (decision.kind !== "update" || decision.isRequested) return decision;
  const { available, candidates } = decision;
  const held = holdByGate(workload, decision.target, now, ...some);
  if (held === null) return decision;
  const found = some.filter(({ hasFacts }) => hasFacts).flatMap((gate) => find(gate, workload, decision.target, now));
  return {
    ...held,
    ...(available === undefined ? {} : { available }),
    ...(candidates === undefined ? {} : { candidates }),
    ...(found.length === 0 ? {} : { gates: found }),
  };
}

function find({ name, evaluate }: Gate, workload: Workload, target: Target, now: Date): readonly FoundGate[] {
  const closed = evaluate(workload, target, now);
  if (closed === null) return [];
  const { since: _since, ...others } = closed;
  return [toFoundGate({ name, ...others })];
}

/** Returns all gates that keep a workload from an update: those of `hold`, and those that its poll found, each once. */
export function gatesOfHold(workload: Workload, { target, gates: found = [] }: Hold, now: Date): readonly ClosedGate[] {
  const others = found.map(fromFoundGate);
  const own = closedGates(workload, target, now);
  return [...own, ...others.filter(({ name }) => !own.some((gate) => gate.name === name))];
}

/** Returns why a step must not write what a poll has chosen; null if no gate has closed since. */
export function closedSince(workload: Workload, target: Target | null, now: Date): string | null {
  const again = [...gates, restartsGate].filter(({ isEvaluatedAgain }) => isEvaluatedAgain);
  return holdByGate(workload, target, now, ...again)?.detail ?? null;
}

/** Holds by gates that depend on more than the workload: they are known only after the tags are listed. */
export const holdsByFacts: ReadonlySet<HoldReason> = new Set([
  "frozen",
  "halted",
  "too-young",
  "awaiting-approval",
  "awaiting-soak",
  "awaiting-scan",
  "restart-delayed",
  "limited",
  "unverified",
  "cannot-pin",
]);

/** Reports whether a hold is by a gate. */
export function isHeldByGate({ reason }: Hold): boolean {
  return holdsByFacts.has(reason) || gates.some(({ hold: held }) => held === reason);
}

export function isSameGates(some: readonly ClosedGate[], others: readonly ClosedGate[]): boolean {
  return some.length === others.length && some.every((gate, index) => isSameGate(gate, others[index]));
}

function isSameGate(one: ClosedGate, other: ClosedGate | undefined): boolean {
  return (
    one.name === other?.name &&
    one.reason === other.reason &&
    one.message === other.message &&
    one.until?.getTime() === other.until?.getTime() &&
    one.liftedBy === other.liftedBy
  );
}
