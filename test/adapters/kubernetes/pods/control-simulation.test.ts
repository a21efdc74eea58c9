import fc from "fast-check";
import { expect, test } from "vitest";
import { controlFailure } from "../../../../functions/adapters/kubernetes/pods/failed-control.ts";
import { observePod } from "../../../../functions/adapters/kubernetes/pods/observe-pod.ts";
import type { Pod } from "../../../../functions/adapters/kubernetes/pods/pod.ts";
import { findFailure } from "../../../../functions/domain/health/find-failure.ts";
import { type Health, observePods } from "../../../../functions/domain/health/health.ts";
import { nextCheckSeconds } from "../../../../functions/domain/workload/update/readiness.ts";
import { afterSeconds } from "../../../support/observed-pods.ts";
import { propertyRuns } from "../../../support/property-runs.ts";
import { canaryInFlight, canaryWorkload } from "../../../support/workloads.ts";

/** A canary of a good version beside a stable pod, while a dependency of both is away from `from` on, in seconds after the start. */
interface Situation {
  readonly startup: number;
  readonly from: number;
  readonly seconds: number;
  /** By how much earlier the stable pod notices that it is over: probes have a period. */
  readonly lead: number;
  /** What a pod does without its dependency: it exits; its probe fails; or it exits when it starts, and does not notice later. */
  readonly kind: "exits" | "probes" | "unnoticed";
}

interface Change {
  readonly at: number;
  readonly to: "ready" | "unready" | "exit";
}

const watchedSeconds = 3600;
const deadline = 600;
const limits = { podDeadlineSeconds: deadline, maxRestarts: 3, startedAt: afterSeconds(0), toleratedPods: 0 };
const update = canaryWorkload();

/** Returns what a pod does that is created then. Its kubelet restarts it at once, after 10 s, 20 s … 300 s. */
function live({ startup, from, seconds, kind }: Situation, created: number): readonly Change[] {
  const end = from + seconds;
  const isAway = (second: number) => second >= from && second < end;
  if (kind === "probes") {
    const ready = isAway(created + startup) ? end : created + startup;
    const blip = [{ at: from, to: "unready" } as const, { at: end, to: "ready" } as const];
    return [{ at: ready, to: "ready" }, ...(from > ready ? blip : [])];
  }
  const changes: Change[] = [];
  let [start, exits] = [created, 0];
  for (;;) {
    const started = start + startup;
    if (!isAway(started)) changes.push({ at: started, to: "ready" });
    const isEnded = isAway(started) || (kind === "exits" && started < from);
    if (!isEnded) return changes;
    const exitedAt = Math.max(started, from);
    changes.push({ at: exitedAt, to: "exit" });
    start = exitedAt + (exits === 0 ? 0 : Math.min(300, 10 * 2 ** (exits - 1)));
    exits += 1;
  }
}

/** Returns the pod as the API server has it at a second. */
function podAt(changes: readonly Change[], created: number, second: number): Pod {
  const past = changes.filter(({ at }) => at <= second);
  const states = past.map(({ at, to }) => ({ at, isReady: to === "ready" }));
  const changed = states.findLast(({ isReady }, index) => isReady !== (states[index - 1]?.isReady ?? false));
  const exits = past.filter(({ to }) => to === "exit");
  const finishedAt = afterSeconds(exits.at(-1)?.at ?? 0);
  const ready = {
    status: changed?.isReady ? "True" : "False",
    lastTransitionTime: afterSeconds(changed?.at ?? created),
  };
  return {
    metadata: { name: `web-${created}`, uid: `u-${created}`, creationTimestamp: afterSeconds(created) },
    spec: { containers: [{ name: "web" }] },
    status: {
      phase: "Running",
      startTime: afterSeconds(created),
      conditions: ["ContainersReady", "Ready"].map((type) => ({ type, ...ready })),
      containerStatuses: [
        {
          name: "web",
          restartCount: exits.length,
          ...(exits.length === 0 ? {} : { lastState: { terminated: { exitCode: 1, reason: "Error", finishedAt } } }),
        },
      ],
    },
  };
}

/** Checks the canary as the machine does, from `offset` on. */
function judge(situation: Situation, offset: number): "healthy" | "blamed" | "unproven" {
  const { seconds, lead } = situation;
  const canary = live(situation, 0);
  const stable = live({ ...situation, seconds: Math.max(1, seconds - lead) }, -watchedSeconds);
  let health: Health | undefined;
  for (let second = offset; second <= watchedSeconds; second += nextCheckSeconds(second, Infinity)) {
    const pods = [observePod(podAt(canary, 0, second), false)];
    const now = afterSeconds(second);
    health = observePods(health, pods, now);
    if (findFailure(pods, health, limits, now) === null) continue;
    const control = controlFailure(
      podAt(stable, -watchedSeconds, second),
      { ...update, inFlight: canaryInFlight },
      now,
    );
    return control === null ? "blamed" : "unproven";
  }
  return "healthy";
}

/** Returns the share that is blamed of the canaries that fail, and how many fail. */
function errors(kind: Situation["kind"], earliest: number) {
  const drawn = fc.record({
    startup: fc.integer({ min: 1, max: 300 }),
    from: fc.integer({ min: earliest, max: 1200 }),
    seconds: fc.integer({ min: 1, max: 3600 }),
    lead: fc.integer({ min: 0, max: 30 }),
  });
  const offset = fc.integer({ min: 1, max: 15 });
  const situations = fc.sample(fc.tuple(drawn, offset), { numRuns: propertyRuns(1500), seed: 7 });
  const verdicts = situations.map(([one, first]) => judge({ ...one, kind }, first)).filter((one) => one !== "healthy");
  return { failed: verdicts.length, blamed: verdicts.filter((one) => one === "blamed").length / verdicts.length };
}

test.for([
  { kind: "exits", share: 0 },
  { kind: "probes", share: 0.01 },
] as const)(
  "of good canaries in an outage that stable pods notice, at most $share are blamed: $kind",
  ({ kind, share }) => {
    const { failed, blamed } = errors(kind, 0);
    expect(failed).toBeGreaterThan(100);
    expect(blamed).toBeLessThanOrEqual(share);
  },
);

/** The limit of a control that runs beside what it is compared with. */
test("a good canary is blamed in an outage that only pods notice that start", () => {
  expect(errors("unnoticed", -600)).toMatchObject({ blamed: 1 });
});
