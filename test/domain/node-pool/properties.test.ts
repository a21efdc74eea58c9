import fc from "fast-check";
import { expect, test } from "vitest";
import { workOf } from "../../../functions/domain/node-pool/settled.ts";
import { slotsOf } from "../../../functions/domain/node-pool/slots.ts";
import { parseWindow } from "../../../functions/domain/node-pool/windows.ts";
import { digestA, digestB, pool } from "./pools.ts";
import { anyHappening, happen, heal, type Happening } from "./simulation/happenings.ts";
import { round, runUntilStill } from "./simulation/rollout.ts";
import { cordonedByPawl, heldSlots } from "./simulation/watch.ts";
import { lookAt, type World, worldOf } from "./simulation/world.ts";

/** Seldom enough for a rollout to get far between two of them. */
const seldom = fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: anyHappening });
/** What happens in one round: before it, and in the middle of it, where Pawl may be killed too. */
const anyRound = fc.record({
  before: seldom,
  meanwhile: seldom,
  afterSteps: fc.nat(6),
  isKilled: fc.nat(3).map((chance) => chance === 0),
});
const anyRounds = fc.array(anyRound, { minLength: 5, maxLength: 60, size: "max" });
const window = parseWindow({ schedule: "*/30 * * * *", durationSeconds: 900 });
const everyHalfHour = window.kind === "window" ? window : expect.unreachable(window.reason);
const anyPool = fc.record({
  maxUnavailable: fc.oneof(
    fc.record({ unit: fc.constant("nodes" as const), amount: fc.nat(4) }),
    fc.record({ unit: fc.constant("percent" as const), amount: fc.nat(100) }),
  ),
  preStageWhilePaused: fc.boolean(),
  windows: fc.constantFrom([], [everyHalfHour]),
  drainTimeoutSeconds: fc.option(fc.constant(300)),
  rebootTimeoutSeconds: fc.option(fc.constant(600)),
});

type Round = typeof anyRound extends fc.Arbitrary<infer T> ? T : never;

/** Runs the rounds; every step is watched, and after each round the slots are counted. */
function run(world: World, rounds: readonly Round[]): void {
  let most = 0;
  for (const { before, meanwhile, afterSteps, isKilled } of rounds) {
    if (before !== null) happen(world, before);
    const { members, joining } = lookAt(world).membership;
    // What was lowered frees none early, and takes none.
    most = Math.max(slotsOf(world.pool.spec, members.length + joining.length), Math.min(most, heldSlots(world)));
    const meanwhileIt = (happening: Happening | null) => () => happening !== null && happen(world, happening);
    round(world, { afterSteps, isKilled, meanwhile: meanwhileIt(meanwhile) });
    expect(cordonedByPawl(world).length).toBeLessThanOrEqual(most);
  }
}

function wasForgotten(rounds: readonly Round[]): boolean {
  return rounds.some(({ before, meanwhile }) => [before, meanwhile].some((one) => one?.kind === "forgotten"));
}

const nodes = fc.integer({ min: 1, max: 6 });

test("whatever happens, no step breaks a promise, and once all is healed the pool settles", { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(nodes, anyPool, anyRounds, (count, spec, rounds) => {
      const world = worldOf(count, digestA, pool(spec));
      run(world, rounds);
      heal(world);
      // What was held is looked at again by every poll.
      for (let polls = 0; polls < 5; polls += 1) round(world);
      const { tick } = runUntilStill(world, 400);
      expect(workOf(tick)).toEqual({ kind: "settled" });
      expect(tick.membership.members.map(({ bootcNode }) => bootcNode.bootedDigest)).toEqual(
        tick.membership.members.map(() => digestB),
      );
      expect(heldSlots(world)).toBe(0);
      expect(cordonedByPawl(world)).toEqual([]);
      const strayed = world.machines.filter(
        ({ node, cordonedBy }) => node?.unschedulable !== (cordonedBy === "person"),
      );
      expect(strayed.filter(({ node }) => node !== null)).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

test("a pool that is deleted in the middle of whatever happens leaves nothing behind", { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(nodes, anyPool, anyRounds, (count, spec, rounds) => {
      const world = worldOf(count, digestA, pool(spec));
      run(world, rounds);
      world.pool = { ...world.pool, isBeingDeleted: true };
      expect(workOf(runUntilStill(world).tick)).toEqual({ kind: "settled" });
      for (const { node, bootcNode, cordonedBy } of world.machines) {
        expect(bootcNode).toBeNull();
        // Whose label it is was forgotten with the BootcNode, where somebody deleted that.
        expect(wasForgotten(rounds) ? undefined : node?.labels["bootc.dev/managed"]).toBeUndefined();
        expect(node?.unschedulable ?? false).toBe(node !== null && cordonedBy === "person");
      }
    }),
    { numRuns: 120 },
  );
});
