import { expect, test } from "vitest";
import { rollbackOf } from "../../support/rollback.ts";
import { digest, prod, restartingWorkload, restartInFlight } from "../../support/digest-workloads.ts";
import { noon, completeRollout } from "../../support/workloads.ts";
import { around, expectSelectable, restartStep, revert } from "../steps.ts";

const rollBackStep = { ...restartStep, verdict: "expired", reason: "1 of 3 replicas ready" };
const version = `prod@${digest(2)}`;
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
