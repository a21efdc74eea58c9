import { describe, expect, test } from "vitest";
import {
  formatPollNote,
  isRenewed,
  type LeaseSpec,
  leaseSeconds,
  otherHolder,
  parsePollNote,
  previousHolder,
  renewedLease,
} from "../../../functions/domain/execution/poll-lease.ts";
import { fromEpoch } from "../../../functions/domain/text/rfc3339.ts";
import { noon } from "../../support/workloads.ts";

const renewedAgo = (seconds: number) => fromEpoch(noon.getTime() - seconds * 1000).toISOString();
const held: LeaseSpec = { holderIdentity: "other", renewTime: renewedAgo(0), leaseDurationSeconds: leaseSeconds };

test.for<{ when: string; spec: LeaseSpec; by: string | null }>([
  { when: "it is new", spec: {}, by: null },
  { when: "it was released", spec: { ...held, holderIdentity: null }, by: null },
  { when: "the holder is empty", spec: { ...held, holderIdentity: "" }, by: null },
  { when: "it is our own", spec: { ...held, holderIdentity: "own" }, by: null },
  { when: "it was just renewed", spec: held, by: "other" },
  { when: "it is about to be stale", spec: { ...held, renewTime: renewedAgo(60) }, by: "other" },
  { when: "it is stale", spec: { ...held, renewTime: renewedAgo(60.001) }, by: null },
  { when: "another clock is a minute ahead", spec: { ...held, renewTime: renewedAgo(-60) }, by: "other" },
  { when: "another clock is hours ahead", spec: { ...held, renewTime: renewedAgo(-7200) }, by: null },
  { when: "it was never renewed", spec: { ...held, renewTime: null }, by: null },
  { when: "the time is no time", spec: { ...held, renewTime: "soon" }, by: null },
  {
    when: "somebody set a longer duration",
    spec: { ...held, renewTime: renewedAgo(61), leaseDurationSeconds: 1e9 },
    by: null,
  },
])("$when: held by $by", ({ spec, by }) => {
  expect(otherHolder(spec, "own", noon)).toBe(by);
});

test.for([
  { when: "it is new", spec: {}, from: null },
  { when: "it was released", spec: { ...held, holderIdentity: null }, from: null },
  { when: "the holder is empty", spec: { ...held, holderIdentity: "" }, from: null },
  { when: "it is our own", spec: { ...held, holderIdentity: "own" }, from: null },
  { when: "nobody released it", spec: { ...held, renewTime: renewedAgo(61) }, from: "other" },
])("$when: taken over from $from", ({ spec, from }) => {
  expect(previousHolder(spec, "own")).toBe(from);
});

describe("a lease that is taken", () => {
  const renewTime = "2026-07-27T12:00:00.000000Z";

  test.for<{ when: string; spec: LeaseSpec; holder?: string; expected: object }>([
    { when: "for the first time", spec: {}, expected: { acquireTime: renewTime, leaseTransitions: 1 } },
    {
      when: "by a poll of selected workloads",
      spec: { acquireTime: renewedAgo(60), leaseTransitions: 4 },
      holder: "own selected-1",
      expected: { holderIdentity: "own selected-1", leaseTransitions: 5 },
    },
    { when: "again", spec: { ...held, holderIdentity: "own", leaseTransitions: 4 }, expected: { leaseTransitions: 4 } },
    { when: "again, without a count", spec: { holderIdentity: "own" }, expected: { leaseTransitions: 0 } },
  ])("$when", ({ spec, holder = "own", expected }) => {
    const now = fromEpoch(Date.parse("2026-07-27T12:00:00Z"));
    const renewed = { holderIdentity: "own", leaseDurationSeconds: 60, renewTime };
    expect(renewedLease(spec, holder, now)).toEqual({ ...renewed, ...expected });
  });
});

test.for([
  { when: "just now", spec: { ...held, renewTime: renewedAgo(14) }, expected: true },
  { when: "a while ago", spec: { ...held, renewTime: renewedAgo(15) }, expected: false },
  { when: "in the future", spec: { ...held, renewTime: renewedAgo(-15) }, expected: false },
  { when: "never", spec: { holderIdentity: "other" }, expected: false },
  { when: "by another", spec: { ...held, holderIdentity: "own" }, expected: false },
])("renewed $when: $expected", ({ spec, expected }) => {
  expect(isRenewed(spec, "other", noon)).toBe(expected);
});

test.for<{ when: string; spec: LeaseSpec; longest?: number; text: string; everySeconds: number | null }>([
  { when: "the first", spec: {}, text: "pawl-production", everySeconds: null },
  { when: "the next", spec: { acquireTime: renewedAgo(300.2) }, text: "pawl-production 300", everySeconds: 300 },
  { when: "one at the same time", spec: { acquireTime: renewedAgo(0) }, text: "pawl-production", everySeconds: null },
  { when: "the first of a schedule", spec: {}, longest: 9, text: "pawl-production 0 9", everySeconds: null },
])("a poll notes who polls, and how often: $when", ({ spec, longest = null, text, everySeconds }) => {
  expect(formatPollNote(spec, "pawl-production", longest, noon)).toBe(text);
  expect(parsePollNote(text)).toEqual({ by: "pawl-production", everySeconds, longestSeconds: longest });
});

test.for([undefined, "", " 300", "pawl 300 more", "pawl 300 400 500", "pawl soon"])(
  "%s is no note of a poll",
  (text) => {
    expect(parsePollNote(text)).toBeNull();
  },
);
