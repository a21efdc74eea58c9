import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bakes } from "./bake.ts";
import { canaries } from "./canary.ts";
import { steppedCanaries } from "./canary-steps.ts";
import { fixesForward } from "./fix-forward.ts";
import { gitWrites } from "./git.ts";
import { hooked } from "./hook.ts";
import { createFaultInjector, type Fault, type Faults, randomFaults } from "./faults.ts";
import { nodePoolRollouts } from "./node-pool.ts";
import { configChanges } from "./config-change.ts";
import { releases } from "./release.ts";
import { restarts } from "./restart.ts";
import { rollingUpdates } from "./rolling-update.ts";
import { scans } from "./scan.ts";
import type { Scenario } from "./scenario.ts";
import { everyNth, propertyRuns, seed } from "../../support/property-runs.ts";

const faultKinds: readonly Fault[] = ["killed", "lost"];

async function runWith({ run }: Scenario, faults: Faults) {
  const { atMoment, moments } = createFaultInjector(faults);
  return { end: await run(atMoment), moments: moments() };
}

describe.for([
  ...rollingUpdates,
  ...fixesForward,
  ...canaries,
  ...steppedCanaries,
  ...bakes,
  ...hooked,
  ...gitWrites,
  ...restarts,
  ...releases,
  ...configChanges,
  scans,
  ...nodePoolRollouts,
])("$group", (group) => {
  const { scenarios, anyScenario, runs } = group;

  test.for(scenarios)("$name: without a fault", async (scenario) => {
    expect((await runWith(scenario, new Map())).end).toEqual(scenario.expected);
  });

  const cases = scenarios.flatMap((scenario) => faultKinds.map((fault) => ({ ...scenario, fault })));
  test.for(cases)("$name: $fault once, at any of its moments, it ends the same", async ({ fault, ...scenario }) => {
    const { moments } = await runWith(scenario, new Map());
    const tested = everyNth(
      3,
      [...Array(moments).keys()].map((index) => index + 1),
    );
    expect(tested.length).toBeGreaterThan(0);
    for (const moment of tested) {
      const { end } = await runWith(scenario, new Map([[moment, fault]]));
      expect(end, `${fault} at moment ${moment}, PAWL_TEST_SEED=${seed}`).toEqual(scenario.expected);
    }
  });

  test("with random faults, any scenario ends the same", async () => {
    const property = fc.asyncProperty(anyScenario, randomFaults, async (scenario, random) => {
      expect((await runWith(scenario, random)).end).toEqual(scenario.expected);
    });
    await fc.assert(property, { numRuns: propertyRuns(runs) });
  });
});
