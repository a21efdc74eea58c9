import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bakes } from "./crash-recovery/bake.ts";
import { canaries } from "./crash-recovery/canary.ts";
import { steppedCanaries } from "./crash-recovery/canary-steps.ts";
import { hooked } from "./crash-recovery/hook.ts";
import { createFaultInjector, type Fault, type Faults, randomFaults } from "./crash-recovery/faults.ts";
import { nodePoolRollouts } from "./crash-recovery/node-pool.ts";
import { configChanges } from "./crash-recovery/config-change.ts";
import { releases } from "./crash-recovery/release.ts";
import { restarts } from "./crash-recovery/restart.ts";
import { rollingUpdates } from "./crash-recovery/rolling-update.ts";
import type { Scenario } from "./crash-recovery/scenario.ts";
import { propertyRuns } from "../support/property-runs.ts";

const faultKinds: readonly Fault[] = ["killed", "lost"];

async function runWith({ run }: Scenario, faults: Faults) {
  const { atMoment, moments } = createFaultInjector(faults);
  return { end: await run(atMoment), moments: moments() };
}

describe.for([
  ...rollingUpdates,
  ...canaries,
  ...steppedCanaries,
  ...bakes,
  ...hooked,
  ...restarts,
  ...releases,
  ...configChanges,
  ...nodePoolRollouts,
])("$group", (group) => {
  const { scenarios, anyScenario, runs } = group;

  test.for(scenarios)("$name: without a fault", async (scenario) => {
    expect((await runWith(scenario, new Map())).end).toEqual(scenario.expected);
  });

  const cases = scenarios.flatMap((scenario) => faultKinds.map((fault) => ({ ...scenario, fault })));
  test.for(cases)("$name: $fault once, at each of its moments, it ends the same", async ({ fault, ...scenario }) => {
    const { moments } = await runWith(scenario, new Map());
    expect(moments).toBeGreaterThan(0);
    for (let moment = 1; moment <= moments; moment += 1) {
      const { end } = await runWith(scenario, new Map([[moment, fault]]));
      expect(end, `${fault} at moment ${moment}`).toEqual(scenario.expected);
    }
  });

  test("with random faults, any scenario ends the same", async () => {
    const property = fc.asyncProperty(anyScenario, randomFaults, async (scenario, random) => {
      expect((await runWith(scenario, random)).end).toEqual(scenario.expected);
    });
    await fc.assert(property, { numRuns: propertyRuns(runs) });
  });
});
