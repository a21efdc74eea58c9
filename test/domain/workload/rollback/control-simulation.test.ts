import fc from "fast-check";
import { expect, test } from "vitest";
import { isStable } from "../../../../functions/domain/health/observed-pod.ts";
import { assessControl } from "../../../../functions/domain/workload/rollback/control.ts";
import type { Suspect } from "../../../../functions/domain/workload/update/in-flight.ts";
import { fromEpoch } from "../../../../functions/domain/text/rfc3339.ts";
import { afterSeconds, observedPod } from "../../../support/observed-pods.ts";
import { propertyRuns } from "../../../support/property-runs.ts";
import { rollbackOf } from "../../../support/rollback.ts";
import { completeRollout, image, inFlight, noon, workload } from "../../../support/workloads.ts";

/** A dependency of both versions is away from `from`, in seconds after the start of the update, for `seconds`. */
interface Situation {
  readonly isBad: boolean;
  readonly startup: number;
  readonly outage: { readonly from: number; readonly seconds: number } | null;
  /** Without its dependency a pod exits, or else its probe fails. */
  readonly exits: boolean;
}

const deadline = 600;
const restored = workload({ image, rollout: { ...completeRollout, image } });
const claim = rollbackOf(inFlight);
const crash = {
  pod: "web-0",
  cause: { blames: "version", reason: "Exit", container: "web", exitCode: 1, message: "", restarts: 1 },
} as const;

function isAway({ outage }: Situation, second: number): boolean {
  return outage !== null && second >= outage.from && second < outage.from + outage.seconds;
}

/** When a pod that starts then is ready: once it has started, and its dependency is there. */
function readyAt({ outage, startup }: Situation, start: number): number {
  const started = start + startup;
  return outage !== null && isAway({ outage } as Situation, started) ? outage.from + outage.seconds : started;
}

/** Judges an update of a workload whose pods are all replaced at once: no pod of the version before it runs beside them. */
function judge(situation: Situation): "ready" | "blamed" | "unproven" {
  if (!situation.isBad && readyAt(situation, 0) <= deadline) return "ready";
  const revertedAt = deadline + 1;
  const isReadyAt = readyAt(situation, revertedAt);
  const started = revertedAt + situation.startup;
  const hasCrashed = situation.exits && isAway(situation, started);
  let suspect: Suspect = { reason: "not ready", execution: "e-1" };
  for (let second = revertedAt; ;) {
    // A pod that was ready exits, or its probe fails, while its dependency is away.
    const isReady = second >= isReadyAt && !isAway(situation, second);
    const isLate = second - revertedAt > deadline;
    const failing =
      isReady && (hasCrashed || (situation.exits && hasBeenAway(situation, isReadyAt, second))) ? [crash] : [];
    const readiness = isReady
      ? ({ kind: "ready" } as const)
      : isLate
        ? ({ kind: "expired", reason: "late" } as const)
        : ({ kind: "progressing", waitSeconds: 15, reason: "not ready" } as const);
    const now = fromEpoch(noon.getTime() + second * 1000);
    const result = assessControl(restored, claim, suspect, readiness, failing, now);
    if (result.kind !== "pending") return result.kind;
    suspect = result.suspect;
    second += result.waitSeconds;
  }
}

function hasBeenAway({ outage }: Situation, from: number, to: number): boolean {
  return outage !== null && outage.from < to && outage.from + outage.seconds > from;
}

const startup = fc.integer({ min: 1, max: 300 });
const outage = fc.record({ from: fc.integer({ min: -600, max: 1200 }), seconds: fc.integer({ min: 1, max: 3600 }) });
const runs = { numRuns: propertyRuns(6000) };

test("without an outage a bad version is blamed, and a good one is ready", () => {
  fc.assert(
    fc.property(startup, fc.boolean(), fc.boolean(), (seconds, isBad, exits) => {
      const verdict = judge({ isBad, startup: seconds, outage: null, exits });
      expect(verdict).toBe(isBad ? "blamed" : "ready");
    }),
    runs,
  );
});

test("a good version whose pods exit in an outage is never blamed, whenever it begins and ends", () => {
  fc.assert(
    fc.property(startup, outage, (seconds, away) => {
      const situation = { isBad: false, startup: seconds, outage: away, exits: true };
      // An outage that is over before the restored pods start shows nothing of them.
      fc.pre(away.from + away.seconds > deadline + 1 + seconds);
      expect(judge(situation)).not.toBe("blamed");
    }),
    runs,
  );
});

test("a good version is blamed only if the outage ends between its deadline and the end of the experiment", () => {
  fc.assert(
    fc.property(startup, outage, fc.boolean(), (seconds, away, exits) => {
      const verdict = judge({ isBad: false, startup: seconds, outage: away, exits });
      const end = away.from + away.seconds;
      expect(verdict !== "blamed" || (end > deadline && end <= 2 * deadline + 60)).toBe(true);
    }),
    runs,
  );
});

/** Of the situations in which a good version does not become ready, because all its pods are replaced in an outage. */
test("a tenth of such good versions at most is blamed if their pods exit, and a quarter if their probes fail", () => {
  const blamed = { exits: 0, probes: 0 };
  const all = { exits: 0, probes: 0 };
  for (const situation of fc.sample(fc.record({ isBad: fc.constant(false), startup, outage, exits: fc.boolean() }), {
    numRuns: propertyRuns(12_000),
    seed: 7,
  })) {
    const verdict = judge(situation);
    const kind = situation.exits ? "exits" : "probes";
    if (verdict !== "ready") all[kind] += 1;
    if (verdict === "blamed") blamed[kind] += 1;
  }
  expect(blamed.exits / all.exits).toBeLessThan(0.1);
  expect(blamed.probes / all.probes).toBeLessThan(0.25);
});

test("a pod that exits again and again is never stable, and one whose dependency is back is so soon", () => {
  const exits = fc.integer({ min: 1, max: 50 });
  const apart = fc.integer({ min: 2, max: 7200 });
  fc.assert(
    fc.property(exits, apart, fc.double({ min: 0, max: 1, noNaN: true }), (count, seconds, part) => {
      const exitedAt = count * seconds;
      const pod = observedPod({
        exits: count,
        exitedAt: afterSeconds(exitedAt),
        readyChangedAt: afterSeconds(exitedAt + 1),
      });
      expect(isStable(pod, 60, afterSeconds(exitedAt + part * seconds))).toBe(false);
      expect(isStable(pod, 60, afterSeconds(exitedAt + Math.max(62, seconds + 2)))).toBe(true);
    }),
    runs,
  );
});
