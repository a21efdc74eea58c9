import type { CanaryStepRow } from "../../detail-model.ts";

interface Lane {
  readonly name: string;
  /** In the order of an update. */
  readonly states: readonly string[];
}

const canary: Lane = { name: "Canary", states: ["StartCanary", "CheckCanary", "AnalyzeCanary"] };
const rollout: Lane = { name: "Rollout", states: ["ApplyUpdate", "CheckReadiness", "AnalyzeRollout", "RecordSuccess"] };
const failure: Lane = { name: "If it fails", states: ["RollBack", "CheckRollback", "OpenCircuit"] };
/** States that stand in for one of a lane. */
const standIns: Readonly<Record<string, string>> = {
  RestoreRelease: "ApplyUpdate",
  Parked: "CheckReadiness",
  ParkedCanary: "AnalyzeCanary",
};

/** Returns the states of `workload-update` that take time, with the active one, by what they do. */
export function statesOf(active: string | null): readonly Lane[] {
  const lanes = [canary, rollout, failure].map(({ name, states }) => ({
    name,
    states: states.map((state) => (active !== null && standIns[active] === state ? active : state)),
  }));
  return active === "CheckHook" ? [{ name: "Hook", states: [active] }, ...lanes] : lanes;
}

/** Returns the states that the execution has passed, as far as the cluster shows it: not by which way a rollback began. */
export function passedStates(active: string | null, steps: readonly CanaryStepRow[]): ReadonlySet<string> {
  const lane = statesOf(active).find(({ states }) => active !== null && states.includes(active));
  if (lane === undefined || active === null) return new Set();
  const before = lane.states.slice(0, lane.states.indexOf(active));
  const isPromoted = lane.name === rollout.name && steps.length > 0 && steps.every(({ state }) => state === "done");
  return new Set([...(isPromoted ? canary.states : []), ...before]);
}
