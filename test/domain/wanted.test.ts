import { describe, expect, test } from "vitest";
import { recordCheck } from "../../functions/domain/check-record.ts";
import { claimOf, isPawls } from "../../functions/domain/claim.ts";
import { decideWithoutTags } from "../../functions/domain/poll-decision.ts";
import { whyNotApply } from "../../functions/domain/why-not-apply.ts";
import { canaryInFlight, image, noon, target, workload, type WorkloadParts } from "../support/workloads.ts";

const other = "registry.example/shop/app:2.0.0";
const size = { unit: "replicas", amount: 3 } as const;

/** A workload whose owner asks for 1.1.0 by its whole name; nothing is listed. */
function asking(parts: WorkloadParts = {}) {
  return workload({ source: null, wanted: target, ...parts });
}

describe("an image that is asked for", () => {
  test.for([
    { when: "at rest", parts: {}, decision: { kind: "update", version: "1.1.0", image: target } },
    { when: "paused", parts: { policy: { paused: true } }, decision: { kind: "hold", reason: "paused" } },
    { when: "switched off", parts: { policy: { enabled: false } }, decision: { kind: "hold", reason: "disabled" } },
    { when: "a problem stands", parts: { problems: ["no"] }, decision: { kind: "problem", problems: ["no"] } },
    { when: "tried already", parts: { wanted: null }, decision: { kind: "hold", reason: "no-published-image" } },
    { when: "as many canaries as others", parts: { policy: { canary: size } }, decision: { kind: "update" } },
    {
      when: "by digest",
      parts: { wanted: `app@sha256:${"a".repeat(64)}` },
      decision: { kind: "update", version: `@sha256:${"a".repeat(64)}` },
    },
  ])("$when: $decision", ({ parts, decision }) => {
    expect(decideWithoutTags(asking(parts), noon)).toMatchObject(decision);
  });

  test.for([
    { when: "it is still asked for", parts: {}, isRefused: false },
    { when: "it has failed before", parts: { bookkeeping: { failedVersions: ["1.1.0"] } }, isRefused: false },
    { when: "it is older than what runs", parts: { bookkeeping: { currentVersion: "3.0.0" } }, isRefused: false },
    { when: "another is asked for", parts: { wanted: other }, isRefused: true },
    { when: "none is asked for any more", parts: { wanted: null }, isRefused: true },
  ])("may be applied now, $when: refused $isRefused", ({ parts, isRefused }) => {
    expect(whyNotApply(asking(parts), target) !== null).toBe(isRefused);
  });
});

describe("another image in mid-flight", () => {
  const overtaken = asking({ inFlight: canaryInFlight, wanted: other });

  test("takes the claim away", () => {
    expect(claimOf(overtaken, "e-1", target)).toEqual({
      kind: "lost",
      reason: `the image was changed to ${other}`,
    });
    expect(claimOf({ ...overtaken, wanted: target }, "e-1", target).kind).toBe("held");
  });

  test("does not keep a rollback from its end", () => {
    expect(isPawls(overtaken, { ...canaryInFlight, phase: "rollback" })).toBe(true);
  });

  test("is said and lets go of the marks; no version is taken for one that a person moved away from", () => {
    const decision = decideWithoutTags(overtaken, noon);
    if (decision.kind !== "hold") throw new Error(decision.kind);
    const detail = `the image was changed to ${other} while ${target} was rolled out`;
    expect(decision).toMatchObject({ reason: "changed-by-hand", detail });
    const { change } = recordCheck(overtaken, decision, noon);
    expect(change).toMatchObject({ inFlight: null, announced: { held: detail } });
    expect(change).not.toHaveProperty("bookkeeping");
  });

  test("what runs in the sets may still be what ran before", () => {
    expect(isPawls(asking({ image, inFlight: canaryInFlight }), canaryInFlight)).toBe(true);
  });
});
