import fc from "fast-check";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import type { AtMoment } from "../../support/fake-cluster.ts";
import { withoutRecord } from "../../support/fakes/fake-writes.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import { canaryWorkload, image, completeRollout, target, workload } from "../../support/workloads.ts";
import { bad, errorRate, good } from "../canary/canary-steps.ts";
import { runUntilComplete } from "../run-workload-update.ts";
import type { Scenario, ScenarioGroup } from "./scenario.ts";

const outcomes = [
  "is promoted",
  "is promoted on request",
  "never becomes ready",
  "fails its analysis",
  "is aborted on request",
] as const;
type Outcome = (typeof outcomes)[number];

const policy = { canary: { unit: "percent", amount: 25 }, analysis: errorRate, healthTimeoutSeconds: 60 } as const;
const rollout = { ...completeRollout, image };
const tags = { "shop/app": ["1.0.0", "1.1.0"] };

async function run(initial: Workload, outcome: Outcome, atMoment: AtMoment) {
  const ports = fakePorts({
    workloads: [initial],
    tags,
    broken: new Set(outcome === "never becomes ready" ? [target] : []),
    measured: () => {
      if (outcome === "is aborted on request") ask("abort", null);
      if (outcome === "is promoted on request") ask("promote", "full");
      return outcome === "fails its analysis" ? bad : good;
    },
    atMoment,
  });
  const ask = (verb: string, argument: string | null) => {
    const current = ports.cluster.get();
    if (current.lastRequest === null) ports.cluster.put({ ...current, request: { verb, argument, token: "t-1" } });
  };
  await runUntilComplete(ports);
  const { image: desired, rollout: pods, inFlight, canary, verdict, lastRequest, updateRecord } = ports.cluster.get();
  const { rollbackCount, failedVersions, versionHistory } = updateRecord;
  const history = versionHistory.map(({ version, status }) => `${version} ${status}`);
  const answer = lastRequest?.result ?? null;
  return { desired, runs: pods?.image, inFlight, canary, verdict, answer, rollbackCount, failedVersions, history };
}

/** Returns the required state: promoted or rolled back, no canary left, counted once. */
function expectedEnd(outcome: Outcome) {
  const isPromoted = outcome === "is promoted" || outcome === "is promoted on request";
  const isAborted = outcome === "is aborted on request";
  const runs = isPromoted ? target : image;
  return {
    desired: runs,
    runs,
    inFlight: null,
    canary: null,
    verdict: null,
    answer: isAborted
      ? "the canary is removed"
      : outcome === "is promoted on request"
        ? "the canary is promoted"
        : null,
    rollbackCount: isPromoted || isAborted ? 0 : 1,
    failedVersions: isPromoted ? [] : ["1.1.0"],
    history: [isPromoted ? "1.1.0 Healthy" : "1.1.0 RolledBack"],
  };
}

function scenario(initial: Workload, outcome: Outcome): Scenario {
  return {
    name: `a canary that ${outcome}`,
    run: (atMoment) => run(initial, outcome, atMoment),
    expected: expectedEnd(outcome),
  };
}

const hotfix = "registry.example/shop/app:hotfix";

async function runEnded(initial: Workload, atMoment: AtMoment) {
  const ports = fakePorts({ workloads: [initial], tags: { "shop/app": ["1.0.0"] }, atMoment });
  await runUntilComplete(ports);
  const { image: desired, canary, inFlight, updateRecord } = ports.cluster.get();
  const { rollbackCount, failedVersions, versionHistory } = updateRecord;
  return { desired, canary, inFlight, rollbackCount, failedVersions, versionHistory };
}

function ended(name: string, initial: Workload): Scenario {
  const blamed = { rollbackCount: 0, failedVersions: [], versionHistory: [] };
  const expected = { desired: initial.image, canary: null, inFlight: null, ...blamed };
  return { name, run: (atMoment) => runEnded(initial, atMoment), expected };
}

const endedCanaries = [
  ended("a canary whose workload a person changed is removed", canaryWorkload({ policy, image: hotfix })),
  ended("a canary whose AutoUpdate was deleted is removed", withoutRecord(canaryWorkload({ policy }))),
];

async function runStopped(atMoment: AtMoment) {
  const ports = fakePorts({
    workloads: [canaryWorkload({ policy })],
    tags,
    measured: () => good,
    atMoment,
  });
  ports.executions.abort("e-1");
  await runUntilComplete(ports);
  const { image: desired, canary, inFlight, updateRecord } = ports.cluster.get();
  const { rollbackCount, failedVersions } = updateRecord;
  return { desired, canary, inFlight, rollbackCount, failedVersions };
}

const stopped: Scenario = {
  name: "a canary whose execution is stopped is reverted",
  run: runStopped,
  expected: { desired: image, canary: null, inFlight: null, rollbackCount: 0, failedVersions: ["1.1.0"] },
};

const initialStates = {
  "a Deployment": workload({ policy, rollout }),
  "a StatefulSet": workload({ policy, rollout, ref: { ...workload().ref, kind: "StatefulSet" } }),
};

export const canaries: readonly ScenarioGroup[] = [
  ...Object.entries(initialStates).map(([name, initial]) => ({
    group: `canary of ${name}`,
    scenarios: outcomes.map((outcome) => scenario(initial, outcome)),
    anyScenario: fc.constantFrom(...outcomes).map((outcome) => scenario(initial, outcome)),
    runs: 150,
  })),
  { group: "ended canary", scenarios: endedCanaries, anyScenario: fc.constantFrom(...endedCanaries), runs: 50 },
  { group: "stopped canary", scenarios: [stopped], anyScenario: fc.constant(stopped), runs: 20 },
];
