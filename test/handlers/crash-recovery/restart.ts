import type { ContainerDigest } from "../../../functions/domain/workload/digest/tracking.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import type { AtMoment } from "../../support/fake-cluster.ts";
import { expect } from "vitest";
import fc from "fast-check";
import { digest, digestWorkload, type DigestWorkloadParts, prod } from "../../support/digest-workloads.ts";
import { completeRollout } from "../../support/workloads.ts";
import { finalState, createRestartPorts } from "../restart/restart-fixtures.ts";
import { runUntilComplete } from "../run-workload-update.ts";
import type { Scenario, ScenarioGroup } from "./scenario.ts";

interface RestartOptions {
  readonly pins: boolean;
  /** The digests to which the tag resolves, one after another. */
  readonly pushed: readonly number[];
  readonly broken: readonly number[];
  readonly maxRollbacks: number;
  readonly isNew: boolean;
}

const version = (number: number) => `prod@${digest(number)}`;
const restartImage = (number: number) => `registry.example/shop/app:${version(number)}`;

async function run({ pins, pushed, broken, maxRollbacks, isNew }: RestartOptions, atMoment: AtMoment) {
  const parts: DigestWorkloadParts = {
    digests: isNew ? { deployed: {} } : {},
    rollout: { ...completeRollout, image: prod },
    policy: { healthTimeoutSeconds: 60, rollsBackDigests: pins, maxRollbacks },
  };
  let tagDigest = 1;
  const ports = createRestartPorts(digestWorkload(parts), {
    atMoment,
    digests: () => [digest(tagDigest)],
    running: reportedDigests,
    broken: new Set(broken.map(restartImage)),
  });
  for (tagDigest of pushed) {
    await runUntilComplete(ports);
    ports.pass(300);
  }
  return finalState(ports);
}

/** Returns what the pods report: the digest that is pinned, or else that of the last restart. */
function reportedDigests({ image, digests, rollout }: Workload): readonly ContainerDigest[] {
  const reported = image?.split("@")[1] ?? digests?.deployed["app"];
  const unready = rollout?.readyReplicas === rollout?.desiredReplicas ? {} : { isUnready: true as const };
  return reported === undefined ? [] : [{ container: "app", digest: reported, ...unready }];
}

/** Returns the state that the rules require: each digest is tried once, in order, until too many have failed. */
function expectedEnd({ pins, pushed, broken, maxRollbacks, isNew }: RestartOptions) {
  let [last, good, failures, isReady, isPinned] = [isNew ? 0 : 1, isNew ? 0 : 1, 0, true, false];
  const [tried, failed, history]: [number[], string[], string[]] = [[], [], []];
  for (const next of pushed) {
    if (next === last || failures === maxRollbacks) continue;
    const isBroken = broken.includes(next);
    tried.push(next);
    history.push(`${version(next)} ${isBroken ? "RolledBack" : "Healthy"}`);
    failures = isBroken ? failures + 1 : 0;
    isPinned = isBroken && pins && good !== 0;
    // Without a pin nothing is restored that it could be compared with.
    if (isPinned) failed.push(version(next));
    isReady = !isBroken || isPinned;
    [last, good] = [next, isBroken ? good : next];
  }
  return {
    image: isPinned ? restartImage(good) : prod,
    isPinned,
    inFlight: null,
    canary: null,
    last: last === 0 ? {} : { app: digest(last) },
    isReady,
    restarts: tried.map((one) => `app:${digest(one)}`),
    currentVersion: tried.some((one) => !broken.includes(one)) ? "prod" : null,
    rollbackCount: failures,
    circuitOpen: failures === maxRollbacks,
    failedVersions: failed,
    history,
  };
}

const options: Readonly<Record<string, RestartOptions>> = {
  "nothing is new": { pins: false, pushed: [1, 1], broken: [], maxRollbacks: 3, isNew: false },
  "a workload is tracked for the first time": { pins: false, pushed: [1, 1], broken: [], maxRollbacks: 3, isNew: true },
  "a healthy digest": { pins: false, pushed: [2, 2], broken: [], maxRollbacks: 3, isNew: false },
  "a broken digest": { pins: false, pushed: [2, 2], broken: [2], maxRollbacks: 3, isNew: false },
  "a broken digest that is rolled back by a pin": {
    pins: true,
    pushed: [2, 2],
    broken: [2],
    maxRollbacks: 3,
    isNew: false,
  },
  "two broken digests with pins, then a healthy one": {
    pins: true,
    pushed: [2, 3, 4],
    broken: [2, 3],
    maxRollbacks: 3,
    isNew: false,
  },
  "too many broken digests": { pins: true, pushed: [2, 3, 4], broken: [2, 3, 4], maxRollbacks: 2, isNew: false },
};

function scenario(name: string, each: RestartOptions): Scenario {
  return {
    name,
    async run(atMoment) {
      const end = await run(each, atMoment);
      expect(new Set(end.restarts).size, "no digest causes two restarts").toBe(end.restarts.length);
      return end;
    },
    expected: expectedEnd(each),
  };
}

const anyOptions: fc.Arbitrary<RestartOptions> = fc.record({
  pins: fc.boolean(),
  // Forwards only: test/domain/workload/digest/flapping.test.ts covers tags that move back.
  pushed: fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }).map((moves) => {
    let tagDigest = 1;
    return moves.map((isNew) => (tagDigest += isNew ? 1 : 0));
  }),
  broken: fc.subarray([1, 2, 3, 4, 5, 6]),
  maxRollbacks: fc.integer({ min: 1, max: 3 }),
  isNew: fc.boolean(),
});

export const restarts: readonly ScenarioGroup[] = [
  {
    group: "restart by digest",
    scenarios: Object.entries(options).map(([name, each]) => scenario(name, each)),
    anyScenario: anyOptions.map((each) => scenario("any digests are pushed and fail", each)),
    runs: 200,
  },
];
