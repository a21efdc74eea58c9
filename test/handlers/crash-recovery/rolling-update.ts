import type { AtMoment } from "../../support/fake-cluster.ts";
import fc from "fast-check";
import type { HistoryStatus, Workload } from "../../../functions/domain/workload/workload.ts";
import { type FakePorts, fakePorts } from "../../support/fake-ports.ts";
import { claw, completeRollout, workload } from "../../support/workloads.ts";
import { runUntilComplete } from "../run-workload-update.ts";
import type { Scenario, ScenarioGroup } from "./scenario.ts";

const repository = "registry.example/shop/app";
const versions = ["1.3.0", "1.2.0", "1.1.0"];

interface Options {
  readonly initial: Workload;
  readonly broken: readonly string[];
  readonly maxRollbacks: number;
}

/**
 * Returns the state that the rules require: versions are tried from the highest down until one is healthy, or only the highest.
 */
function expectedEnd({ initial, broken, maxRollbacks }: Options) {
  const firstHealthy = versions.findIndex((version) => !broken.includes(version));
  const failed = firstHealthy === -1 ? versions : versions.slice(0, firstHealthy);
  const holds = initial.policy.onFailure === "hold";
  const tried = failed.slice(0, holds ? 1 : maxRollbacks);
  const isOpen = tried.length === maxRollbacks;
  const healthy = isOpen || (holds && tried.length > 0) ? undefined : versions[tried.length];
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

function endOf(ports: FakePorts, { initial }: Options) {
  const { rollout: pods, inFlight, updateRecord } = ports.cluster.get(initial.ref.uid);
  const { currentVersion, rollbackCount, circuitOpen, failedVersions, versionHistory } = updateRecord;
  const history = versionHistory.map(({ version, status }) => [version, status]);
  return { runs: pods?.image, inFlight, currentVersion, rollbackCount, circuitOpen, failedVersions, history };
}

async function run(options: Options, atMoment: AtMoment) {
  const { initial, broken, maxRollbacks } = options;
  const ports = fakePorts({
    workloads: [{ ...initial, policy: { ...initial.policy, maxRollbacks } }],
    tags: { "shop/app": ["1.0.0", ...versions] },
    broken: new Set(broken.map((version) => `${repository}:${version}`)),
    atMoment,
  });
  await runUntilComplete(ports);
  return endOf(ports, options);
}

function scenario(name: string, options: Options): Scenario {
  return { name, run: (atMoment) => run(options, atMoment), expected: expectedEnd(options) };
}

const rollout = { ...completeRollout, image: `${repository}:1.0.0` };
const policy = { healthTimeoutSeconds: 60, schedule: null };
const initialStates = {
  "a Deployment": workload({ policy }),
  "a Deployment that tries older versions": workload({ policy: { ...policy, onFailure: "tryOlder" } }),
  "a Claw with a target image": claw({ policy, source: repository, image: `${repository}:1.0.0`, rollout }),
  "a Claw with its default image": claw({ policy, source: repository, image: null, rollout }),
};

const pushTo = workload({
  policy,
  image: `${repository}:1.2.0`,
  source: `${repository}:1.2.0`,
  rollout: { ...completeRollout, image: `${repository}:1.2.0` },
  updateRecord: { currentVersion: "1.2.0", circuitOpen: true, rollbackCount: 3, failedVersions: ["1.3.0"] },
  request: { verb: "push", argument: "1.1.0", token: "t-1" },
});

async function runPush(broken: readonly string[], atMoment: AtMoment) {
  const ports = fakePorts({
    workloads: [pushTo],
    tags: { "shop/app": ["1.0.0", ...versions] },
    broken: new Set(broken.map((version) => `${repository}:${version}`)),
    atMoment,
  });
  await runUntilComplete(ports);
  const { request, lastRequest } = ports.cluster.get();
  const answer = lastRequest?.result.replace(/ shop-app.*/, "");
  return { ...endOf(ports, { initial: pushTo, broken, maxRollbacks: 3 }), request, answer };
}

/** A push over an open circuit is applied once, and its failure is counted. */
function push(isBroken: boolean): Scenario {
  const runs = isBroken ? "1.2.0" : "1.1.0";
  return {
    name: isBroken ? "of an older version that is broken" : "of an older version that is healthy",
    run: (atMoment) => runPush(isBroken ? ["1.1.0"] : [], atMoment),
    expected: {
      runs: `${repository}:${runs}`,
      inFlight: null,
      currentVersion: runs,
      rollbackCount: isBroken ? 4 : 0,
      circuitOpen: isBroken,
      failedVersions: isBroken ? ["1.3.0", "1.1.0"] : ["1.3.0"],
      history: [["1.1.0", isBroken ? "RolledBack" : "Healthy"]],
      request: null,
      answer: "update to 1.1.0 is requested: execution",
    },
  };
}

const pushes: ScenarioGroup = {
  group: "push over an open circuit",
  scenarios: [push(false), push(true)],
  anyScenario: fc.boolean().map(push),
  runs: 50,
};

const updates: readonly ScenarioGroup[] = Object.entries(initialStates).map(([name, initial]) => ({
  group: `rolling update of ${name}`,
  scenarios: [scenario("the highest version is broken", { initial, broken: ["1.3.0"], maxRollbacks: 3 })],
  anyScenario: fc
    .record({ broken: fc.subarray(versions), maxRollbacks: fc.integer({ min: 1, max: 3 }) })
    .map((options) => scenario("any versions are broken", { initial, ...options })),
  runs: 150,
}));

export const rollingUpdates: readonly ScenarioGroup[] = [...updates, pushes];
