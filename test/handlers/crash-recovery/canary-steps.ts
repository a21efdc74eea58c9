import fc from "fast-check";
import { parseCanarySteps } from "../../../functions/domain/workload/canary/steps.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import type { AtMoment } from "../../support/fake-cluster.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import { image, completeRollout, target, workload } from "../../support/workloads.ts";
import { bad, errorRate, good } from "../canary/canary-steps.ts";
import { runUntilComplete } from "../run-workload-update.ts";
import type { Scenario, ScenarioGroup } from "./scenario.ts";

/** Of issue 15, for 20 replicas. */
const written = [
  { size: "5%" },
  { analysis: errorRate, duration: "2m" },
  { size: "25%" },
  { pause: { withdrawAfter: "5m" } },
  { size: "50%", analysis: errorRate },
];
const parsed = parseCanarySteps(written);
if (parsed.kind === "invalid") throw new Error("invalid steps");
const canarySteps = parsed.value;
const policy = { canary: { unit: "percent", amount: 5 }, canarySteps, healthTimeoutSeconds: 60 } as const;
const rollout = { ...completeRollout, image, desiredReplicas: 20, updatedReplicas: 20, readyReplicas: 20 };

type Person = "promotes" | "forgets" | "aborts";

/** "pause": the analysis of the policy, which is measured in the pause too, fails there. */
type Failure = "none" | "pause" | "last step";

async function run(initial: Workload, person: Person, failure: Failure, atMoment: AtMoment) {
  const isPaused = () => ports.cluster.get().canaryProgress?.waitsFor === "Promotion";
  const ports = fakePorts({
    workloads: [failure === "pause" ? { ...initial, policy: { ...initial.policy, analysis: errorRate } } : initial],
    tags: { "shop/app": ["1.0.0", "1.1.0"] },
    measured: () => ((failure === "last step" && sizes.has(10)) || (failure === "pause" && isPaused()) ? bad : good),
    atMoment(moment) {
      atMoment(moment);
      if (moment !== "before read") return;
      const current = ports.cluster.get();
      const { canary, canaryProgress, request, lastRequest, updateRecord: record } = current;
      if (canary !== null) sizes.add(canary.desiredReplicas);
      if (canaryProgress?.waitsFor !== "Promotion" || request !== null || lastRequest !== null) return;
      // A person who forgets the first pause continues that of the second attempt.
      if (person === "forgets" && record.versionHistory.length === 0) return;
      const verb = person === "aborts" ? "abort" : "promote";
      ports.cluster.put({ ...current, request: { verb, argument: null, token: "t-1" } });
    },
  });
  const sizes = new Set<number>();
  await runUntilComplete(ports);
  const { image: runs, inFlight, canary, canaryProgress, lastRequest, updateRecord } = ports.cluster.get();
  const { rollbackCount, failedVersions, versionHistory } = updateRecord;
  const history = versionHistory.map(({ version, status }) => `${version} ${status}`);
  const paused = ports.cluster.events().filter(({ reason }) => reason === "AutoUpdateCanaryPaused").length;
  const answer = lastRequest?.result ?? null;
  const left = { inFlight, canary, canaryProgress };
  return { runs, ...left, sizes: [...sizes], answer, paused, rollbackCount, failedVersions, history };
}

const left = { inFlight: null, canary: null, canaryProgress: null, paused: 1 };
const ends = {
  promotes: {
    runs: target,
    ...left,
    sizes: [1, 5, 10],
    answer: "the canary continues after step 4/5 (25%)",
    rollbackCount: 0,
    failedVersions: [],
    history: ["1.1.0 Healthy"],
  },
  forgets: {
    runs: target,
    ...left,
    paused: 2,
    sizes: [1, 5, 10],
    answer: "the canary continues after step 4/5 (25%)",
    rollbackCount: 0,
    failedVersions: [],
    history: ["1.1.0 Withdrawn", "1.1.0 Healthy"],
  },
  aborts: {
    runs: image,
    ...left,
    sizes: [1, 5],
    answer: "the canary is removed",
    rollbackCount: 0,
    failedVersions: ["1.1.0"],
    history: ["1.1.0 RolledBack"],
  },
} as const;

const initialStates = {
  "a Deployment": workload({ policy, rollout }),
  "a StatefulSet": workload({ policy, rollout, ref: { ...workload().ref, kind: "StatefulSet" } }),
};

function scenariosOf(initial: Workload): readonly Scenario[] {
  const people = ["promotes", "forgets", "aborts"] as const;
  return [
    ...people.map((person) => ({
      name: `a canary with five steps whose pause a person ${person}`,
      run: (atMoment: AtMoment) => run(initial, person, "none", atMoment),
      expected: ends[person],
    })),
    {
      name: "a canary that fails its analysis in a pause",
      run: (atMoment) => run(initial, "forgets", "pause", atMoment),
      expected: { ...ends.aborts, answer: null, rollbackCount: 1 },
    },
    {
      name: "a canary whose last step fails its analysis",
      run: (atMoment) => run(initial, "promotes", "last step", atMoment),
      expected: {
        ...ends.promotes,
        runs: image,
        rollbackCount: 1,
        failedVersions: ["1.1.0"],
        history: ["1.1.0 RolledBack"],
      },
    },
  ];
}

export const steppedCanaries: readonly ScenarioGroup[] = Object.entries(initialStates).map(
  ([name, initial], index) => ({
    group: `canary steps of ${name}`,
    // The second kind differs only in its writes.
    scenarios: scenariosOf(initial).slice(0, index === 0 ? undefined : 1),
    anyScenario: fc.constantFrom(...scenariosOf(initial)),
    runs: 20,
  }),
);
