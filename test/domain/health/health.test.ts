import { expect, test } from "vitest";
import { type Health, observePods, exitsSinceReady } from "../../../functions/domain/health/health.ts";
import type { ObservedPod } from "../../../functions/domain/health/observed-pod.ts";
import { afterSeconds, observedPod, pods } from "../../support/observed-pods.ts";

test.for([
  { of: "no pod", seen: [], health: undefined },
  { of: "a pod that no kubelet has accepted", seen: [{ isReady: false, startedAt: null }], health: undefined },
  { of: "a pod that is not ready yet", seen: [{ isReady: false, readyChangedAt: afterSeconds(0) }], health: undefined },
  {
    of: "a pod that exits before it is ready",
    seen: [{ isReady: false, readyChangedAt: afterSeconds(0), exits: 2 }],
    health: undefined,
  },
  { of: "a ready pod", seen: [{}], health: { readyUntil: afterSeconds(0), pods: [] } },
])("the first check sees $of", ({ seen, health }) => {
  expect(observePods(undefined, pods(...seen), afterSeconds(60))).toEqual(health);
});

test.for([
  { of: "a ready pod that had exited", seen: [{ exits: 2 }], exitsBefore: 2 },
  {
    of: "a pod whose exit has ended its readiness",
    seen: [{ isReady: false, exits: 3, readyChangedAt: afterSeconds(60), exitedAt: afterSeconds(59) }],
    exitsBefore: 2,
  },
  {
    of: "a pod that had exited, and is not ready for another reason",
    seen: [{ isReady: false, exits: 3, readyChangedAt: afterSeconds(60), exitedAt: afterSeconds(20) }],
    exitsBefore: 3,
  },
])("the first check sees $of: $exitsBefore exits do not count", ({ seen, exitsBefore }) => {
  const health = observePods(undefined, pods(...seen), afterSeconds(60));
  expect(health?.pods.map((pod) => pod.exitsBefore)).toEqual([exitsBefore]);
});

test.for([
  { created: [0, 10, 20], starting: [], until: 20 },
  { created: [0, 10, 20], starting: [10], until: 0 },
  { created: [0, 10, 10], starting: [1], until: 0 },
  { created: [0, 10, 20], starting: [0], until: undefined },
])(
  "pods created at $created, of which $starting start: all until $until were ready",
  ({ created, starting, until }) => {
    const seen = created.map((second, index) => {
      const isStarting = starting.includes(second) || (starting.includes(1) && index === 1);
      return {
        uid: `p-${index}`,
        createdAt: afterSeconds(second),
        isReady: !isStarting,
        readyChangedAt: afterSeconds(second),
      };
    });
    const health = observePods(
      undefined,
      pods(...seen.map((pod) => ({ ...pod, startedAt: pod.createdAt }))),
      afterSeconds(60),
    );
    expect(health?.readyUntil).toEqual(until === undefined ? undefined : afterSeconds(until));
  },
);

/** What each check sees of one pod that is created at 0, at the second of the check. */
function watch(checks: readonly (Partial<ObservedPod> & { readonly at: number })[]): Health | undefined {
  return checks.reduce<Health | undefined>(
    (health, { at, ...seen }) => observePods(health, pods(seen), afterSeconds(at)),
    undefined,
  );
}

const down = (since: number, exits = 1) => ({
  isReady: false,
  readyChangedAt: afterSeconds(since),
  exits,
  exitedAt: afterSeconds(since),
});
const up = (since: number, exits = 0) => ({ isReady: true, readyChangedAt: afterSeconds(since), exits });

test.for([
  {
    pod: "was ready at each check and exited between them",
    checks: [
      { at: 15, ...up(5) },
      { at: 30, ...up(20, 1) },
    ],
    exits: 1,
  },
  {
    pod: "exited before it was ready",
    checks: [
      { at: 15, ...down(0, 1) },
      { at: 30, ...up(20, 2) },
    ],
    exits: 0,
  },
  {
    pod: "exited before it was ready and after that",
    checks: [
      { at: 30, ...up(20, 2) },
      { at: 45, ...down(40, 3) },
      { at: 60, ...up(50, 4) },
    ],
    exits: 2,
  },
  { pod: "exited from ready before any check", checks: [{ at: 30, ...down(20, 1) }], exits: 1 },
])("a pod that $pod counts $exits", ({ checks, exits }) => {
  const last = checks.at(-1);
  expect(exitsSinceReady(observedPod(last), watch(checks))).toBe(exits);
});

test("a pod that has never been ready counts nothing", () => {
  expect(exitsSinceReady(observedPod(down(0, 5)), undefined)).toBe(0);
});

test.for([
  {
    when: "it was always ready",
    checks: [
      { at: 15, ...up(5) },
      { at: 30, ...up(5) },
    ],
    seconds: undefined,
  },
  {
    when: "it is not",
    checks: [
      { at: 15, ...up(5) },
      { at: 30, ...down(20) },
    ],
    seconds: 10,
  },
  {
    when: "it is not, twice checked",
    checks: [
      { at: 30, ...down(20) },
      { at: 45, ...down(20) },
    ],
    seconds: 25,
  },
  {
    when: "it is ready again",
    checks: [
      { at: 30, ...down(20) },
      { at: 45, ...up(35, 1) },
    ],
    seconds: 15,
  },
  {
    when: "it was ready in between",
    checks: [
      { at: 30, ...down(20) },
      { at: 45, ...down(40, 2) },
      { at: 60, ...up(50, 2) },
    ],
    seconds: 20,
  },
  {
    when: "it was ready at a check in between",
    checks: [
      { at: 30, ...down(20) },
      { at: 45, ...up(35, 1) },
      { at: 60, ...up(35, 1) },
      { at: 75, ...down(70, 2) },
    ],
    seconds: 20,
  },
  {
    when: "its node does not answer meanwhile",
    checks: [
      { at: 30, ...down(20) },
      { at: 60, ...down(20), cause: observedPod({ isExcused: true }).cause },
    ],
    seconds: 10,
  },
  {
    when: "it is not known since when it is ready",
    checks: [
      { at: 30, ...down(20) },
      { at: 45, ...up(35, 1), readyChangedAt: null },
    ],
    seconds: 25,
  },
])("the time that a pod is not ready adds up if $when: $seconds", ({ checks, seconds }) => {
  expect(watch(checks)?.pods.at(0)?.unreadySeconds).toBe(seconds);
});

test("a check that is repeated counts nothing twice, and changes nothing", () => {
  const checks = [
    { at: 15, ...up(5) },
    { at: 30, ...down(20) },
  ];
  const once = watch(checks);
  expect(watch([...checks, { at: 30, ...down(20) }])).toEqual(once);
  expect(observePods(once, pods(down(20)), afterSeconds(30))).toBe(once);
});

test("a new pod of the same name counts from 0", () => {
  const before = watch([
    { at: 15, ...up(5) },
    { at: 30, ...down(20, 3) },
  ]);
  const next = { uid: "p-next", createdAt: afterSeconds(40), startedAt: afterSeconds(40), ...up(45) };
  expect(observePods(before, pods(next), afterSeconds(60))?.pods).toEqual([]);
});

test("of many pods the longest unready are listed, and the exits before of the others are remembered", () => {
  const many = Array.from({ length: 25 }, (_, index) => ({ uid: `p-${index}`, exits: index < 20 ? 1 : 6 }));
  const first = observePods(undefined, pods(...many), afterSeconds(60));
  expect(first?.pods).toHaveLength(20);
  expect(first?.maxExitsOfOthers).toBe(6);
  const again = pods(...many.map((pod) => ({ ...pod, exits: pod.exits + 1 })));
  const counted = again.map((pod) => exitsSinceReady(pod, observePods(first, again, afterSeconds(75))));
  expect(counted.filter((exits) => exits === 1)).toHaveLength(25);
});
