import { describe, expect, test } from "vitest";
import { recordCheck } from "../../functions/domain/check-record.ts";
import { adopt, claimOf } from "../../functions/domain/claim.ts";
import { canaryInFlight, canarying, canaryPods, image, inFlight, noon, target } from "../support/workloads.ts";

const hotfix = "registry.example/shop/app:hotfix";
const later = { ...canaryInFlight, execution: "e-2" };
const byHand = { ...canaryInFlight, execution: null, previousImage: null };

test.for([
  { when: "the rest runs what ran before", parts: {}, kind: "held" },
  { when: "the template names the target, as a StatefulSet's does", parts: { image: target }, kind: "held" },
  { when: "a person changed the image", parts: { image: hotfix }, kind: "lost" },
  {
    when: "nothing is known to have run before",
    parts: { inFlight: { ...canaryInFlight, previousImage: null } },
    kind: "lost",
  },
  { when: "another execution holds it", parts: { inFlight: later }, kind: "lost" },
  { when: "it was promoted, and the image put back by hand", parts: { inFlight }, kind: "lost" },
])("the claim on a canary where $when is $kind", ({ parts, kind }) => {
  expect(claimOf(canarying(parts), "e-1", target).kind).toBe(kind);
});

describe("a canary is adopted", () => {
  const canary = { image: target, size: { unit: "replicas", amount: 1 } };

  test("as it stands", () => {
    expect(adopt(canarying(), "e-2", target)).toEqual({
      kind: "adopted",
      phase: "canary",
      change: { inFlight: later },
    });
  });

  test("repeated it writes nothing", () => {
    expect(adopt(canarying({ inFlight: later }), "e-2", target)).toMatchObject({ kind: "adopted", change: null });
  });

  test.for([
    { when: "under a new execution", marks: canaryInFlight },
    { when: "by the execution that has adopted it already", marks: later },
  ])("and made where its making was interrupted, $when", ({ marks }) => {
    const seen = canarying({ canary: null, inFlight: marks });
    expect(adopt(seen, "e-2", target)).toMatchObject({ change: { inFlight: later, canary } });
  });

  test("without a canary where its owner no longer wants one", () => {
    const { change } = { change: null, ...adopt(canarying({ canary: null, policy: { canary: null } }), "e-2", target) };
    expect(change).toEqual({ inFlight: later });
  });

  test("that a person began by hand, and the rest keeps what it runs", () => {
    const seen = canarying({ inFlight: byHand, canary: null });
    const adoption = adopt(seen, "e-2", target);
    expect(adoption).toMatchObject({ change: { inFlight: { ...later, previousImage: image }, canary } });
    expect(adoption).not.toHaveProperty("change.image");
  });

  test("but not where a person has changed the image", () => {
    expect(adopt(canarying({ image: hotfix }), "e-2", target).kind).toBe("lost");
  });
});

describe("the marks of a canary that a person has overtaken go", () => {
  const hold = { kind: "hold", reason: "changed-by-hand", detail: "by hand", version: null, image: null } as const;

  test("with the canary itself", () => {
    const { change } = recordCheck(canarying({ image: hotfix }), hold, noon);
    expect(change).toMatchObject({ inFlight: null, canary: null });
  });

  test("alone where it had been promoted", () => {
    const { change } = recordCheck(canarying({ image: hotfix, inFlight, canary: canaryPods }), hold, noon);
    expect(change).not.toHaveProperty("canary");
  });
});
