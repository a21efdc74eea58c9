import { describe, expect, test } from "vitest";
import { recordCheck } from "../../functions/domain/check-record.ts";
import { type DigestNote, hold } from "../../functions/domain/decision.ts";
import { decide } from "../support/decide.ts";
import { digest, followed, restarting } from "../support/followed.ts";
import { after, image, inFlight, noon, updating, workload, type WorkloadParts } from "../support/workloads.ts";

const tags = ["1.0.0", "1.1.0"];

function record(parts: WorkloadParts, listed: readonly string[] = tags) {
  const seen = "inFlight" in parts ? updating(parts) : workload(parts);
  const decision = decide(seen, listed, noon);
  if (decision.kind !== "hold" && decision.kind !== "problem") throw new Error(`decided ${decision.kind}`);
  return recordCheck(seen, decision, noon);
}

describe("a hold that is how things should be", () => {
  test.for([
    { when: "not switched on", parts: { policy: { enabled: false } } },
    { when: "paused", parts: { policy: { paused: true } } },
    { when: "pinned", parts: { image: `app@sha256:${"a".repeat(64)}` } },
    {
      when: "nothing newer and nothing to learn",
      parts: { image: "app:1.1.0", bookkeeping: { currentVersion: "1.1.0" } },
    },
    { when: "not due", parts: { policy: { schedule: "0 3 * * *" }, bookkeeping: { lastCheck: after(-1) } } },
  ])("$when: nothing is written or said", ({ parts }) => {
    expect(record(parts)).toEqual({ change: null, news: [] });
  });

  test("a scheduled one writes its last check, because the schedule counts from it", () => {
    const parts = { image: "app:1.1.0", bookkeeping: { currentVersion: "1.1.0" }, policy: { schedule: "* * * * *" } };
    expect(record(parts).change).toEqual({ bookkeeping: { lastCheck: noon } });
  });

  test("an empty listing is no decision: the last check stays as it was", () => {
    expect(record({ policy: { schedule: "* * * * *" } }, [])).toEqual({ change: null, news: [] });
  });

  test("the first look seeds the current version", () => {
    expect(record({ image: "app:1.1.0" }).change).toEqual({
      bookkeeping: { currentVersion: "1.1.0", lastCheck: noon },
    });
  });
});

describe("an open circuit", () => {
  const open = { circuitOpen: true, currentVersion: "1.0.0" };
  const held = "the circuit is open: version 1.1.0 is available and is not applied";

  test("announces the version once", () => {
    const { change, news } = record({ bookkeeping: open });
    expect(change).toEqual({ bookkeeping: { availableVersion: "1.1.0", lastCheck: noon }, announced: { held } });
    expect(news.map(({ event, reason }) => [event, reason])).toEqual([
      ["Update Available", "AutoUpdateAvailable"],
      ["Update Held", "AutoUpdateCircuitOpen"],
    ]);
  });

  test("says nothing the second time", () => {
    const parts = { bookkeeping: { ...open, availableVersion: "1.1.0" }, announced: { held, problem: null } };
    expect(record(parts)).toEqual({ change: null, news: [] });
  });

  test("announces the next version too", () => {
    const parts = { bookkeeping: { ...open, availableVersion: "1.1.0" }, announced: { held, problem: null } };
    expect(record(parts, [...tags, "1.2.0"]).news).toHaveLength(2);
  });

  test("an announcement that no longer holds is taken away", () => {
    const parts = { image: "app:1.1.0", bookkeeping: { currentVersion: "1.1.0" }, announced: { held, problem: null } };
    expect(record(parts)).toEqual({ change: { announced: { held: null } }, news: [] });
  });
});

describe("a person's hand", () => {
  test("at rest is announced once, and what was chosen stays", () => {
    const { change, news } = record({ bookkeeping: { currentVersion: "1.1.0" } });
    expect(change?.announced?.held).toMatch(/^1\.0\.0 was chosen by hand instead of 1\.1\.0/);
    expect(change).not.toHaveProperty("image");
    expect(news.map(({ reason }) => reason)).toEqual(["AutoUpdateHeld"]);
  });

  test("in mid-flight takes the marks away and leaves the image", () => {
    const { change, news } = record({ inFlight, image: "app:hotfix" });
    expect(change).toMatchObject({ inFlight: null, bookkeeping: { currentVersion: "1.1.0" } });
    expect(change).not.toHaveProperty("image");
    expect(news).toHaveLength(1);
  });

  test("in mid-flight from a target without a version moves no record", () => {
    const byDigest = { ...inFlight, targetImage: "app:nightly" };
    expect(record({ inFlight: byDigest, image: "app:hotfix" }).change).not.toHaveProperty("bookkeeping");
  });

  test("marks of a person where Pawl is off stay", () => {
    const byHand = { ...inFlight, execution: null };
    expect(record({ inFlight: byHand, policy: { enabled: false } })).toEqual({ change: null, news: [] });
  });
});

describe("a problem", () => {
  const problem = 'pawl.dev/schedule "often": expected five fields';

  test("is written and said once", () => {
    const { change, news } = record({ problems: [problem] });
    expect(change).toEqual({ announced: { problem } });
    expect(news.map(({ event, type, reason }) => [event, type, reason])).toEqual([
      ["Update Held", "Warning", "AutoUpdateProblem"],
    ]);
    expect(record({ problems: [problem], announced: { held: null, problem } })).toEqual({ change: null, news: [] });
  });

  test("that was mended is taken away", () => {
    const parts = { image, policy: { paused: true }, announced: { held: null, problem } };
    expect(record(parts)).toEqual({ change: { announced: { problem: null } }, news: [] });
  });
});

describe("what was seen of digests", () => {
  const note = (digests: DigestNote) => ({ ...hold("returning-digest", "it is believed later"), digests });

  test.for<{ when: string; digests: DigestNote; written: object }>([
    {
      when: "what came back has done so from now on",
      digests: { returning: { app: digest(1) } },
      written: { returning: { since: noon, digests: { app: digest(1) } } },
    },
    { when: "what came back is gone again", digests: { returning: null }, written: { returning: null } },
    {
      when: "what runs is the baseline",
      digests: { last: { app: digest(1) }, returning: null },
      written: { last: { app: digest(1) }, returning: null },
    },
    { when: "what runs is the baseline, and nothing returns", digests: { last: {} }, written: { last: {} } },
  ])("is written down: $when", ({ digests, written }) => {
    expect(recordCheck(followed(), note(digests), noon)).toEqual({ change: { digests: written }, news: [] });
  });

  test("is written beside the time of the look, where a schedule counts from it", () => {
    const seen = followed({ policy: { schedule: "* * * * *" } });
    expect(recordCheck(seen, hold("same-digest", "nothing is new"), noon).change).toEqual({
      bookkeeping: { lastCheck: noon },
    });
  });

  test("says nothing where nothing is new", () => {
    expect(recordCheck(followed(), hold("same-digest", "nothing is new"), noon)).toEqual({ change: null, news: [] });
  });

  test("takes an announcement away that no longer holds", () => {
    const seen = followed({ announced: { held: "the circuit is open", problem: null } });
    expect(recordCheck(seen, hold("same-digest", "nothing is new"), noon).change).toEqual({
      announced: { held: null },
    });
  });

  test("an object that waits for the finalizer of another gets a write, and nothing in it", () => {
    expect(recordCheck(followed(), hold("being-deleted", "it waits"), noon)).toEqual({
      change: { announced: {} },
      news: [],
    });
  });

  test("a restart that a person undid leaves its marks, and moves no record of its tag", () => {
    const seen = restarting({ restartedAt: null });
    const { change } = recordCheck(seen, hold("changed-by-hand", "the restart was taken back"), noon);
    expect(change).toEqual({ inFlight: null, announced: { held: "the restart was taken back" } });
  });
});
