import { describe, expect, test } from "vitest";
import { rollBack } from "../../functions/handlers/roll-back.ts";
import { digest, followedBoth, prod, restarting, restartInFlight } from "../support/followed.ts";
import { image, inFlight, noon, settled, target } from "../support/workloads.ts";
import { around, expectSelectable, restartStep, step, writesNothing } from "./steps.ts";

const giveUp = { ...restartStep, verdict: "expired", reason: "1 of 3 replicas ready" };
const version = `prod@${digest(2)}`;
const pinning = { policy: { rollsBackDigests: true } };
const unready = { ...settled, image: prod, readyReplicas: 1 };

test("a restart that failed is counted, blamed and told; there is nothing to go back to", async () => {
  const ports = around(restarting({ rollout: unready }));
  const answer = await rollBack(ports, giveUp);
  expect(answer).toEqual({ kind: "rolled-back", reason: "1 of 3 replicas ready" });
  expect(ports.cluster.get()).toMatchObject({
    image: prod,
    inFlight: null,
    isPinned: false,
    rollout: unready,
    digests: { last: { app: digest(2) }, former: [{ app: digest(1) }] },
    bookkeeping: {
      rollbackCount: 1,
      failedVersions: [version],
      versionHistory: [{ version, appliedAt: noon, status: "RolledBack" }],
    },
  });
  expect(ports.cluster.events()).toMatchObject([
    { type: "Warning", message: expect.stringMatching(/there is no image to go back to/) },
  ]);
  expect(ports.published).toMatchObject([{ type: "Update Rolled Back", version }]);
  expectSelectable("RollBack", answer);
});

test("with its owner's leave it is pinned to what ran before", async () => {
  const ports = around(restarting({ ...pinning, rollout: unready }));
  expect(await rollBack(ports, giveUp)).toMatchObject({ kind: "rolled-back" });
  const pinned = `${prod}@${digest(1)}`;
  expect(ports.cluster.get()).toMatchObject({
    image: pinned,
    isPinned: true,
    inFlight: null,
    rollout: { image: pinned, readyReplicas: 3 },
    digests: { last: { app: digest(2) }, containers: [{ name: "app", image: prod }] },
  });
  expect(ports.cluster.events()).toMatchObject([
    { message: expect.stringMatching(/the digests that ran before were pinned/) },
  ]);
});

test("one too many opens the circuit", async () => {
  const ports = around(restarting({ policy: { maxRollbacks: 3 }, bookkeeping: { rollbackCount: 2 } }));
  expect(await rollBack(ports, giveUp)).toMatchObject({ kind: "tripped" });
  expect(ports.cluster.get().bookkeeping).toMatchObject({ rollbackCount: 3, circuitOpen: true });
});

test("switched off in mid-flight nothing is counted, blamed or pinned", async () => {
  const ports = around(restarting({ policy: { enabled: false, rollsBackDigests: true } }));
  expect(await rollBack(ports, giveUp)).toMatchObject({ kind: "rolled-back" });
  expect(ports.cluster.get()).toMatchObject({
    image: prod,
    isPinned: false,
    inFlight: null,
    bookkeeping: { rollbackCount: 0, failedVersions: [], versionHistory: [] },
  });
  expect(ports.cluster.events()).toMatchObject([{ message: expect.stringMatching(/there is no image to go back to/) }]);
});

test("an interrupted rollback is told as that of a restart, by whichever execution goes on", async () => {
  const marks = { ...restartInFlight, phase: "rollback", startedAt: "malformed", execution: "e-2" } as const;
  const counted = {
    failedVersions: [version],
    versionHistory: [{ version, appliedAt: noon, status: "RolledBack" }],
  } as const;
  const ports = around(restarting({ inFlight: marks, bookkeeping: { ...counted, rollbackCount: 1 } }));
  const input = { ...giveUp, execution: "e-2", strategy: "rolling", recovering: true } as const;
  expect(await rollBack(ports, input)).toMatchObject({ kind: "rolled-back" });
  expect(ports.cluster.get()).toMatchObject({ inFlight: null, bookkeeping: { ...counted, rollbackCount: 1 } });
  expect(ports.cluster.events()).toMatchObject([{ message: expect.stringMatching(/^The restart for/) }]);
});

describe("touches nothing where", () => {
  test.for([
    { when: "a person undid the restart", seen: restarting({ ...pinning, restartedAt: null }) },
    { when: "a person set another image", seen: restarting({ ...pinning, digests: { containers: [] } }) },
    { when: "another holds the claim", seen: restarting({ inFlight: { ...restartInFlight, execution: "e-2" } }) },
  ])("$when", async ({ seen }) => {
    const ports = around(seen, { atMoment: writesNothing });
    expect(await rollBack(ports, giveUp)).toMatchObject({ kind: "superseded" });
    expect(await rollBack(ports, { ...giveUp, verdict: "error" })).toMatchObject({ kind: "not-applied" });
  });
});

test("an update by tag gives the digests back with the tag", async () => {
  const marks = { ...inFlight, digests: { app: digest(2) } };
  const containers = [{ name: "app", image: target }];
  const digests = { containers, last: { app: digest(2) }, former: [{ app: digest(1) }] };
  const ports = around(followedBoth({ image: target, source: target, inFlight: marks, rollout: settled, digests }));
  expect(await rollBack(ports, { ...step, verdict: "expired", reason: "not ready" })).toMatchObject({
    kind: "rolled-back",
  });
  expect(ports.cluster.get()).toMatchObject({
    image,
    digests: { containers: [{ name: "app", image }], last: { app: digest(1) } },
    bookkeeping: { failedVersions: ["1.1.0"] },
  });
});
