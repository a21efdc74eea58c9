import fc from "fast-check";
import { configDigest, configWorkload } from "../../support/workloads/config-workloads.ts";
import type { AtMoment } from "../../support/fake-cluster.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import { completeRollout, image, target } from "../../support/workloads.ts";
import { runUntilComplete } from "../run-workload-update.ts";
import type { Scenario, ScenarioGroup } from "./scenario.ts";

interface ConfigOptions {
  /** The contents of the ConfigMap, one after another; it begins with 1. */
  readonly contents: readonly number[];
  readonly broken: readonly number[];
  readonly maxRollbacks: number;
  /** Of 1.1.0, which is pushed together with the first content; null if it is not. */
  readonly newVersion: "good" | "broken" | null;
  /** A content restarts with the second poll that sees it, and not within five minutes of another restart. */
  readonly settles?: true;
}

const version = (content: number, tag = "1.0.0") => `${tag}@${configDigest(content)}`;

async function run({ contents, broken, maxRollbacks, newVersion, settles }: ConfigOptions, atMoment: AtMoment) {
  let content = 1;
  const rollout = { ...completeRollout, image };
  const delays = settles === true ? { settleSeconds: 30, minimumIntervalSeconds: 300 } : {};
  const policy = { healthTimeoutSeconds: 60, maxRollbacks, ...delays };
  const initial = configWorkload({ rollout, policy, ...(newVersion === null ? {} : { source: image }) });
  const images = [image, target].flatMap((one) => broken.map((number) => `${one}@${configDigest(number)}`));
  const ports = fakePorts({
    workloads: [initial],
    tags: { "shop/app": newVersion === null ? ["1.0.0"] : ["1.0.0", "1.1.0"] },
    config: () => ({ "configmap/app": configDigest(content) }),
    broken: new Set(newVersion === "broken" ? [...images, target] : images),
    atMoment,
  });
  for (content of contents) {
    await runUntilComplete(ports);
    ports.pass(300);
  }
  const end = ports.cluster.get();
  return {
    image: end.image,
    inFlight: end.inFlight,
    deployed: end.config?.deployed,
    circuitOpen: end.updateRecord.circuitOpen,
    failed: end.updateRecord.failedVersions,
    history: end.updateRecord.versionHistory.map((entry) => `${entry.version} ${entry.status}`),
  };
}

/** Returns the state that the rules require: each content is tried once after the one before, until too many have failed. */
function expectedEnd({ contents, broken, maxRollbacks, newVersion }: ConfigOptions) {
  let [deployed, failures] = [1, 0];
  const [failed, history]: [string[], string[]] = [[], []];
  const record = (name: string, isBroken: boolean) => {
    history.push(`${name} ${isBroken ? "RolledBack" : "Healthy"}`);
    failures = isBroken ? failures + 1 : 0;
  };
  if (newVersion !== null) record("1.1.0", newVersion === "broken");
  // A restart has nothing to restore, so that its configuration is counted and not blamed.
  if (newVersion === "broken") failed.push("1.1.0");
  const tag = newVersion === "good" ? "1.1.0" : "1.0.0";
  for (const [at, content] of contents.entries()) {
    // One rollout for both.
    if (newVersion === "good" && at === 0) deployed = content;
    const name = version(content, tag);
    if (content === deployed || failures >= maxRollbacks) continue;
    deployed = content;
    record(name, broken.includes(content));
  }
  return {
    image: newVersion === "good" ? target : image,
    inFlight: null,
    deployed: { "configmap/app": configDigest(deployed) },
    circuitOpen: failures >= maxRollbacks,
    failed,
    history,
  };
}

const alone: ConfigOptions = { contents: [2, 2], broken: [], maxRollbacks: 3, newVersion: null };

const options: Readonly<Record<string, ConfigOptions>> = {
  "nothing changes": { ...alone, contents: [1, 1] },
  "a change": alone,
  "a change that settles": { ...alone, contents: [2, 2, 2], settles: true },
  "changes that settle, one of which fails": { ...alone, contents: [2, 2, 2, 3, 3, 3], broken: [2], settles: true },
  "a change that fails, and is corrected": { ...alone, contents: [2, 3], broken: [2] },
  "a change that fails, and is reverted": { ...alone, contents: [2, 1, 2], broken: [2] },
  "too many changes that fail": { ...alone, contents: [2, 3, 4], broken: [2, 3, 4], maxRollbacks: 2 },
  "a change together with a new version": { ...alone, newVersion: "good" },
  "a change together with a new version that fails": { ...alone, newVersion: "broken" },
};

function scenario(name: string, each: ConfigOptions): Scenario {
  return { name, run: (atMoment) => run(each, atMoment), expected: expectedEnd(each) };
}

const anyOptions: fc.Arbitrary<ConfigOptions> = fc.record({
  contents: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 5 }),
  broken: fc.subarray([2, 3, 4]),
  maxRollbacks: fc.integer({ min: 1, max: 3 }),
  newVersion: fc.constantFrom(null, "good" as const, "broken" as const),
});

export const configChanges: readonly ScenarioGroup[] = [
  {
    group: "restart for changed configuration",
    scenarios: Object.entries(options).map(([name, each]) => scenario(name, each)),
    anyScenario: anyOptions.map((each) => scenario("any contents follow each other and fail", each)),
    runs: 100,
  },
];
