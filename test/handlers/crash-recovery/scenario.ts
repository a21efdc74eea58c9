import type fc from "fast-check";
import type { FaultInjector } from "./faults.ts";

/** An update or rollout that must end in the same state, regardless of what is killed or lost. */
export interface Scenario {
  readonly name: string;
  /** Runs it to the end and returns the state of the cluster. */
  readonly run: (atMoment: FaultInjector["atMoment"]) => Promise<unknown>;
  readonly expected: unknown;
}

export interface ScenarioGroup {
  readonly group: string;
  readonly scenarios: readonly Scenario[];
  /** Scenarios that also get random faults, `runs` times. */
  readonly anyScenario: fc.Arbitrary<Scenario>;
  readonly runs: number;
}
