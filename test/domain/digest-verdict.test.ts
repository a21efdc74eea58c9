import { describe, expect, test } from "vitest";
import { assessDigests, currentDigests, type SeenDigests } from "../../functions/domain/digest-verdict.ts";
import type { Digests, DigestTracking } from "../../functions/domain/tracking.ts";
import { digest, seen, tracking } from "../support/followed.ts";
import { after, noon } from "../support/workloads.ts";

function verdictOn(parts: Partial<DigestTracking>, looked: SeenDigests, minutes = 0) {
  return assessDigests({ ...tracking, ...parts }, looked, after(minutes));
}

function verdict(parts: Partial<DigestTracking>, now: Digests, minutes = 0) {
  return verdictOn(parts, seen(now), minutes);
}

describe("a workload that was started with the first digest", () => {
  const last = { app: digest(1), side: digest(5) };
  test.for([
    { when: "nothing has changed", now: last, is: { kind: "same" } },
    { when: "one stands at another", now: { ...last, side: digest(6) }, is: { kind: "moved", changed: ["side"] } },
    { when: "one is new", now: { ...last, log: digest(7) }, is: { kind: "moved", changed: ["log"] } },
    { when: "one is no longer followed", now: { side: digest(5) }, is: { kind: "moved", changed: ["side"] } },
    { when: "none is followed any more", now: {}, is: { kind: "same" } },
  ])("$when: $is.kind", ({ now, is }) => {
    expect(verdict({ last }, now)).toEqual(is);
  });

  test("a registry that names no digest has said nothing of the container", () => {
    expect(currentDigests({ behindTags: { app: [], side: [digest(1)] }, running: null })).toEqual({ side: digest(1) });
  });
});

describe("at first sight", () => {
  const index = { behindTags: { app: [digest(1), digest(8), digest(9)] }, running: null };
  const pods = (...digests: readonly number[]) => digests.map((one) => ({ container: "app", digest: digest(one) }));

  test("it is restarted as kubernetes-image-updater does", () => {
    expect(verdictOn({ last: {} }, index)).toEqual({ kind: "moved", changed: ["app"] });
  });

  test.for([
    { when: "every pod runs what stands behind the tag", running: pods(1, 1), kind: "baseline" },
    { when: "pods run manifests of its index", running: pods(8, 9, 1), kind: "baseline" },
    { when: "there is no pod", running: [], kind: "baseline" },
    { when: "other containers run other things", running: [{ container: "x", digest: digest(7) }], kind: "baseline" },
    { when: "one pod runs something else", running: pods(1, 7), kind: "moved" },
    { when: "the pods were not asked", running: null, kind: "moved" },
  ])("with a baseline, $when: $kind", ({ running, kind }) => {
    expect(verdictOn({ last: {}, firstSight: "baseline" }, { ...index, running }).kind).toBe(kind);
  });

  test.for([
    { when: "a container is new and runs what it should", now: { app: digest(1), log: digest(3) }, kind: "baseline" },
    { when: "a container is no longer followed", now: { log: digest(3) }, kind: "baseline" },
    { when: "another has changed as well", now: { app: digest(2), log: digest(3) }, kind: "moved" },
  ])("with a baseline, and something known, $when: $kind", ({ now, kind }) => {
    const last = now.app === undefined ? { app: digest(1), log: digest(3) } : { app: digest(1) };
    const looked = { ...seen(now), running: [{ container: "log", digest: digest(3) }] };
    const found = verdictOn({ last, firstSight: "baseline" }, looked);
    expect(found).toEqual(kind === "moved" ? { kind, changed: ["app"] } : { kind });
  });
});

describe("a tag that shows what it showed before", () => {
  const former = [{ app: digest(8) }, { app: digest(9), side: digest(5) }];
  const last = { app: digest(1), side: digest(6) };
  const back = { app: digest(9), side: digest(6) };
  const returning = (since: Date, digests: Digests = { app: digest(9) }) => ({ since, digests });

  test.for([
    { when: "seen the first time", known: null, minutes: 0, kind: "returning" },
    { when: "seen for 59 minutes", known: returning(noon), minutes: 59, kind: "returning" },
    { when: "seen for an hour", known: returning(noon), minutes: 60, kind: "moved" },
    {
      when: "another was seen for an hour",
      known: returning(noon, { app: digest(8) }),
      minutes: 60,
      kind: "returning",
    },
    {
      when: "more was seen for an hour",
      known: returning(noon, { app: digest(9), side: digest(5) }),
      minutes: 60,
      kind: "returning",
    },
  ])("is believed after an hour: $when: $kind", ({ known, minutes, kind }) => {
    expect(verdict({ last, former, returning: known }, back, minutes).kind).toBe(kind);
  });

  test("names the containers that went back", () => {
    expect(verdict({ last, former }, back)).toEqual({ kind: "returning", digests: { app: digest(9) } });
  });

  test("is taken along at once where another container shows something new", () => {
    const found = verdict({ last, former }, { ...back, side: digest(7) });
    expect(found).toEqual({ kind: "moved", changed: ["app", "side"] });
  });

  test("is no former digest where another container ran it", () => {
    expect(verdict({ last, former }, { ...last, side: digest(9) })).toEqual({ kind: "moved", changed: ["side"] });
  });
});
