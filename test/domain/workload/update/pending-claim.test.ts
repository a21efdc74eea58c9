import { describe, expect, test } from "vitest";
import { adopt } from "../../../../functions/domain/workload/update/adopt.ts";
import { checkClaim, withdrawalChange } from "../../../../functions/domain/workload/update/claim.ts";
import { restartingWorkload, restartInFlight, restartTarget } from "../../../support/digest-workloads.ts";
import {
  after,
  canaryWorkload,
  image,
  inFlight,
  target,
  updatingWorkload,
  workload,
  updateTarget,
} from "../../../support/workloads.ts";

const pending = { ...inFlight, isApplied: false };
const now = after(3600);
const elsewhere = { ...workload().record, claimedElsewhereUntil: after(60) };

describe("a change that was claimed, and not written", () => {
  test.for([
    { when: "the previous image runs", runs: image, kind: "held" },
    { when: "the target runs", runs: target, kind: "held" },
    { when: "a person set another image", runs: "registry.example/shop/app:hotfix", kind: "lost" },
  ])("is $kind if $when", ({ runs, kind }) => {
    const initial = updatingWorkload({ image: runs, inFlight: pending });
    expect(checkClaim(initial, "e-1", updateTarget).kind).toBe(kind);
    expect(adopt(initial, "e-2", updateTarget, now).kind).toBe(kind === "held" ? "adopted" : "superseded");
  });

  test("is written by the execution that adopts it, and the health timeout counts from then", () => {
    expect(adopt(updatingWorkload({ image, inFlight: pending }), "e-2", updateTarget, now)).toMatchObject({
      change: { image: target, canary: null, inFlight: { execution: "e-2", startedAt: now } },
    });
  });

  test("with a hook before it stays unwritten: who adopts it takes the claim, and its own execution nothing", () => {
    const hook = { stage: "pre", job: "migrate", startedAt: now, result: null } as const;
    const initial = updatingWorkload({ image, inFlight: { ...pending, hook } });
    const adopted = { ...pending, hook, execution: "e-2", startedAt: now };
    expect(adopt(initial, "e-2", updateTarget, now)).toMatchObject({
      kind: "hook",
      reason: `adopted the update to ${target}, which waits for its hook`,
      change: { inFlight: adopted },
      freesPods: false,
    });
    expect(adopt(initial, "e-2", updateTarget, now)).not.toHaveProperty("change.image");
    expect(adopt(initial, "e-1", updateTarget, now)).toMatchObject({ kind: "hook", change: null });
  });

  test("is a restart at the time of its adoption", () => {
    const initial = restartingWorkload({ restartedAt: null, inFlight: { ...restartInFlight, isApplied: false } });
    expect(checkClaim(initial, "e-1", restartTarget).kind).toBe("held");
    expect(adopt(initial, "e-2", restartTarget, now)).toMatchObject({
      change: { restart: now, inFlight: { startedAt: now } },
    });
  });
});

test("a claim of another installation is neither held nor adopted, even if its execution has the same name", () => {
  const initial = updatingWorkload({ record: elsewhere });
  const reason = "the claim is held by another installation";
  expect(checkClaim(initial, "e-1", updateTarget)).toEqual({ kind: "lost", reason });
  expect(adopt(initial, "e-1", updateTarget, now)).toMatchObject({ kind: "superseded", reason, change: null });
  const withdrawn = { image: "registry.example/shop/app:hotfix" };
  expect(withdrawalChange(canaryWorkload(withdrawn), "e-1")).not.toBeNull();
  expect(withdrawalChange(canaryWorkload({ ...withdrawn, record: elsewhere }), "e-1")).toBeNull();
});
