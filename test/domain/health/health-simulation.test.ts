import fc from "fast-check";
import { expect, test } from "vitest";
import { findFailure } from "../../../functions/domain/health/find-failure.ts";
import { type Health, observePods } from "../../../functions/domain/health/health.ts";
import type { ObservedPod } from "../../../functions/domain/health/observed-pod.ts";
import { nextCheckSeconds } from "../../../functions/domain/workload/update/readiness.ts";
import { afterSeconds, observedPod } from "../../support/observed-pods.ts";
import { propertyRuns } from "../../support/property-runs.ts";

/** An update that is watched for an hour after it began. */
const watchedSeconds = 3600;
const deadline = 600;
const limits = { podDeadlineSeconds: deadline, maxRestarts: 3, startedAt: afterSeconds(0), toleratedPods: 0 };

/** A change of a pod, at a second after it was created. */
interface Change {
  readonly at: number;
  readonly to: "ready" | "unready" | "exit" | "excused";
}

interface Life {
  readonly changes: readonly Change[];
  /** At this second it is evicted: a new pod takes its place, whose image cannot be pulled. */
  readonly evictedAt?: number;
}

/** As a kubelet: at once, after 10 s, 20 s … 300 s. */
function backOff(exits: number): number {
  return exits === 0 ? 0 : Math.min(300, 10 * 2 ** (exits - 1));
}

/** A pod that starts for `startup` seconds and exits after each of `lives`; before it is ready if one is shorter than its startup. */
function liveAndExit(startup: number, lives: readonly number[]): Life {
  const changes: Change[] = [];
  let second = 0;
  for (const [exits, seconds] of lives.entries()) {
    if (seconds > startup) changes.push({ at: second + startup, to: "ready" });
    changes.push({ at: second + seconds, to: "exit" });
    second += seconds + backOff(exits);
  }
  return { changes: [...changes, { at: second + startup, to: "ready" }] };
}

function flap(startup: number, spans: readonly (readonly [ready: number, unready: number])[]): Life {
  let second = startup;
  const changes = spans.flatMap(([ready, unready]): readonly Change[] => {
    const from = second;
    second += ready + unready;
    return [
      { at: from, to: "ready" },
      { at: from + ready, to: "unready" },
    ];
  });
  return { changes: [...changes, { at: second, to: "ready" }] };
}

/** What a check sees of the pod at a second. */
function see({ changes, evictedAt = Infinity }: Life, second: number): ObservedPod {
  if (second >= evictedAt) {
    const times = {
      createdAt: afterSeconds(evictedAt),
      startedAt: afterSeconds(evictedAt),
      readyChangedAt: afterSeconds(evictedAt),
    };
    return observedPod({ uid: "p-next", isReady: false, isExcused: true, ...times });
  }
  const past = changes.filter(({ at }) => at <= second);
  const exits = past.filter(({ to }) => to === "exit");
  const states = past.map(({ at, to }) => ({ at, isReady: to === "ready" }));
  const changed = states.findLast(({ isReady }, index) => isReady !== (states[index - 1]?.isReady ?? false));
  return observedPod({
    isReady: changed?.isReady ?? false,
    readyChangedAt: afterSeconds(changed?.at ?? 0),
    exits: exits.length,
    exitedAt: exits.length === 0 ? null : afterSeconds(exits.at(-1)?.at ?? 0),
  });
}

/** Returns the right answer, which needs every moment, and for how long the pod is not ready after it was. */
function answer({ changes, evictedAt = Infinity }: Life): { readonly fails: boolean; readonly unready: number } {
  const end = Math.min(watchedSeconds, evictedAt - 1);
  const past = changes.filter(({ at }) => at <= end);
  const firstReady = past.find(({ to }) => to === "ready")?.at ?? end;
  const later = past.filter(({ at }) => at >= firstReady);
  const exits = later.filter(({ to }) => to === "exit").length;
  const unready = later.reduce(
    (sum, { at, to }, index) => (to === "ready" ? sum : sum + (later[index + 1]?.at ?? end) - at),
    0,
  );
  return { fails: exits > limits.maxRestarts || unready > deadline || firstReady > deadline, unready };
}

/** Watches a pod as the machine does, from `offset` on, and returns whether it fails, and when. Each check may be repeated by another execution. */
function watch(life: Life, offset: number, isRepeated = false): number | null {
  let health: Health | undefined;
  for (let second = offset; second <= watchedSeconds + 60; second += nextCheckSeconds(second, Infinity)) {
    const seen = [see(life, second)];
    health = observePods(health, seen, afterSeconds(second));
    if (isRepeated) health = observePods(health, seen, afterSeconds(second + 1));
    if (findFailure(seen, health, limits, afterSeconds(second)) !== null) return second;
  }
  return null;
}

const startup = fc.integer({ min: 5, max: 300 });
const offset = fc.integer({ min: 1, max: 15 });
const runs = { numRuns: propertyRuns(1000) };

test("a slow pod, and one that exits until its database answers, never fails before its deadline", () => {
  fc.assert(
    fc.property(startup, fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 6 }), offset, (slow, lives, first) => {
      const life = liveAndExit(
        slow,
        lives.map((seconds) => Math.min(seconds, slow)),
      );
      fc.pre(!answer(life).fails);
      expect(watch(life, first)).toBeNull();
    }),
    runs,
  );
});

test("a pod that never becomes ready fails at its deadline", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), offset, (seconds, first) => {
      const life = liveAndExit(
        1e6,
        Array.from({ length: 60 }, () => seconds),
      );
      const failedAt = watch(life, first) ?? Infinity;
      expect(failedAt > deadline && failedAt <= deadline + 60).toBe(true);
    }),
    runs,
  );
});

test("an evicted pod whose successor cannot be pulled does not fail", () => {
  fc.assert(
    fc.property(startup, fc.integer({ min: 400, max: 3000 }), offset, (slow, evictedAt, first) => {
      expect(watch({ changes: [{ at: slow, to: "ready" }], evictedAt }, first)).toBeNull();
    }),
    runs,
  );
});

const exiting = fc
  .record({
    startup: fc.integer({ min: 1, max: 60 }),
    lives: fc.array(fc.integer({ min: 5, max: 900 }), { maxLength: 9 }),
  })
  .map((drawn) => liveAndExit(drawn.startup, drawn.lives));
const span = fc.tuple(fc.integer({ min: 1, max: 180 }), fc.integer({ min: 1, max: 180 }));
const flapping = fc.tuple(startup, fc.array(span, { maxLength: 30 })).map(([slow, spans]) => flap(slow, spans));

test("a repeated check, and one that another execution repeats, counts nothing twice", () => {
  fc.assert(
    fc.property(fc.oneof(exiting, flapping), offset, (life, first) => {
      const once = watch(life, first);
      const twice = watch(life, first, true);
      // It may see a little more of the time in which the pod is not ready.
      expect(Math.abs((once ?? watchedSeconds) - (twice ?? watchedSeconds)) <= 900 || answer(life).fails).toBe(true);
      const isClearlyGood = !answer(life).fails && answer(life).unready < deadline - 60;
      expect(isClearlyGood && twice !== null).toBe(false);
    }),
    runs,
  );
});

/** Counts what `watch` answers wrongly about lives that are drawn. "clear": not ready for half as long again as is allowed. */
function errors(lives: fc.Arbitrary<Life>) {
  const counts = { good: 0, blamed: 0, bad: 0, missed: 0, clear: 0, clearMissed: 0 };
  for (const [life, first] of fc.sample(fc.tuple(lives, offset), { numRuns: propertyRuns(3000), seed: 7 })) {
    const { fails, unready } = answer(life);
    const isFound = watch(life, first) !== null;
    const isClear = unready > 1.5 * deadline;
    if (fails) counts.bad += 1;
    else counts.good += 1;
    if (isFound && !fails) counts.blamed += 1;
    if (!isFound && fails) counts.missed += 1;
    if (isClear) counts.clear += 1;
    if (isClear && !isFound) counts.clearMissed += 1;
  }
  const { good, bad, clear, blamed, missed, clearMissed } = counts;
  return { blamed: blamed / good, missed: missed / bad, clearMissed: clearMissed / clear };
}

test("of good pods that exit none fails, and no bad one is missed", () => {
  expect(errors(exiting)).toMatchObject({ blamed: 0, missed: 0 });
});

/** A span between two checks is not seen, and does not count: Pawl waits rather than blames. */
test("of good pods that flap at most 1 in 500 fails; of bad ones a quarter at most is missed within the hour, none if it is clear", () => {
  const { blamed, missed, clearMissed } = errors(flapping);
  expect(blamed).toBeLessThan(0.002);
  expect(missed).toBeLessThan(0.25);
  expect(clearMissed).toBe(0);
});
