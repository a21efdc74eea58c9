import { describe, expect, test } from "vitest";
import { pollCluster } from "../../functions/polling/poll-cluster.ts";
import type { FakeOptions } from "../support/fake-ports.ts";
import { digest, followedBoth, type FollowedParts } from "../support/followed.ts";
import { image, target } from "../support/workloads.ts";
import type { Faults } from "./interruptions.ts";
import { runToTheEnd } from "./machine-by-hand.ts";
import { endOf, world, type World } from "./restart-world.ts";

const undisturbed: Faults = new Map();
const soon = { healthTimeoutSeconds: 60 };

interface Registry {
  tags: readonly string[];
  /** By tag. */
  behind: Readonly<Record<string, number>>;
}

function both(registry: Registry, parts: FollowedParts = {}, faults = undisturbed, options: FakeOptions = {}): World {
  return world(followedBoth({ policy: soon, ...parts }), faults, {
    ...options,
    tags: new Proxy({}, { get: () => registry.tags }),
    digests: (asked) => [digest(registry.behind[asked.slice(asked.lastIndexOf(":") + 1)] ?? 0)],
  });
}

const first: Registry = { tags: ["1.0.0"], behind: { "1.0.0": 1 } };
const newer = (behind = 11): Registry => ({ tags: ["1.0.0", "1.1.0"], behind: { "1.0.0": 1, "1.1.0": behind } });

test("a higher tag is rolled out once, with the digest behind it: there is no restart after it", async () => {
  const ports = both(newer());
  await runToTheEnd(ports);
  expect(endOf(ports)).toMatchObject({
    image: target,
    last: { app: digest(11) },
    restarts: [],
    currentVersion: "1.1.0",
    history: ["1.1.0 Healthy"],
  });
});

test("then the digest behind it is followed, and after it the next tag", async () => {
  const registry = newer();
  const ports = both(registry);
  await runToTheEnd(ports);
  registry.behind = { "1.1.0": 12 };
  await runToTheEnd(ports);
  expect(endOf(ports)).toMatchObject({ image: target, restarts: [`app:${digest(12)}`], currentVersion: "1.1.0" });
  Object.assign(registry, { tags: ["1.1.0", "1.2.0"], behind: { "1.1.0": 12, "1.2.0": 21 } });
  await runToTheEnd(ports);
  expect(endOf(ports)).toMatchObject({
    image: "registry.example/shop/app:1.2.0",
    last: { app: digest(21) },
    restarts: [`app:${digest(12)}`],
    history: ["1.1.0 Healthy", `1.1.0@${digest(12)} Healthy`, "1.2.0 Healthy"],
  });
});

test("where both are new at once, the tag goes first and brings its digest", async () => {
  const ports = both({ tags: ["1.0.0", "1.1.0"], behind: { "1.0.0": 2, "1.1.0": 11 } });
  await runToTheEnd(ports);
  expect(endOf(ports)).toMatchObject({ image: target, restarts: [], history: ["1.1.0 Healthy"] });
});

test("a tag that fails is taken back with its digest, and nothing is restarted for that", async () => {
  const ports = both(newer(), {}, undisturbed, { broken: new Set([target]) });
  await runToTheEnd(ports);
  expect(endOf(ports)).toMatchObject({
    image,
    last: { app: digest(1) },
    restarts: [],
    failedVersions: ["1.1.0"],
    rollbackCount: 1,
  });
});

test("after a tag that failed, the digest behind the one before it is followed", async () => {
  const registry = newer();
  const ports = both(registry, {}, undisturbed, { broken: new Set([target]) });
  await runToTheEnd(ports);
  registry.behind = { "1.0.0": 2, "1.1.0": 11 };
  await runToTheEnd(ports);
  expect(endOf(ports)).toMatchObject({
    image,
    last: { app: digest(2) },
    restarts: [`app:${digest(2)}`],
    rollbackCount: 0,
  });
});

test("an open circuit holds both", async () => {
  for (const registry of [newer(), { ...first, behind: { "1.0.0": 2 } }]) {
    const ports = both(registry, { bookkeeping: { circuitOpen: true, rollbackCount: 3 } });
    await runToTheEnd(ports);
    expect(ports.executions.started).toEqual([]);
    expect(endOf(ports)).toMatchObject({ image, last: { app: digest(1) }, restarts: [] });
    expect(ports.cluster.events()).toContainEqual(expect.objectContaining({ reason: "AutoUpdateCircuitOpen" }));
  }
});

describe("several containers", () => {
  const side = { name: "side", image: "registry.example/shop/side:3.0" };
  const own = { name: "app", image };
  const again = { name: "again", image };

  test("that run the same image move together, and none is restarted after that", async () => {
    const digests = { containers: [own, again], last: { app: digest(1), again: digest(1) } };
    const ports = both(newer(), { digests });
    await runToTheEnd(ports);
    expect(endOf(ports)).toMatchObject({ last: { app: digest(11), again: digest(11) }, restarts: [] });
  });

  test("a restart for another container leaves the version that is known by its tag", async () => {
    const digests = { containers: [own, side], last: { app: digest(1), side: digest(5) } };
    const registry: Registry = { tags: ["1.0.0"], behind: { "1.0.0": 1, "3.0": 6 } };
    const ports = both(registry, { digests });
    await runToTheEnd(ports);
    expect(endOf(ports)).toMatchObject({
      image,
      currentVersion: "1.0.0",
      restarts: [`app:${digest(1)},side:${digest(6)}`],
    });
    Object.assign(registry, newer(), { behind: { "1.1.0": 11, "3.0": 6 } });
    await runToTheEnd(ports);
    expect(endOf(ports)).toMatchObject({
      image: target,
      currentVersion: "1.1.0",
      last: { app: digest(11), side: digest(6) },
    });
  });
});

test("what a person went back to stays, and its digest is followed", async () => {
  const registry: Registry = { tags: ["1.0.0", "1.1.0"], behind: { "1.0.0": 2 } };
  const ports = both(registry, { bookkeeping: { currentVersion: "1.1.0" } });
  await runToTheEnd(ports);
  await pollCluster(ports);
  expect(endOf(ports)).toMatchObject({ image, currentVersion: "1.1.0", restarts: [`app:${digest(2)}`] });
});

describe("with a canary", () => {
  const canary = { policy: { ...soon, canary: { unit: "percent", amount: 25 } } } as const;

  test.for([
    { when: "is promoted", broken: new Set<string>(), runs: target, last: 11 },
    { when: "never stands", broken: new Set([target]), runs: image, last: 1 },
  ])(
    "that $when, also interrupted at any moment: what is recorded is what all replicas run",
    async ({ broken, runs, last }) => {
      for (const fault of ["killed", "lost"] as const) {
        for (let moment = 0; moment <= 70; moment += 1) {
          const ports = both(newer(), canary, new Map([[moment, fault]]), { broken });
          await runToTheEnd(ports);
          const end = endOf(ports);
          expect(end, `${fault} at moment ${moment}`).toMatchObject({
            image: runs,
            last: { app: digest(last) },
            restarts: [],
          });
          expect({ canary: end.canary, inFlight: end.inFlight }).toEqual({ canary: null, inFlight: null });
        }
      }
    },
  );

  test("a restart has none: what its pods are made of can not differ", async () => {
    const ports = both({ ...first, behind: { "1.0.0": 2 } }, canary);
    await runToTheEnd(ports);
    expect(ports.executions.started).toMatchObject([{ input: { strategy: "restart" } }]);
    expect(endOf(ports)).toMatchObject({
      canary: null,
      restarts: [`app:${digest(2)}`],
      history: [`1.0.0@${digest(2)} Healthy`],
    });
  });
});
