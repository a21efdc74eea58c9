import { describe, expect, test } from "vitest";
import { adoptUpdate } from "../../functions/handlers/adopt-update.ts";
import { once } from "../support/fake-ports.ts";
import { claw, image, inFlight, noon, settled, target, updating, workload } from "../support/workloads.ts";
import { around, expectSelectable, recreated, step, writesNothing } from "./steps.ts";

const adopting = { ...step, execution: "e-2", recovering: true };
const byHand = { ...inFlight, execution: null, previousImage: null };

test("takes the claim over, and keeps when it began and what ran before", async () => {
  const ports = around(updating());
  const answer = await adoptUpdate(ports, adopting);
  expect(answer).toMatchObject({ kind: "adopted" });
  expect(ports.cluster.get().inFlight).toEqual({ ...inFlight, execution: "e-2" });
  expectSelectable("AdoptUpdate", answer);
});

test("takes over a rollback that was interrupted, and leaves the image that was put back", async () => {
  const givenUp = { ...inFlight, startedAt: "malformed", previousImage: null, phase: "rollback" } as const;
  const ports = around(workload({ inFlight: givenUp }));
  expect(await adoptUpdate(ports, adopting)).toMatchObject({ kind: "adopted" });
  expect(ports.cluster.get()).toMatchObject({ image, inFlight: { ...givenUp, execution: "e-2" } });
});

test("repeated it writes nothing", async () => {
  const ports = around(updating({ inFlight: { ...inFlight, execution: "e-2" } }), { atMoment: writesNothing });
  expect(await adoptUpdate(ports, adopting)).toMatchObject({ kind: "adopted" });
});

test.for([
  { when: "before the image, also while the circuit is open", parts: { image, rollout: { ...settled, image } } },
  { when: "after the image", parts: { rollout: { ...settled, image } } },
])("marks set by hand $when are taken over, and what ran is remembered", async ({ parts }) => {
  const ports = around(updating({ inFlight: byHand, bookkeeping: { circuitOpen: true }, ...parts }));
  expect(await adoptUpdate(ports, adopting)).toMatchObject({ kind: "adopted" });
  expect(ports.cluster.get()).toMatchObject({
    image: target,
    inFlight: { targetImage: target, startedAt: noon, execution: "e-2", previousImage: image },
  });
});

test("marks set by hand on a Claw are taken over; nothing is known to have run before", async () => {
  const seen = claw({ inFlight: byHand, image: target });
  const ports = around(seen);
  await adoptUpdate(ports, { ...adopting, workload: seen.ref });
  expect(ports.cluster.get("u-2").inFlight).toEqual({ ...byHand, execution: "e-2" });
});

describe("touches nothing where", () => {
  test.for([
    { when: "it is gone", seen: null },
    { when: "another has taken its name", seen: recreated(updating()) },
    { when: "nothing is in flight any more", seen: workload() },
    { when: "the target was changed", seen: updating({ inFlight: { ...inFlight, targetImage: "app:9" } }) },
    { when: "a person changed the image", seen: updating({ image: "registry.example/shop/app:hotfix" }) },
  ])("$when", async ({ seen }) => {
    const answer = await adoptUpdate(around(seen, { atMoment: writesNothing }), adopting);
    expect(answer).toMatchObject({ kind: "superseded", reason: expect.stringMatching(/gone|no longer|was changed/) });
    expectSelectable("AdoptUpdate", answer);
  });
});

test("a change between reading and writing is a Conflict, and nothing is written", async () => {
  const ports = around(updating(), { atMoment: once("before change", () => ports.cluster.put(updating())) });
  await expect(adoptUpdate(ports, adopting)).rejects.toMatchObject({ name: "Conflict" });
  expect(ports.cluster.get().inFlight).toEqual(inFlight);
});
