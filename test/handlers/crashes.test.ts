import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { HistoryStatus, Workload } from "../../functions/domain/workload.ts";
import { type FakePorts, fakePorts } from "../support/fake-ports.ts";
import { claw, settled, workload } from "../support/workloads.ts";
import { anyFaults, type Faults, interruptions } from "./interruptions.ts";
import { runToTheEnd } from "./machine-by-hand.ts";

const repository = "registry.example/shop/app";
const versions = ["1.3.0", "1.2.0", "1.1.0"];

interface World {
  readonly seen: Workload;
  readonly broken: readonly string[];
  readonly maxRollbacks: number;
}

/** What the rules say must be so in the end: versions are tried from the highest down until one is healthy. */
function expectedEnd({ broken, maxRollbacks }: World) {
  const firstHealthy = versions.findIndex((version) => !broken.includes(version));
  const failed = firstHealthy === -1 ? versions : versions.slice(0, firstHealthy);
  const tried = failed.slice(0, maxRollbacks);
  const isOpen = tried.length === maxRollbacks;
  const healthy = isOpen ? undefined : versions[tried.length];
  const history: [string, HistoryStatus][] = tried.map((version) => [version, "RolledBack"]);
  return {
    runs: `${repository}:${healthy ?? "1.0.0"}`,
    inFlight: null,
    currentVersion: healthy ?? "1.0.0",
    rollbackCount: healthy === undefined ? tried.length : 0,
    circuitOpen: isOpen,
    failedVersions: tried,
    history: healthy === undefined ? history : [...history, [healthy, "Healthy"]],
  };
}

function endOf(ports: FakePorts, { seen }: World) {
  const { rollout: pods, inFlight, bookkeeping } = ports.cluster.get(seen.ref.uid);
  const { currentVersion, rollbackCount, circuitOpen, failedVersions, versionHistory } = bookkeeping;
  const history = versionHistory.map(({ version, status }) => [version, status]);
  return { runs: pods?.image, inFlight, currentVersion, rollbackCount, circuitOpen, failedVersions, history };
}

const rollout = { ...settled, image: `${repository}:1.0.0` };
const policy = { healthTimeoutSeconds: 60, schedule: null };
const workloads = {
  "a Deployment": workload({ policy }),
  "a Claw with a target": claw({ policy, source: repository, image: `${repository}:1.0.0`, rollout }),
  "a Claw at its default": claw({ policy, source: repository, image: null, rollout }),
};

async function endAfter(world: World, faults: Faults) {
  const { seen, maxRollbacks } = world;
  const ports = fakePorts({
    workloads: [{ ...seen, policy: { ...seen.policy, maxRollbacks } }],
    tags: { "shop/app": ["1.0.0", ...versions] },
    broken: new Set(world.broken.map((version) => `${repository}:${version}`)),
    atMoment: interruptions(faults),
  });
  await runToTheEnd(ports);
  return endOf(ports, world);
}

describe.for(Object.entries(workloads))("%s", ([, seen]) => {
  test("interrupted anywhere it comes to the same end, with every failed attempt counted once", async () => {
    const property = fc.asyncProperty(fc.subarray(versions), fc.integer({ min: 1, max: 3 }), anyFaults, check);
    async function check(broken: string[], maxRollbacks: number, faults: Faults) {
      const world = { seen, broken, maxRollbacks };
      expect(await endAfter(world, faults)).toEqual(expectedEnd(world));
    }
    await fc.assert(property, { numRuns: 150 });
  });

  test("interrupted once, at each of the first moments, it comes to the same end", async () => {
    const world = { seen, broken: ["1.3.0"], maxRollbacks: 3 };
    for (const fault of ["killed", "lost"] as const) {
      for (let moment = 1; moment <= 150; moment += 1) {
        const faults = new Map([[moment, fault]]);
        expect(await endAfter(world, faults), `${fault} at moment ${moment}`).toEqual(expectedEnd(world));
      }
    }
  });
});
