import { describe, expect, test } from "vitest";
import { rollbackOf } from "../../support/rollback.ts";
import {
  digest,
  tagAndDigestWorkload,
  prod,
  restartingWorkload,
  restartInFlight,
} from "../../support/digest-workloads.ts";
import { image, inFlight, noon, completeRollout, target } from "../../support/workloads.ts";
import { around, expectSelectable, restartStep, step, writesNothing, revert } from "../steps.ts";

const rollBackStep = { ...restartStep, verdict: "expired", reason: "1 of 3 replicas ready" };
const version = `prod@${digest(2)}`;
const pinning = { policy: { rollsBackDigests: true } };
const unready = { ...completeRollout, image: prod, readyReplicas: 1 };

test("a failed restart is counted, recorded and emitted, and not blamed: there is no previous image", async () => {
  const ports = around(restartingWorkload({ rollout: unready }));
  const result = await revert(ports, rollBackStep);
  expect(result).toMatchObject({ kind: "rolled-back", reason: "1 of 3 replicas ready" });
  expect(ports.cluster.get()).toMatchObject({
    image: prod,
    inFlight: null,
    isPinnedByPawl: false,
    rollout: unready,
    digests: { deployed: { app: digest(2) }, previous: [{ app: digest(1) }] },
    updateRecord: {
      rollbackCount: 1,
      failedVersions: [],
      versionHistory: [{ version, appliedAt: noon, status: "RolledBack" }],
    },
  });
  expect(ports.cluster.events()).toMatchObject([
    { reason: "AutoUpdateStarting", message: expect.stringMatching(/^Restarting/) },
    { type: "Warning", message: expect.stringMatching(/there is no previous image to restore/) },
  ]);
  expect(ports.published).toMatchObject([{ type: "Update Rolled Back", version }]);
  expectSelectable("RollBack", result);
});

test("if configured, it is pinned to the previous digest", async () => {
  const ports = around(restartingWorkload({ ...pinning, rollout: unready }));
  expect(await revert(ports, rollBackStep)).toMatchObject({ kind: "rolled-back" });
  const pinned = `${prod}@${digest(1)}`;
  expect(ports.cluster.get()).toMatchObject({
    image: pinned,
    isPinnedByPawl: true,
    inFlight: null,
    rollout: { image: pinned, readyReplicas: 3 },
    digests: { deployed: { app: digest(2) }, containers: [{ name: "app", image: prod }] },
  });
  expect(ports.cluster.events()).toMatchObject([
    { reason: "AutoUpdateStarting", message: expect.stringMatching(/^Restarting/) },
    { message: expect.stringMatching(/the previous digests were pinned/) },
  ]);
});

test("one rollback too many opens the circuit", async () => {
  const ports = around(restartingWorkload({ policy: { maxRollbacks: 3 }, updateRecord: { rollbackCount: 2 } }));
  expect(await revert(ports, rollBackStep)).toMatchObject({ kind: "circuit-tripped" });
  expect(ports.cluster.get().updateRecord).toMatchObject({ rollbackCount: 3, circuitOpen: true });
});

test("disabled during a restart, nothing is counted, recorded or pinned", async () => {
  const ports = around(restartingWorkload({ policy: { optIn: "no", rollsBackDigests: true } }));
  expect(await revert(ports, rollBackStep)).toMatchObject({ kind: "rolled-back" });
  expect(ports.cluster.get()).toMatchObject({
    image: prod,
    isPinnedByPawl: false,
    inFlight: null,
    updateRecord: { rollbackCount: 0, failedVersions: [], versionHistory: [] },
  });
  expect(ports.cluster.events()).toMatchObject([
    { reason: "AutoUpdateStarting", message: expect.stringMatching(/^Restarting/) },
    { message: expect.stringMatching(/there is no previous image to restore/) },
  ]);
});

test("an interrupted rollback is emitted as that of a restart, by any execution that continues it", async () => {
  const inFlightNow = rollbackOf(restartInFlight, { startedAt: "malformed", execution: "e-2" });
  const counted = {
    failedVersions: [version],
    versionHistory: [{ version, appliedAt: noon, status: "RolledBack" }],
  } as const;
  const ports = around(restartingWorkload({ inFlight: inFlightNow, updateRecord: { ...counted, rollbackCount: 1 } }));
  const input = { ...rollBackStep, execution: "e-2", strategy: "rolling", adopting: true } as const;
  expect(await revert(ports, input)).toMatchObject({ kind: "rolled-back" });
  expect(ports.cluster.get()).toMatchObject({ inFlight: null, updateRecord: { ...counted, rollbackCount: 1 } });
  expect(ports.cluster.events()).toMatchObject([{ message: expect.stringMatching(/^The restart for/) }]);
});

describe("writes nothing if", () => {
  test.for([
    { when: "the restart is undone manually", initial: restartingWorkload({ ...pinning, restartedAt: null }) },
    { when: "another image is set manually", initial: restartingWorkload({ ...pinning, digests: { containers: [] } }) },
    {
      when: "another execution holds the claim",
      initial: restartingWorkload({ inFlight: { ...restartInFlight, execution: "e-2" } }),
    },
  ])("$when", async ({ initial }) => {
    const ports = around(initial, { atMoment: writesNothing });
    expect(await revert(ports, rollBackStep)).toMatchObject({ kind: "superseded" });
    expect(await revert(ports, { ...rollBackStep, verdict: "refused" })).toMatchObject({ kind: "superseded" });
  });
});

test("an update by tag restores the digests with the tag", async () => {
  const inFlightNow = { ...inFlight, digests: { app: digest(2) } };
  const containers = [{ name: "app", image: target }];
  const digests = { containers, deployed: { app: digest(2) }, previous: [{ app: digest(1) }] };
  const ports = around(
    tagAndDigestWorkload({
      image: target,
      source: target,
      inFlight: inFlightNow,
      rollout: { ...unready, image: target },
      digests,
    }),
  );
  expect(await revert(ports, { ...step, verdict: "expired", reason: "not ready" })).toMatchObject({
    kind: "rolled-back",
  });
  expect(ports.cluster.get()).toMatchObject({
    image,
    digests: { containers: [{ name: "app", image }], deployed: { app: digest(1) } },
    updateRecord: { failedVersions: ["1.1.0"] },
  });
});
