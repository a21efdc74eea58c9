import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addCandidate,
  type Candidate,
  maxCandidates,
  observeCandidate,
} from "../../../functions/domain/gates/candidate.ts";
import { isHeldByGate, passGates } from "../../../functions/domain/gates/gates.ts";
import { createMinimumAgeGate } from "../../../functions/domain/gates/minimum-age.ts";
import { formatRfc3339 } from "../../../functions/domain/text/rfc3339.ts";
import { hold } from "../../../functions/domain/workload/decision/decision.ts";
import { planCheckRecord } from "../../../functions/domain/workload/record/record-check.ts";
import type { Target } from "../../../functions/domain/workload/target/target.ts";
import { after, image, noon, updateTarget, workload } from "../../support/workloads.ts";

const hours = 60;
const threeDays = workload({ policy: { minimumReleaseAgeSeconds: 3 * 86_400 } });
const digest = "sha256:a";
const seen = (minutes: number, parts: Partial<Candidate> = {}): Candidate => ({
  version: "1.1.0",
  digest,
  since: formatRfc3339(after(minutes)),
  ...parts,
});

describe("the gate of the minimum age", () => {
  test.for<{
    when: string;
    candidates?: readonly Candidate[];
    target?: Target | null;
    of?: object;
    closed: object | null;
  }>([
    { when: "no age is required", of: workload(), closed: null },
    { when: "nothing newer is known", target: null, closed: null },
    { when: "the configuration changed", target: { kind: "config", image, digest }, closed: null },
    { when: "the version is old enough", candidates: [seen(-72 * hours)], closed: null },
    {
      when: "the version is too young",
      candidates: [seen(-71 * hours)],
      closed: {
        reason: "TooYoung",
        message: "1.1.0 exists since 2026-11-17T13:00:00Z and must be 3d old",
        until: after(hours),
        liftedBy: "pawl approve --skip-age, or pawl push",
      },
    },
    {
      when: "nothing is known of it",
      closed: { reason: "AgeUnknown", message: "it is not known since when 1.1.0 exists" },
    },
    { when: "its time is none", candidates: [seen(0, { since: "soon" })], closed: { reason: "AgeUnknown" } },
    {
      when: "its tag moves all the time",
      candidates: [seen(-1, { version: image, moves: 2 })],
      target: { kind: "digest", image, digest },
      closed: { message: expect.stringContaining("its tag has moved 2 times while it waited, and is never 3d old") },
    },
  ])("if $when", ({ candidates = [], target = updateTarget, of = threeDays, closed }) => {
    const found = createMinimumAgeGate(candidates, null).evaluate(of as typeof threeDays, target, noon);
    expect(closed === null || found === null ? closed : { ...found, ...closed }).toEqual(found);
  });

  test("holds, with what was judged, and what a person asked for passes it", () => {
    const update = { kind: "update", target: updateTarget, candidates: [seen(0)] } as const;
    const gate = createMinimumAgeGate([seen(0)], null);
    const held = passGates(threeDays, update, noon, gate);
    expect(held).toMatchObject({
      kind: "hold",
      reason: "too-young",
      candidates: [seen(0)],
      gates: [{ name: "minimumAge" }],
    });
    expect(isHeldByGate(hold("too-young", ""))).toBe(true);
    const requested = { ...update, isRequested: true } as const;
    expect(passGates(threeDays, requested, noon, gate)).toBe(requested);
  });
});

describe("a candidate", () => {
  const now = formatRfc3339(noon);

  test.for([
    { when: "is new", known: undefined, pushedAt: null, observed: seen(0) },
    { when: "is as it was", known: seen(-5), pushedAt: null, observed: seen(-5) },
    { when: "has the time of its registry", known: seen(-5), pushedAt: seen(-9).since, observed: seen(-9) },
    { when: "has moved", known: seen(-5, { digest: "sha256:b" }), pushedAt: null, observed: seen(0, { moves: 1 }) },
    {
      when: "has moved again",
      known: seen(-5, { digest: "sha256:b", moves: 1 }),
      pushedAt: seen(-2).since,
      observed: seen(-2, { moves: 2 }),
    },
  ])("that $when", ({ known, pushedAt, observed }) => {
    expect(observeCandidate(known, "1.1.0", digest, pushedAt, now)).toEqual(observed);
  });

  test("with a time that is none leaves first", () => {
    const all = Array.from({ length: maxCandidates }, (_, index) =>
      seen(index, { version: `${index}`, since: "soon" }),
    );
    expect(addCandidate(all, seen(1))).toHaveLength(maxCandidates);
  });

  test("of any number of releases is old enough in time: frequent releases do not starve", () => {
    const property = fc.property(
      fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 100, maxLength: 300 }),
      (gapsInMinutes) => {
        const age = 24 * hours;
        let candidates: readonly Candidate[] = [];
        let time = 0;
        let applied = 0;
        for (const [index, gap] of gapsInMinutes.entries()) {
          time += gap;
          candidates = addCandidate(candidates, seen(time, { version: `${index}` }));
          const old = candidates.filter(({ since }) => new Date(since).getTime() <= after(time - age).getTime());
          if (old.length === 0) continue;
          applied = time;
          candidates = candidates.filter((one) => !old.includes(one));
        }
        expect(candidates.length).toBeLessThanOrEqual(maxCandidates);
        // The newest and the oldest that wait are always known.
        expect(candidates.at(-1)?.version).toBe(`${gapsInMinutes.length - 1}`);
        expect(applied > 0 || time < age + 30).toBe(true);
      },
    );
    fc.assert(property);
  });
});

describe("what is recorded of candidates", () => {
  const held = { ...hold("too-young", "x"), target: updateTarget, candidates: [seen(0)] };

  test("is written once, also after it was sent as JSON", () => {
    const sent = JSON.parse(JSON.stringify(held));
    expect(planCheckRecord(threeDays, sent, noon).change?.candidates).toEqual([seen(0)]);
    expect(planCheckRecord({ ...threeDays, candidates: [seen(0)] }, sent, noon).change?.candidates).toBeUndefined();
  });

  test.for([
    { when: "it runs the newest version", decision: hold("no-newer-version", "x"), candidates: [] },
    { when: "its schedule is not due", decision: hold("not-due", "x"), candidates: undefined },
    {
      when: "an update starts",
      decision: { kind: "update", target: updateTarget, candidates: [seen(-9)] } as const,
      candidates: [seen(-9)],
    },
    { when: "its settings are invalid", decision: { kind: "problem", problems: [] } as const, candidates: undefined },
  ])("is $candidates if $when", ({ decision, candidates }) => {
    const recorded = { ...threeDays, candidates: [seen(0)] };
    expect(planCheckRecord(recorded, decision, noon).change?.candidates).toEqual(candidates);
  });
});
