import { describe, expect, test } from "vitest";
import { type InFlight, observe, toRollback } from "../../../../functions/domain/workload/update/in-flight.ts";
import { rollbackOf } from "../../../support/rollback.ts";
import { restartInFlight } from "../../../support/digest-workloads.ts";
import { after, canaryInFlight, inFlight, noon, rollingBack } from "../../../support/workloads.ts";
import { claim as releaseInFlight } from "../release/releases.ts";

const waiting = { kind: "waiting", reason: "pod app-0 cannot be evicted" } as const;
const baking = { kind: "baking", since: noon } as const;

describe("what a check notes", () => {
  test.for([
    { of: "a rollout", update: inFlight, observation: baking, noted: baking },
    { of: "a rollback that waits", update: rollingBack, observation: waiting, noted: waiting },
    { of: "a rollback, which neither bakes nor is judged", update: rollingBack, observation: baking, noted: undefined },
  ])("of $of", ({ update, observation, noted }) => {
    expect(observe(update, observation).observation).toEqual(noted);
  });
});

describe("a rollback", () => {
  const updates: readonly InFlight[] = [inFlight, canaryInFlight, restartInFlight, releaseInFlight, rollingBack];

  test.for(updates)("keeps the target of a $phase, and not what its checks have noted", (update) => {
    const rollback = toRollback(observe(update, baking), false, after(5));
    const { target, execution, previousImage, release } = update;
    expect(rollback).toMatchObject({ phase: "rollback", target, execution, previousImage, isApplied: false });
    expect([rollback.revertedAt, rollback.release, rollback.observation]).toEqual([after(5), release, undefined]);
  });

  test("that is resumed keeps what it suspects", () => {
    const suspect = { reason: "not ready", execution: "e-1" };
    expect(toRollback(rollbackOf(inFlight, { suspect }), true, after(5)).suspect).toEqual(suspect);
  });
});
