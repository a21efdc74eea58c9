import fc from "fast-check";
import type { ScanResult } from "../../../functions/domain/gates/scan.ts";
import type { AtMoment } from "../../support/fake-cluster.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import { completeRollout, workload } from "../../support/workloads.ts";
import { runUntilComplete } from "../run-workload-update.ts";
import type { Scenario, ScenarioGroup } from "./scenario.ts";

const image = "registry.example/shop/app:1.0.0";
const digest = `sha256:${"0".repeat(64)}`;

const found = (...names: readonly string[]): ScanResult => ({
  kind: "complete",
  findings: names.map((name) => ({ name, severity: "CRITICAL" })),
});

const ends = {
  passes: found(),
  "has findings": found("CVE-1"),
  fails: { kind: "unknown", reason: "its status is FAILED" },
} as const satisfies Readonly<Record<string, ScanResult>>;

type End = keyof typeof ends;

/** A scan is pending for two polls, and then ends. */
async function run(end: End, atMoment: AtMoment) {
  let result: ScanResult = { kind: "pending", reason: "its status is PENDING" };
  const scan = { maxSeverity: "HIGH", newOnly: true, timeoutSeconds: 3600, onUnknown: "hold" } as const;
  const initial = workload({
    policy: { healthTimeoutSeconds: 60, schedule: null, scan },
    rollout: { ...completeRollout, image },
  });
  const ports = fakePorts({
    workloads: [initial],
    tags: { "shop/app": ["1.0.0", "1.1.0"] },
    scans: () => result,
    atMoment,
  });
  for (let poll = 0; poll < 2; poll += 1) {
    await runUntilComplete(ports);
    ports.pass(60);
  }
  const before = ports.cluster.get().image;
  result = ends[end];
  await runUntilComplete(ports);
  const { image: runs, inFlight, gates = [], updateRecord } = ports.cluster.get();
  return {
    before,
    runs,
    inFlight,
    gates: gates.map(({ name, reason }) => `${name} ${reason}`),
    history: updateRecord.versionHistory.map(({ version, status }) => `${version} ${status}`),
  };
}

const reasons = { "has findings": "FindingsFound", fails: "ScanUnknown" } as const;

function scenario(end: End): Scenario {
  const expected =
    end === "passes"
      ? { runs: `registry.example/shop/app:1.1.0@${digest}`, gates: [], history: ["1.1.0 Healthy"] }
      : { runs: image, gates: [`scan ${reasons[end]}`], history: [] };
  return {
    name: `that ${end}`,
    run: (atMoment) => run(end, atMoment),
    expected: { before: image, inFlight: null, ...expected },
  };
}

const all = Object.keys(ends) as End[];

export const scans: ScenarioGroup = {
  group: "update after a scan",
  scenarios: all.map(scenario),
  anyScenario: fc.constantFrom(...all).map(scenario),
  runs: 30,
};
