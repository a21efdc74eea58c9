import { describe, expect, test } from "vitest";
import { decideByDigest } from "../../functions/domain/digest-decision.ts";
import type { Digests } from "../../functions/domain/tracking.ts";
import { digest, followed, type FollowedParts, prod, second, seen } from "../support/followed.ts";
import { after, noon } from "../support/workloads.ts";

const two = {
  containers: [
    { name: "app", image: prod },
    { name: "side", image: "side:3.0" },
  ],
};

function decide(parts: FollowedParts, digests: Digests, minutes = 0) {
  return decideByDigest(followed(parts), null, seen(digests), after(minutes));
}

describe("followed by digest alone", () => {
  test("it is restarted for what is new", () => {
    const digests = { app: digest(2) };
    const version = `prod@${digest(2)}`;
    expect(decide({}, digests)).toEqual({ kind: "update", version, image: second, restart: true, digests });
  });

  test("it is left alone where nothing is", () => {
    expect(decide({}, { app: digest(1) })).toMatchObject({ kind: "hold", reason: "same-digest", version: null });
  });

  test("an image without a tag is restarted for its latest", () => {
    const containers = [{ name: "app", image: "localhost:5000/app" }];
    expect(decide({ digests: { containers } }, { app: digest(2) })).toMatchObject({
      image: `localhost:5000/app:latest@${digest(2)}`,
    });
  });

  test.for([
    { when: "the second changed", now: { app: digest(1), side: digest(4) }, image: `side:3.0@${digest(4)}` },
    { when: "both changed", now: { app: digest(2), side: digest(4) }, image: second },
    {
      when: "the second is new",
      last: { app: digest(1) },
      now: { app: digest(1), side: digest(3) },
      image: `side:3.0@${digest(3)}`,
    },
  ])(
    "it is called by the first container that changed: $when",
    ({ last = { app: digest(1), side: digest(3) }, now, image: called }) => {
      expect(decide({ digests: { ...two, last } }, now)).toMatchObject({ image: called, digests: now });
    },
  );

  test("a container that is no longer followed leaves it called by the first that is", () => {
    const last = { app: digest(1), side: digest(3) };
    expect(decide({ digests: { last } }, { app: digest(1) })).toMatchObject({
      image: `${prod}@${digest(1)}`,
      restart: true,
    });
  });

  test("with none followed any more there is nothing to restart for", () => {
    expect(decide({ digests: { containers: [] } }, {})).toMatchObject({ kind: "hold", reason: "same-digest" });
  });
});

describe("what is held", () => {
  const version = `prod@${digest(2)}`;
  test("the circuit is open: what is available is said", () => {
    expect(decide({ bookkeeping: { circuitOpen: true } }, { app: digest(2) })).toMatchObject({
      reason: "circuit-open",
      detail: `the circuit is open: ${version} is available and is not applied`,
      version,
      image: second,
    });
  });

  test.for([
    { when: "it is the only change", digests: {}, now: { app: digest(2) } },
    {
      when: "another changed too, and comes first",
      digests: { ...two, containers: two.containers.toReversed(), last: {} },
      now: { app: digest(2), side: digest(4) },
    },
  ])("a digest that has failed is not tried again: $when", ({ digests, now }) => {
    const held = decide({ digests, bookkeeping: { failedVersions: [version] } }, now);
    expect(held).toMatchObject({ kind: "hold", reason: "same-digest", detail: `${version} has failed before` });
  });

  test("another container goes on beside one that stands at what has failed", () => {
    const last = { app: digest(2), side: digest(3) };
    const parts = { digests: { ...two, last }, bookkeeping: { failedVersions: [version] } };
    expect(decide(parts, { ...last, side: digest(4) })).toMatchObject({
      kind: "update",
      image: `side:3.0@${digest(4)}`,
    });
  });
});

describe("what is to be remembered", () => {
  const back = { digests: { last: { app: digest(2) }, former: [{ app: digest(1) }] } };
  const returning = { since: noon, digests: { app: digest(1) } };
  const known = { digests: { ...back.digests, returning } };
  test.for<{ when: string; parts: FollowedParts; now: number; minutes?: number; note: object | undefined }>([
    { when: "nothing has changed", parts: {}, now: 1, note: undefined },
    { when: "the tag went back", parts: back, now: 1, note: { returning: { app: digest(1) } } },
    { when: "the tag still stands back", parts: known, now: 1, minutes: 59, note: undefined },
    { when: "the tag came again", parts: known, now: 2, minutes: 5, note: { returning: null } },
    {
      when: "something else was seen in between, and is held",
      parts: { ...known, bookkeeping: { circuitOpen: true } },
      now: 3,
      note: { returning: null },
    },
    {
      when: "it runs what was found",
      parts: { digests: { last: {}, firstSight: "baseline" } },
      now: 1,
      note: { last: { app: digest(1) }, returning: null },
    },
  ])("$when", ({ parts, now, minutes = 0, note }) => {
    const running = parts.digests?.firstSight === "baseline" ? [] : null;
    const looked = { ...seen({ app: digest(now) }), running };
    const decision = decideByDigest(followed(parts), null, looked, after(minutes));
    expect(decision.kind === "hold" ? decision.digests : "no hold").toEqual(note);
  });

  test("a former digest is restarted for once it has stood", () => {
    expect(decide(known, { app: digest(1) }, 59)).toMatchObject({ reason: "returning-digest" });
    expect(decide(known, { app: digest(1) }, 60)).toMatchObject({
      kind: "update",
      restart: true,
      digests: { app: digest(1) },
    });
  });
});
