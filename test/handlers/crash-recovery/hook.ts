import fc from "fast-check";
import type { Hook, HookJob } from "../../../functions/domain/workload/hook/hook.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import type { AtMoment } from "../../support/fake-cluster.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import { completeRollout, image, noon, target, workload } from "../../support/workloads.ts";
import { runUntilComplete } from "../run-workload-update.ts";
import type { Scenario, ScenarioGroup } from "./scenario.ts";

const common = { timeoutSeconds: 60, usesNewImage: false, showsLog: true, runOn: ["update", "digest"] } as const;
const hooks = {
  pre: { ...common, job: "migrate", rollsBack: false },
  post: { ...common, job: "smoke-test", rollsBack: true },
} as const satisfies Record<string, Hook>;
const failed: HookJob = { kind: "failed", reason: "BackoffLimitExceeded", log: ["no such table"] };
const never: HookJob = {
  kind: "running",
  uid: "u-6",
  createdAt: noon,
  progress: { kind: "waiting", reason: "", log: [] },
};
const rollout = { ...completeRollout, image };
const canary = { unit: "percent", amount: 25 } as const;

async function run(initial: Workload, jobs: Readonly<Record<string, HookJob>>, atMoment: AtMoment) {
  const ports = fakePorts({ workloads: [initial], tags: { "shop/app": ["1.0.0", "1.1.0"] }, hooks: jobs, atMoment });
  await runUntilComplete(ports);
  const { image: desired, inFlight, canary: left, updateRecord } = ports.cluster.get();
  const { rollbackCount, failedVersions, versionHistory, circuitOpen } = updateRecord;
  const results = versionHistory.map(({ version, status }) => `${version} ${status}`);
  const created = ports.cluster.hookJobs.map(({ template }) => template);
  return { desired, inFlight, left, rollbackCount, failedVersions, circuitOpen, results, created };
}

/** Each Job is created once for one attempt, also if a process is killed or a response is lost. */
const success = {
  desired: target,
  inFlight: null,
  left: null,
  rollbackCount: 0,
  failedVersions: [],
  circuitOpen: false,
  results: ["1.1.0 Healthy"],
  created: ["migrate", "smoke-test"],
};
const failure = { ...success, desired: image, rollbackCount: 1, failedVersions: ["1.1.0"] };

interface Case {
  readonly name: string;
  readonly jobs: Readonly<Record<string, HookJob>>;
  readonly policy?: Partial<Workload["policy"]>;
  readonly expected: object;
}

const cases: readonly Case[] = [
  { name: "both hooks succeed", jobs: {}, expected: success },
  {
    name: "both hooks of an update with a bake time succeed",
    jobs: {},
    policy: { bake: { seconds: 120 } },
    expected: success,
  },
  { name: "both hooks of a canary succeed", jobs: {}, policy: { canary }, expected: success },
  {
    name: "the pre hook fails",
    jobs: { migrate: failed },
    expected: { ...failure, results: ["1.1.0 HookFailed"], created: ["migrate"] },
  },
  {
    name: "the pre hook of a canary fails, and opens the circuit",
    jobs: { migrate: failed },
    policy: { canary, maxRollbacks: 1 },
    expected: { ...failure, circuitOpen: true, results: ["1.1.0 HookFailed"], created: ["migrate"] },
  },
  {
    name: "the post hook fails",
    jobs: { "smoke-test": failed },
    expected: { ...failure, results: ["1.1.0 RolledBack"] },
  },
  { name: "the post hook does not end", jobs: { "smoke-test": never }, expected: success },
];

const scenarios = cases.map(({ name, jobs, policy = {}, expected }): Scenario => {
  const initial = workload({ policy: { hooks, ...policy }, rollout });
  return { name, run: (atMoment) => run(initial, jobs, atMoment), expected };
});

export const hooked: readonly ScenarioGroup[] = [
  { group: "hooks", scenarios, anyScenario: fc.constantFrom(...scenarios), runs: 50 },
];
