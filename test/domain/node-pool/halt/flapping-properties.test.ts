import fc from "fast-check";
import { expect, test } from "vitest";
import { secondsBetween } from "../../../../functions/domain/text/rfc3339.ts";
import { propertyRuns } from "../../../support/property-runs.ts";
import { digestA, digestB, imageA, pool } from "../pools.ts";
import { type Behaviour, degradedReason, runHours } from "../simulation/flapping.ts";
import { createWorld, type World } from "../simulation/world.ts";

const arbitraryNodes = fc.integer({ min: 1, max: 3 }).map((amount) => ({ unit: "nodes" as const, amount }));
const arbitrarySpec = fc.record({
  maxUnavailable: arbitraryNodes,
  haltThreshold: arbitraryNodes,
  rebootTimeoutSeconds: fc.constantFrom(null, 300, 900, 1800),
  minReadySeconds: fc.constantFrom(0, 10, 60, 300),
  onHalt: fc.constantFrom("Hold" as const, "Rollback" as const),
});
type Spec = typeof arbitrarySpec extends fc.Arbitrary<infer T> ? T : never;

/** As many short times as long ones. */
function arbitrarySeconds(min: number, max: number): fc.Arbitrary<number> {
  const exponent = fc.double({ min: Math.log(min), max: Math.log(max), noNaN: true });
  return exponent.map((value) => Math.round(Math.exp(value)));
}

const share = fc.double({ min: 0, max: 1, noNaN: true });
const arbitraryShares = fc.array(fc.tuple(share, share), { minLength: 4, maxLength: 4 });
const arbitraryFlaps = fc.record({ ready: arbitrarySeconds(10, 3600), notReady: arbitrarySeconds(10, 3600) });
const arbitraryCount = fc.integer({ min: 1, max: 4 });

/** Machines that are slow, and Ready within their reboot timeout and within `minReadySeconds` of their agents' reports. */
function slowMachines(shares: readonly (readonly [number, number])[], spec: Spec): readonly Behaviour[] {
  // An agent takes two rounds to start its reboot.
  const limit = (spec.rebootTimeoutSeconds ?? 900) - 60;
  return shares.map(([first, second]) => {
    const boot = Math.round(20 + first * (limit - 20));
    return {
      boot,
      lag: Math.floor(second * Math.min(limit - boot, Math.max(0, spec.minReadySeconds - 1))),
      flaps: null,
    };
  });
}

function createPool(count: number, spec: Spec): World {
  return createWorld(count, digestA, pool(spec, { status: { rollbackImage: imageA } }));
}

test("a slow node never halts its pool, and its image is not blamed", { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(arbitraryCount, arbitrarySpec, arbitraryShares, (count, spec, shares) => {
      const world = createPool(count, spec);
      const { halted } = runHours(world, 6, slowMachines(shares, spec));
      expect([halted, world.pool.status.failedDigests, degradedReason(world)]).toEqual([0, [], "Healthy"]);
      expect(world.machines.map(({ booted }) => booted)).toEqual(world.machines.map(() => digestB));
    }),
    { numRuns: propertyRuns(420) },
  );
});

/** Reports whether the first node should have released its slot, and is not Ready for so long that it only waits for Pawl. */
function isOverdue({ machines, now }: World, { rebootTimeoutSeconds, minReadySeconds }: Spec): boolean {
  const { node, bootcNode } = machines[0] ?? {};
  const slot = bootcNode?.slot;
  const since = rebootTimeoutSeconds === null ? slot?.bootedAt : slot?.approvedAt;
  if (!since || bootcNode?.bootedDigest !== digestB) return false;
  if (node?.ready && node.readyChangedAt && secondsBetween(node.readyChangedAt, now) >= minReadySeconds) return false;
  return secondsBetween(since, now) > (rebootTimeoutSeconds ?? 900) + 3 * minReadySeconds;
}

test("a node that flaps for a day is reported, and halts its pool once for each image", { timeout: 180_000 }, () => {
  fc.assert(
    fc.property(arbitraryCount, arbitrarySpec, arbitraryShares, arbitraryFlaps, (count, spec, shares, flaps) => {
      const world = createPool(count, spec);
      const [first, ...others] = slowMachines(shares, spec);
      const machines = [{ boot: 60, ...first, lag: 0, flaps }, ...others];
      let missed = 0;
      const { halted, recovered, executions } = runHours(world, 24, machines, () => {
        if (isOverdue(world, spec) && degradedReason(world) === "Healthy") missed += 1;
      });
      const isNeverReadyForLong = flaps.ready < spec.minReadySeconds;
      expect([missed, isNeverReadyForLong && degradedReason(world) === "Healthy"]).toEqual([0, false]);
      expect(halted).toBeLessThanOrEqual(2);
      // Once for the halt, and once for each node that takes its turn when the one that flaps is Ready.
      expect(recovered).toBeLessThanOrEqual(1 + count);
      expect(executions).toBeLessThanOrEqual(8);
    }),
    { numRuns: propertyRuns(420) },
  );
});
