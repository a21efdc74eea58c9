import * as fc from "fast-check";
import { expect, test } from "vitest";
import { decideByConfig } from "../../../../functions/domain/workload/config/decide-by-config.ts";
import type { ConfigTracking } from "../../../../functions/domain/workload/config/tracking.ts";
import { hold } from "../../../../functions/domain/workload/decision/decision.ts";
import type { HistoryEntry } from "../../../../functions/domain/workload/workload.ts";
import { propertyRuns } from "../../../support/property-runs.ts";
import { config, configDigest, configWorkload, observed } from "../../../support/workloads/config-workloads.ts";
import { noon } from "../../../support/workloads.ts";

const upToDate = hold("same-config", "only its configuration is tracked");
const at = (seconds: number) => new Date(noon.getTime() + seconds * 1000);

interface Edit {
  /** In seconds. */
  readonly at: number;
  readonly content: number;
}

interface Drawn {
  readonly edits: readonly Edit[];
  readonly settleSeconds: number;
  readonly minimumIntervalSeconds: number;
  /** Between two polls, and from the start of a restart until it is recorded: repeated. */
  readonly polls: readonly number[];
  readonly rollouts: readonly number[];
}

/** Polls until everything must have settled. Returns when it restarted the workload, and what runs in the end. */
function simulate({ edits, settleSeconds, minimumIntervalSeconds, polls, rollouts }: Drawn) {
  const restarts: number[] = [];
  const versionHistory: HistoryEntry[] = [];
  let tracking: ConfigTracking = config;
  let busyUntil = 0;
  const last = edits.at(-1)?.at ?? 0;
  const end = last + settleSeconds + minimumIntervalSeconds + 4 * Math.max(...polls) + 4 * Math.max(...rollouts) + 10;
  let now = 0;
  for (let poll = 0; now < end; poll += 1) {
    now += polls[poll % polls.length] as number;
    if (now < busyUntil) continue;
    const content = edits.findLast((edit) => edit.at <= now)?.content ?? 1;
    const lastRestart = restarts.at(-1);
    const workload = configWorkload({
      config: tracking,
      policy: { settleSeconds, minimumIntervalSeconds },
      updateRecord: { versionHistory },
      restartedAt: lastRestart === undefined ? null : at(Math.floor(lastRestart)),
    });
    const decision = decideByConfig(workload, upToDate, observed(content), at(now));
    if (decision.kind !== "hold" && decision.kind !== "update") throw new Error(decision.kind);
    const { lastChange = tracking.lastChange, deployed = tracking.deployed } = decision.config ?? {};
    tracking = { ...tracking, deployed, ...(lastChange === undefined ? {} : { lastChange }) };
    if (decision.kind === "hold") continue;
    restarts.push(now);
    busyUntil = now + (rollouts[restarts.length % rollouts.length] as number);
    versionHistory.push({ version: "1", appliedAt: at(Math.floor(now)), status: "Healthy", kind: "config" });
    tracking = { ...tracking, deployed: { "configmap/app": configDigest(content) } };
  }
  return { restarts, running: tracking.deployed["configmap/app"] };
}

const gap = fc.oneof(
  fc.double({ min: 0.1, max: 20, noNaN: true }), // a burst
  fc.double({ min: 20, max: 600, noNaN: true }),
  fc.double({ min: 600, max: 20_000, noNaN: true }), // slow
);
const bursts = fc.array(gap, { maxLength: 40 });
const hot = fc.record({ period: fc.double({ min: 1, max: 400, noNaN: true }), times: fc.nat(60) });
const gaps = fc.oneof(
  bursts,
  hot.map(({ period, times }) => Array.from({ length: times }, () => period)),
);
const seconds = (max: number) => fc.oneof(fc.constant(0), fc.integer({ min: 1, max }));

function drawn(contentOf: (index: number) => fc.Arbitrary<number>): fc.Arbitrary<Drawn> {
  return fc.record({
    edits: gaps.chain((all) =>
      fc.tuple(...all.map((_, index) => contentOf(index))).map((contents) => {
        let time = 0;
        return contents.map((content, index) => ({ at: (time += all[index] as number), content }));
      }),
    ),
    settleSeconds: fc.oneof(fc.constant(30), seconds(600)),
    minimumIntervalSeconds: fc.oneof(fc.constant(300), seconds(3600)),
    polls: fc.array(fc.double({ min: 5, max: 400, noNaN: true }), { minLength: 1, maxLength: 5 }),
    rollouts: fc.array(fc.double({ min: 0, max: 900, noNaN: true }), { minLength: 1, maxLength: 3 }),
  });
}

test("no restart is within the settle time of an edit, or within the interval of another; what stays runs in the end", () => {
  const fresh = drawn((index) => fc.constant(index + 2));
  const totals = { restarts: 0, edits: 0 };
  fc.assert(
    fc.property(fresh, (one) => {
      const { restarts, running } = simulate(one);
      totals.restarts += restarts.length;
      totals.edits += one.edits.length;
      for (const [index, restart] of restarts.entries()) {
        const edit = one.edits.findLast((found) => found.at <= restart)?.at ?? -Infinity;
        expect(restart - edit).toBeGreaterThanOrEqual(one.settleSeconds);
        const before = restarts[index - 1] ?? -Infinity;
        expect(restart - before).toBeGreaterThanOrEqual(one.minimumIntervalSeconds);
      }
      expect(running).toBe(configDigest(one.edits.at(-1)?.content ?? 1));
    }),
    { numRuns: propertyRuns(6000) },
  );
  expect(totals.restarts).toBeGreaterThan(500);
  expect(totals.edits).toBeGreaterThan(2 * totals.restarts);
});

test("the same, but for the settle time, if edits bring back what was before", () => {
  fc.assert(
    fc.property(
      drawn(() => fc.integer({ min: 1, max: 3 })),
      (one) => {
        const { restarts, running } = simulate(one);
        for (const [index, restart] of restarts.entries())
          expect(restart - (restarts[index - 1] ?? -Infinity)).toBeGreaterThanOrEqual(one.minimumIntervalSeconds);
        expect(running).toBe(configDigest(one.edits.at(-1)?.content ?? 1));
      },
    ),
    { numRuns: propertyRuns(1500) },
  );
});
