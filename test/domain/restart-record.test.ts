import { describe, expect, test } from "vitest";
import { giveUp, recordStart, recordSuccess } from "../../functions/domain/bookkeeping.ts";
import { pinsOf } from "../../functions/domain/digest-record.ts";
import { givenUp } from "../../functions/domain/given-up.ts";
import type { Digests } from "../../functions/domain/tracking.ts";
import {
  digest,
  followed,
  followedBoth,
  type FollowedParts,
  restarting,
  restartInFlight,
  second,
} from "../support/followed.ts";
import { after, inFlight, noon, target, updating } from "../support/workloads.ts";

const version = `prod@${digest(2)}`;
const restart = { image: second, isRestart: true, digests: { app: digest(2) } };

describe("a restart that begins", () => {
  test("claims, restarts and writes down the digests in one change, and sets no image", () => {
    const change = recordStart(followed(), restart, "e-1", noon);
    expect(change).toMatchObject({
      restart: noon,
      inFlight: restartInFlight,
      digests: { last: { app: digest(2) }, former: [{ app: digest(1) }], returning: null },
      bookkeeping: { availableVersion: version, lastCheck: noon, lastUpdate: noon },
    });
    expect(change).not.toHaveProperty("image");
    expect(change.bookkeeping).not.toHaveProperty("currentVersion");
  });

  test("repeated by the execution that holds the claim it restarts nothing and forgets nothing", () => {
    const change = recordStart(restarting({ restartedAt: after(2) }), restart, "e-1", after(5));
    expect(change).not.toHaveProperty("restart");
    expect(change.inFlight).toEqual(restartInFlight);
    expect(change.digests).toEqual({ last: { app: digest(2) }, returning: null });
  });

  test.for<{ when: string; digests: FollowedParts["digests"]; former: readonly Digests[] }>([
    { when: "it is the first", digests: { last: {} }, former: [] },
    {
      when: "one was left before",
      digests: { former: [{ app: digest(9) }] },
      former: [{ app: digest(9) }, { app: digest(1) }],
    },
    {
      when: "it was left before and came back",
      digests: { former: [{ app: digest(1) }, { app: digest(9) }] },
      former: [{ app: digest(9) }, { app: digest(1) }],
    },
    {
      when: "ten were left before",
      digests: { former: Array.from({ length: 10 }, (_, index) => ({ app: digest(20 + index) })) },
      former: [...Array.from({ length: 9 }, (_, index) => ({ app: digest(21 + index) })), { app: digest(1) }],
    },
  ])("remembers what ran, the newest last: $when", ({ digests, former }) => {
    expect(recordStart(followed({ digests }), restart, "e-1", noon).digests?.former).toEqual(former);
  });

  test("of what is no longer followed writes no digests", () => {
    expect(recordStart({ ...followed(), digests: null }, restart, "e-1", noon)).not.toHaveProperty("digests");
  });
});

test("an update by tag writes down the digests behind it, and without any leaves them", () => {
  const digests = { app: digest(2) };
  const change = recordStart(followedBoth(), { image: target, digests }, "e-1", noon);
  expect(change).toMatchObject({ image: target, inFlight: { digests, phase: "rollout" }, digests: { last: digests } });
  expect(recordStart(followedBoth(), { image: target }, "e-1", noon)).not.toHaveProperty("digests");
});

describe("a restart that succeeds", () => {
  const recorded = (parts: FollowedParts) => recordSuccess(restarting(parts), restartInFlight, after(1)).bookkeeping;

  test("stands in the history with its digest, and closes the circuit", () => {
    expect(recorded({ bookkeeping: { rollbackCount: 2, circuitOpen: true } })).toMatchObject({
      rollbackCount: 0,
      circuitOpen: false,
      versionHistory: [{ version, appliedAt: noon, status: "Healthy" }],
    });
  });

  test.for<{ when: string; parts: FollowedParts; current: string | undefined }>([
    { when: "followed by digest alone", parts: {}, current: "prod" },
    { when: "followed by digest alone, without a tag", parts: { image: "app" }, current: undefined },
    { when: "followed by digest alone, without an image", parts: { image: null }, current: undefined },
    {
      when: "a person went back from 1.2.0",
      parts: { source: target, bookkeeping: { currentVersion: "1.2.0" } },
      current: "1.2.0",
    },
    { when: "nothing was recorded of its tags", parts: { source: target }, current: undefined },
  ])("moves no tag: $when, current is $current", ({ parts, current }) => {
    expect(recorded(parts)?.currentVersion).toBe(current);
  });
});

describe("a restart that is given up", () => {
  const gaveUp = (parts: FollowedParts) => giveUp(restarting(parts), restartInFlight, "not ready", after(11));
  const pinning = { policy: { rollsBackDigests: true } };

  test("is counted and blamed with its digest; there is no image to go back to, and the digests stay as they are", () => {
    const change = gaveUp({ policy: { maxRollbacks: 1 } });
    expect(change).toMatchObject({
      inFlight: { phase: "rollback" },
      bookkeeping: { rollbackCount: 1, circuitOpen: true, failedVersions: [version] },
    });
    for (const key of ["image", "pins", "digests"]) expect(change).not.toHaveProperty(key);
  });

  test("is pinned to what ran before, where its owner allows it", () => {
    expect(gaveUp(pinning).pins).toEqual({ app: digest(1) });
  });

  test.for<{ when: string; parts: FollowedParts; pins: Digests }>([
    { when: "nothing is known to have run before", parts: { digests: { former: [] } }, pins: {} },
    {
      when: "the one before was given up too",
      parts: {
        digests: { former: [{ app: digest(7) }, { app: digest(8) }, { app: digest(9) }] },
        bookkeeping: { failedVersions: [`prod@${digest(8)}`, `prod@${digest(9)}`] },
      },
      pins: { app: digest(7) },
    },
    {
      when: "all before were given up",
      parts: { digests: { former: [{ app: digest(9) }] }, bookkeeping: { failedVersions: [`prod@${digest(9)}`] } },
      pins: {},
    },
    {
      when: "a person has changed the tag since",
      parts: { bookkeeping: { currentVersion: "stable" } },
      pins: {},
    },
    { when: "the tag is as it was", parts: { bookkeeping: { currentVersion: "prod" } }, pins: { app: digest(1) } },
    { when: "the image is not known", parts: { image: null, bookkeeping: { currentVersion: "prod" } }, pins: {} },
    { when: "the one before is the same", parts: { digests: { former: [{ app: digest(2) }] } }, pins: {} },
    {
      when: "one container is new, and one has not changed",
      parts: {
        digests: {
          containers: ["app", "side", "log"].map((name) => ({ name, image: "app:prod" })),
          last: { app: digest(2), side: digest(5), log: digest(6) },
          former: [{ app: digest(1), side: digest(5) }],
        },
      },
      pins: { app: digest(1) },
    },
  ])("is pinned to what is known to have been good: $when", ({ parts, pins }) => {
    expect(pinsOf(restarting(parts))).toEqual(pins);
    expect(gaveUp({ ...parts, ...pinning }).pins ?? {}).toEqual(pins);
  });

  test("what is followed by tag alone has nothing to pin", () => {
    expect(pinsOf(updating())).toEqual({});
  });

  test.for([
    { when: "by default", parts: {}, says: /there is no image to go back to/ },
    { when: "with its owner's leave", parts: pinning, says: /the digests that ran before were pinned/ },
    {
      when: "with its owner's leave, and none known",
      parts: { ...pinning, digests: { former: [] } },
      says: /no image to go back/,
    },
    {
      when: "switched off meanwhile",
      parts: { policy: { rollsBackDigests: true, enabled: false } },
      says: /no image to go/,
    },
  ])("says so: $when", ({ parts, says }) => {
    expect(givenUp(restarting(parts), second, "e-1", "not ready").message).toMatch(says);
  });

  test("is not told as an update that went back, and such an update not as a restart", () => {
    expect(givenUp(restarting(), second, "e-1", "not ready")).toMatchObject({ reason: "AutoUpdateRollback", version });
    const { message } = givenUp(followedBoth(), target, "e-1", "not ready");
    expect(message).toBe(`Rolled back from ${target} to registry.example/shop/app:1.0.0: not ready (execution e-1)`);
    expect(givenUp(updating(), second, "e-1", "not ready").message).toMatch(/^Rolled back/);
  });
});

describe("an update by tag that is given up gives the digests back too", () => {
  const marks = { ...inFlight, digests: { app: digest(2) } };
  test.for<{ when: string; digests: FollowedParts["digests"]; last: Digests | null | undefined }>([
    { when: "they are known", digests: { former: [{ app: digest(1) }] }, last: { app: digest(1) } },
    { when: "it was the first", digests: { former: [] }, last: null },
  ])("$when", ({ digests, last }) => {
    const change = giveUp(followedBoth({ digests, inFlight: marks }), marks, "not ready", after(11));
    expect(change).toMatchObject({ image: inFlight.previousImage, digests: { last } });
    expect(change).not.toHaveProperty("pins");
  });

  test("unless it said nothing of them, or none is followed", () => {
    expect(giveUp(followedBoth(), inFlight, "not ready", after(11))).not.toHaveProperty("digests");
    expect(giveUp(updating(), marks, "not ready", after(11))).not.toHaveProperty("digests");
  });
});
