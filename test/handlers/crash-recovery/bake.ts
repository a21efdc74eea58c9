import fc from "fast-check";
import { Unreachable } from "../../../functions/ports/errors.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import type { AtMoment } from "../../support/fake-cluster.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import { completeRollout, image, target, workload } from "../../support/workloads.ts";
import { bad, errorRate, good } from "../canary/canary-steps.ts";
import { runUntilComplete } from "../run-workload-update.ts";
import type { Scenario, ScenarioGroup } from "./scenario.ts";

const outcomes = ["passes", "fails", "fails late", "cannot be judged"] as const;
type Outcome = (typeof outcomes)[number];

const rollout = { ...completeRollout, image };
const policy = { analysis: errorRate, bake: { seconds: 120 }, healthTimeoutSeconds: 60 } as const;
const canary = { unit: "percent", amount: 25 } as const;

async function run(initial: Workload, outcome: Outcome, atMoment: AtMoment) {
  const ports = fakePorts({
    workloads: [initial],
    tags: { "shop/app": ["1.0.0", "1.1.0"] },
    measured() {
      const { inFlight } = ports.cluster.get();
      // The canary of a workload that has one passes.
      if (inFlight?.phase !== "rollout" || outcome === "passes") return good;
      if (outcome === "cannot be judged") return new Unreachable("no answer");
      const { observation } = inFlight;
      const minutes =
        observation?.kind === "baking" ? (ports.now().getTime() - observation.since.getTime()) / 60_000 : 0;
      return outcome === "fails" || minutes >= 1 ? bad : good;
    },
    atMoment,
  });
  await runUntilComplete(ports);
  const { image: desired, rollout: pods, inFlight, canary: left, updateRecord } = ports.cluster.get();
  const { rollbackCount, failedVersions, currentVersion, versionHistory } = updateRecord;
  const history = versionHistory.map(({ version, status, reason }) => `${version} ${status} ${reason !== undefined}`);
  return { desired, runs: pods?.image, inFlight, left, rollbackCount, failedVersions, currentVersion, history };
}

/** Returns the required state: a failing metric alone rolls back, and is counted once. */
function expectedEnd(outcome: Outcome) {
  const hasFailed = outcome === "fails" || outcome === "fails late";
  const runs = hasFailed ? image : target;
  return {
    desired: runs,
    runs,
    inFlight: null,
    left: null,
    rollbackCount: hasFailed ? 1 : 0,
    failedVersions: hasFailed ? ["1.1.0"] : [],
    currentVersion: hasFailed ? "1.0.0" : "1.1.0",
    history: [hasFailed ? "1.1.0 RolledBack true" : `1.1.0 Healthy ${outcome === "cannot be judged"}`],
  };
}

function scenario(initial: Workload, outcome: Outcome): Scenario {
  const name = `an update that ${outcome} in its bake time`;
  return { name, run: (atMoment) => run(initial, outcome, atMoment), expected: expectedEnd(outcome) };
}

const afterRollout = outcomes.map((outcome) => scenario(workload({ policy, rollout }), outcome));
const afterCanary = scenario(workload({ policy: { ...policy, canary }, rollout }), "fails late");

export const bakes: readonly ScenarioGroup[] = [
  { group: "bake time", scenarios: afterRollout, anyScenario: fc.constantFrom(...afterRollout), runs: 50 },
  { group: "bake time after a canary", scenarios: [afterCanary], anyScenario: fc.constant(afterCanary), runs: 20 },
];
