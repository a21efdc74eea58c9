import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { digest, followed, type FollowedParts, prod } from "../support/followed.ts";
import { settled } from "../support/workloads.ts";
import { anyFaults, type Faults } from "./interruptions.ts";
import { runToTheEnd } from "./machine-by-hand.ts";
import { endOf, world } from "./restart-world.ts";

interface Story {
  readonly pins: boolean;
  /** What comes to stand behind the tag, one after another. */
  readonly pushed: readonly number[];
  readonly broken: readonly number[];
  readonly maxRollbacks: number;
  readonly isNew: boolean;
}

const version = (number: number) => `prod@${digest(number)}`;
const asked = (number: number) => `registry.example/shop/app:${version(number)}`;

async function endAfter({ pins, pushed, broken, maxRollbacks, isNew }: Story, faults: Faults) {
  const parts: FollowedParts = {
    digests: isNew ? { last: {} } : {},
    rollout: { ...settled, image: prod },
    policy: { healthTimeoutSeconds: 60, rollsBackDigests: pins, maxRollbacks },
  };
  let stands = 1;
  const ports = world(followed(parts), faults, {
    digests: () => [digest(stands)],
    broken: new Set(broken.map(asked)),
  });
  for (stands of pushed) {
    await runToTheEnd(ports);
    ports.pass(300);
  }
  return endOf(ports);
}

/** What the rules say must be so in the end: each digest is tried once, in turn, until too many have failed. */
function expectedEnd({ pins, pushed, broken, maxRollbacks, isNew }: Story) {
  let [last, good, failures, isReady, isPinned] = [isNew ? 0 : 1, isNew ? 0 : 1, 0, true, false];
  const [tried, failed, history]: [number[], string[], string[]] = [[], [], []];
  for (const next of pushed) {
    if (next === last || failures === maxRollbacks) continue;
    const isBroken = broken.includes(next);
    tried.push(next);
    history.push(`${version(next)} ${isBroken ? "RolledBack" : "Healthy"}`);
    if (isBroken) failed.push(version(next));
    failures = isBroken ? failures + 1 : 0;
    isPinned = isBroken && pins && good !== 0;
    isReady = !isBroken || isPinned;
    [last, good] = [next, isBroken ? good : next];
  }
  return {
    image: isPinned ? asked(good) : prod,
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

const stories: Readonly<Record<string, Story>> = {
  "nothing is new": { pins: false, pushed: [1, 1], broken: [], maxRollbacks: 3, isNew: false },
  "first sight": { pins: false, pushed: [1, 1], broken: [], maxRollbacks: 3, isNew: true },
  "one that is good": { pins: false, pushed: [2, 2], broken: [], maxRollbacks: 3, isNew: false },
  "one that is broken": { pins: false, pushed: [2, 2], broken: [2], maxRollbacks: 3, isNew: false },
  "one that is broken and pinned": { pins: true, pushed: [2, 2], broken: [2], maxRollbacks: 3, isNew: false },
  "two broken in a row, pinned, and a good one": {
    pins: true,
    pushed: [2, 3, 4],
    broken: [2, 3],
    maxRollbacks: 3,
    isNew: false,
  },
  "too many that are broken": { pins: true, pushed: [2, 3, 4], broken: [2, 3, 4], maxRollbacks: 2, isNew: false },
};

describe.for(Object.entries(stories))("%s", ([, story]) => {
  test("comes to this end undisturbed, and interrupted once at each of the first moments", async () => {
    expect(await endAfter(story, new Map())).toEqual(expectedEnd(story));
    for (const fault of ["killed", "lost"] as const) {
      for (let moment = 1; moment <= 90; moment += 1) {
        const end = await endAfter(story, new Map([[moment, fault]]));
        expect(end, `${fault} at moment ${moment}`).toEqual(expectedEnd(story));
      }
    }
  });
});

test("whatever is pushed, fails and is interrupted, no digest is restarted for twice, and each failure is counted once", async () => {
  const anyStory: fc.Arbitrary<Story> = fc.record({
    pins: fc.boolean(),
    // Only ever forwards: what comes back is test/domain/flapping.test.ts.
    pushed: fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }).map((moves) => {
      let stands = 1;
      return moves.map((isNew) => (stands += isNew ? 1 : 0));
    }),
    broken: fc.subarray([1, 2, 3, 4, 5, 6]),
    maxRollbacks: fc.integer({ min: 1, max: 3 }),
    isNew: fc.boolean(),
  });
  const property = fc.asyncProperty(anyStory, anyFaults, async (story, faults) => {
    const end = await endAfter(story, faults);
    expect(new Set(end.restarts).size).toBe(end.restarts.length);
    expect(end).toEqual(expectedEnd(story));
  });
  await fc.assert(property, { numRuns: 200 });
});
