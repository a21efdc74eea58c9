import fc from "fast-check";
import type { Evidence } from "../../../functions/domain/health/evidence.ts";
import type { CanarySize } from "../../../functions/domain/workload/canary/canary-size.ts";
import type { AtMoment } from "../../support/fake-cluster.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import { completeRollout, workload } from "../../support/workloads.ts";
import { runUntilComplete } from "../run-workload-update.ts";
import type { Scenario, ScenarioGroup } from "./scenario.ts";

const repository = "registry.example/shop/app";

interface Options {
  readonly kind: "Deployment" | "StatefulSet" | "DaemonSet";
  readonly canary: boolean;
  /** Whether the newer version fails too. */
  readonly isFixBroken: boolean;
}

const crashing: Evidence = {
  pod: "app-7f9c-x2",
  cause: { blames: "version", reason: "Exit", container: "app", exitCode: 1, message: "no DB_URL", restarts: 4 },
};

/** 1.1.0 crashes, and 1.2.0 is pushed once it is in flight. */
async function run({ kind, canary, isFixBroken }: Options, atMoment: AtMoment) {
  const size: CanarySize = { unit: "replicas", amount: 1 };
  const base = workload();
  const initial = workload({
    ref: { ...base.ref, kind },
    policy: { healthTimeoutSeconds: 600, schedule: null, ...(canary ? { canary: size } : {}) },
    rollout: {
      ...completeRollout,
      desiredReplicas: 3,
      updatedReplicas: 3,
      readyReplicas: 3,
      image: `${repository}:1.0.0`,
    },
  });
  const ports = fakePorts({
    workloads: [initial],
    tags: {
      get "shop/app"() {
        const { inFlight, updateRecord } = ports.cluster.get();
        const isPushed = inFlight !== null || updateRecord.versionHistory.length > 0;
        return ["1.0.0", "1.1.0", ...(isPushed ? ["1.2.0"] : [])];
      },
    },
    broken: new Set([`${repository}:1.1.0`, ...(isFixBroken ? [`${repository}:1.2.0`] : [])]),
    evidence: [crashing],
    atMoment,
  });
  await runUntilComplete(ports);
  const { image, inFlight, canary: left, updateRecord } = ports.cluster.get();
  const { currentVersion, rollbackCount, failedVersions, versionHistory } = updateRecord;
  const history = versionHistory.map(({ version, status }) => `${version} ${status}`);
  const evidence = versionHistory.map(({ reason }) => reason?.replace(/^not ready after .*ready; /, "") ?? "");
  return { image, inFlight, left, currentVersion, rollbackCount, failedVersions, history, evidence };
}

function scenario(options: Options): Scenario {
  const { kind, canary, isFixBroken } = options;
  const pods = `1 of ${canary ? "1 pod" : "3 pods"} failing: app-7f9c-x2 (app) exit 1 \`no DB_URL\` (4 restarts)`;
  const runs = isFixBroken ? "1.0.0" : "1.2.0";
  return {
    name: `of a ${kind}${canary ? " with a canary" : ""}, which is ${isFixBroken ? "broken too" : "healthy"}`,
    run: (atMoment) => run(options, atMoment),
    expected: {
      image: `${repository}:${runs}`,
      inFlight: null,
      left: null,
      currentVersion: runs,
      rollbackCount: isFixBroken ? 2 : 0,
      failedVersions: isFixBroken ? ["1.2.0"] : [],
      history: ["1.1.0 Superseded", `1.2.0 ${isFixBroken ? "RolledBack" : "Healthy"}`],
      evidence: [`superseded by 1.2.0; ${pods}`, isFixBroken ? pods : ""],
    },
  };
}

const kinds = ["Deployment", "StatefulSet", "DaemonSet"] as const;
const all = kinds.flatMap((kind) =>
  [false, true].flatMap((isFixBroken) => [
    { kind, canary: false, isFixBroken },
    ...(kind === "DaemonSet" ? [] : [{ kind, canary: true, isFixBroken }]),
  ]),
);

/** An update whose pods crash is superseded by a newer version, once. */
export const fixesForward: readonly ScenarioGroup[] = [
  {
    group: "a newer version in place of one that fails",
    scenarios: all.map(scenario),
    anyScenario: fc.constantFrom(...all).map(scenario),
    runs: 100,
  },
];
