import fc from "fast-check";
import type { AtMoment } from "../../support/fake-cluster.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import { completeRollout } from "../../support/workloads.ts";
import { release, released, snapshot } from "../../domain/workload/release/releases.ts";
import { runUntilComplete } from "../run-workload-update.ts";
import type { Scenario, ScenarioGroup } from "./scenario.ts";

interface ReleaseOptions {
  /** The releases to which a person rolls back, one after another. */
  readonly requested: readonly (number | null)[];
  /** Releases whose pods never become ready. */
  readonly broken: readonly number[];
}

const numbers = [1, 2, 3] as const;
const imageOf = (number: number) => release(number).image;

async function run({ requested, broken }: ReleaseOptions, atMoment: AtMoment) {
  const last = imageOf(3);
  const initial = released(
    numbers.map((number) => release(number)),
    "hash-3",
    {
      image: last,
      source: last,
      rollout: { ...completeRollout, image: last },
      policy: { healthTimeoutSeconds: 60 },
      updateRecord: { currentVersion: "1.3.0", candidateVersion: "1.3.0" },
    },
  );
  const ports = fakePorts({
    workloads: [initial],
    atMoment,
    tags: { "registry.example/shop/app": ["1.1.0", "1.2.0", "1.3.0"] },
    broken: new Set(broken.map(imageOf)),
    snapshots: numbers.toReversed().map((number) => snapshot(number)),
  });
  for (const [index, number] of requested.entries()) {
    const request = { verb: "rollback", argument: number === null ? null : String(number), token: `t-${index}` };
    ports.cluster.put({ ...ports.cluster.get(), request });
    await runUntilComplete(ports);
    ports.pass(300);
  }
  const { image, inFlight, releases, updateRecord } = ports.cluster.get();
  return {
    image,
    inFlight,
    hash: releases?.hash,
    list: releases?.list
      .slice(3)
      .map(({ result, version, rolledBackFrom }) => `${result} ${version} ${rolledBackFrom}`),
    currentVersion: updateRecord.currentVersion,
    minimumVersion: updateRecord.minimumVersion,
    rollbackCount: updateRecord.rollbackCount,
    failedVersions: updateRecord.failedVersions,
  };
}

/** Returns the state that the rules require: what fails is reverted, and what runs already is refused. */
function expectedEnd({ requested, broken }: ReleaseOptions) {
  const succeeded = [1, 2, 3];
  const list: string[] = [];
  // By release number: which template it has.
  const templates = new Map<number, number>(numbers.map((number) => [number, number]));
  let [running, from, next] = [3, 3, 4];
  for (const number of requested) {
    const chosen = number ?? templates.get(succeeded.findLast((one) => templates.get(one) !== running) ?? 0);
    if (chosen === undefined || chosen === running) continue;
    const isBroken = broken.includes(chosen);
    const entry = `${isBroken ? "Failed" : "Succeeded"} ${release(chosen).version} ${from}`;
    // The same failure again is no other release.
    if (isBroken && list.at(-1) === entry) continue;
    list.push(entry);
    templates.set(next, chosen);
    if (!isBroken) {
      succeeded.push(next);
      [running, from] = [chosen, next];
    }
    next += 1;
  }
  return {
    image: imageOf(running),
    inFlight: null,
    hash: `hash-${running}`,
    list,
    currentVersion: release(running).version,
    minimumVersion: running === 3 ? null : "1.3.0",
    rollbackCount: 0,
    failedVersions: [],
  };
}

const options: Readonly<Record<string, ReleaseOptions>> = {
  "the second newest": { requested: [null], broken: [] },
  "a number, and forward again": { requested: [1, null], broken: [] },
  "a release that fails is reverted": { requested: [2], broken: [2] },
  "the release that runs is refused": { requested: [3, 1], broken: [] },
};

function scenario(name: string, each: ReleaseOptions): Scenario {
  return { name, run: (atMoment) => run(each, atMoment), expected: expectedEnd(each) };
}

const anyOptions: fc.Arbitrary<ReleaseOptions> = fc.record({
  requested: fc.array(fc.constantFrom(null, ...numbers), { minLength: 1, maxLength: 3 }),
  broken: fc.subarray([1, 2]),
});

export const releases: readonly ScenarioGroup[] = [
  {
    group: "rollback to a release",
    scenarios: Object.entries(options).map(([name, each]) => scenario(name, each)),
    anyScenario: anyOptions.map((each) => scenario("any releases are requested and fail", each)),
    runs: 60,
  },
];
