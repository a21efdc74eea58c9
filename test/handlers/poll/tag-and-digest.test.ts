import { describe, expect, test } from "vitest";
import { pollCluster } from "../../../functions/workflows/poll/poll-cluster.ts";
import type { FakeOptions } from "../../support/fake-ports.ts";
import { digest, tagAndDigestWorkload, type DigestWorkloadParts } from "../../support/digest-workloads.ts";
import { image, target } from "../../support/workloads.ts";
import { createFaultInjector } from "../crash-recovery/faults.ts";
import { runUntilComplete } from "../run-workload-update.ts";
import { finalState, createRestartPorts, type RestartPorts } from "../restart/restart-fixtures.ts";

const soon = { healthTimeoutSeconds: 60 };

interface Registry {
  tags: readonly string[];
  /** Digest numbers by tag. */
  digestOfTag: Readonly<Record<string, number>>;
}

function both(registry: Registry, parts: DigestWorkloadParts = {}, options: FakeOptions = {}): RestartPorts {
  return createRestartPorts(tagAndDigestWorkload({ policy: soon, ...parts }), {
    ...options,
    tags: new Proxy({}, { get: () => registry.tags }),
    digests: (reference) => [digest(registry.digestOfTag[reference.slice(reference.lastIndexOf(":") + 1)] ?? 0)],
  });
}

const first: Registry = { tags: ["1.0.0"], digestOfTag: { "1.0.0": 1 } };
const newer = (digestOfTag = 11): Registry => ({
  tags: ["1.0.0", "1.1.0"],
  digestOfTag: { "1.0.0": 1, "1.1.0": digestOfTag },
});

test("a higher tag is rolled out once, with its digest: no restart follows", async () => {
  const ports = both(newer());
  await runUntilComplete(ports);
  expect(finalState(ports)).toMatchObject({
    image: target,
    last: { app: digest(11) },
    restarts: [],
    currentVersion: "1.1.0",
    history: ["1.1.0 Healthy"],
  });
});

test("then its digest is tracked, and after it the next tag", async () => {
  const registry = newer();
  const ports = both(registry);
  await runUntilComplete(ports);
  registry.digestOfTag = { "1.1.0": 12 };
  await runUntilComplete(ports);
  expect(finalState(ports)).toMatchObject({ image: target, restarts: [`app:${digest(12)}`], currentVersion: "1.1.0" });
  Object.assign(registry, { tags: ["1.1.0", "1.2.0"], digestOfTag: { "1.1.0": 12, "1.2.0": 21 } });
  await runUntilComplete(ports);
  expect(finalState(ports)).toMatchObject({
    image: "registry.example/shop/app:1.2.0",
    last: { app: digest(21) },
    restarts: [`app:${digest(12)}`],
    history: ["1.1.0 Healthy", `1.1.0@${digest(12)} Healthy`, "1.2.0 Healthy"],
  });
});

test("if both are new, the tag goes first and includes its digest", async () => {
  const ports = both({ tags: ["1.0.0", "1.1.0"], digestOfTag: { "1.0.0": 2, "1.1.0": 11 } });
  await runUntilComplete(ports);
  expect(finalState(ports)).toMatchObject({ image: target, restarts: [], history: ["1.1.0 Healthy"] });
});

test("a failed tag is rolled back with its digest, and no restart follows", async () => {
  const ports = both(newer(), {}, { broken: new Set([target]) });
  await runUntilComplete(ports);
  expect(finalState(ports)).toMatchObject({
    image,
    last: { app: digest(1) },
    restarts: [],
    failedVersions: ["1.1.0"],
    rollbackCount: 1,
  });
});

test("after a failed tag, the digest of the previous tag is tracked", async () => {
  const registry = newer();
  const ports = both(registry, {}, { broken: new Set([target]) });
  await runUntilComplete(ports);
  registry.digestOfTag = { "1.0.0": 2, "1.1.0": 11 };
  await runUntilComplete(ports);
  expect(finalState(ports)).toMatchObject({
    image,
    last: { app: digest(2) },
    restarts: [`app:${digest(2)}`],
    rollbackCount: 0,
  });
});

test("an open circuit holds both", async () => {
  for (const registry of [newer(), { ...first, digestOfTag: { "1.0.0": 2 } }]) {
    const ports = both(registry, { updateRecord: { circuitOpen: true, rollbackCount: 3 } });
    await runUntilComplete(ports);
    expect(ports.executions.started).toEqual([]);
    expect(finalState(ports)).toMatchObject({ image, last: { app: digest(1) }, restarts: [] });
    expect(ports.cluster.events()).toContainEqual(expect.objectContaining({ reason: "AutoUpdateCircuitOpen" }));
  }
});

describe("several containers", () => {
  const side = { name: "side", image: "registry.example/shop/side:3.0" };
  const own = { name: "app", image };
  const again = { name: "again", image };

  test("with the same image are updated together, and no restart follows", async () => {
    const digests = { containers: [own, again], deployed: { app: digest(1), again: digest(1) } };
    const ports = both(newer(), { digests });
    await runUntilComplete(ports);
    expect(finalState(ports)).toMatchObject({ last: { app: digest(11), again: digest(11) }, restarts: [] });
  });

  test("a restart for another container keeps the recorded version", async () => {
    const digests = { containers: [own, side], deployed: { app: digest(1), side: digest(5) } };
    const registry: Registry = { tags: ["1.0.0"], digestOfTag: { "1.0.0": 1, "3.0": 6 } };
    const ports = both(registry, { digests });
    await runUntilComplete(ports);
    expect(finalState(ports)).toMatchObject({
      image,
      currentVersion: "1.0.0",
      restarts: [`app:${digest(1)},side:${digest(6)}`],
    });
    Object.assign(registry, newer(), { digestOfTag: { "1.1.0": 11, "3.0": 6 } });
    await runUntilComplete(ports);
    expect(finalState(ports)).toMatchObject({
      image: target,
      currentVersion: "1.1.0",
      last: { app: digest(11), side: digest(6) },
    });
  });
});

test("a manually restored tag is kept, and its digest is tracked", async () => {
  const registry: Registry = { tags: ["1.0.0", "1.1.0"], digestOfTag: { "1.0.0": 2 } };
  const ports = both(registry, { updateRecord: { currentVersion: "1.1.0" } });
  await runUntilComplete(ports);
  await pollCluster(ports);
  expect(finalState(ports)).toMatchObject({ image, currentVersion: "1.1.0", restarts: [`app:${digest(2)}`] });
});

describe("with a canary", () => {
  const canary = { policy: { ...soon, canary: { unit: "percent", amount: 25 } } } as const;

  test.for([
    { when: "is promoted", broken: new Set<string>(), runs: target, last: 11 },
    { when: "never becomes ready", broken: new Set([target]), runs: image, last: 1 },
  ])(
    "that $when, also interrupted at any moment: the recorded digest is the one that all replicas run",
    async ({ broken, runs, last }) => {
      for (const fault of ["killed", "lost"] as const) {
        for (let moment = 0; moment <= 70; moment += 1) {
          const ports = both(newer(), canary, {
            broken,
            atMoment: createFaultInjector(new Map([[moment, fault]])).atMoment,
          });
          await runUntilComplete(ports);
          const end = finalState(ports);
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

  test("a restart has no canary: all pods use the same tag", async () => {
    const ports = both({ ...first, digestOfTag: { "1.0.0": 2 } }, canary);
    await runUntilComplete(ports);
    expect(ports.executions.started).toMatchObject([{ input: { strategy: "restart" } }]);
    expect(finalState(ports)).toMatchObject({
      canary: null,
      restarts: [`app:${digest(2)}`],
      history: [`1.0.0@${digest(2)} Healthy`],
    });
  });
});
