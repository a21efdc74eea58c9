import { describe, expect, test } from "vitest";
import { rollbackOf } from "../../support/rollback.ts";
import { restoreRelease } from "../../../functions/handlers/restore-release.ts";
import { rollBack } from "../../../functions/handlers/roll-back.ts";
import { request, claim, snapshot } from "../../domain/workload/release/releases.ts";
import type { FakePorts } from "../../support/fake-ports.ts";
import { noon } from "../../support/workloads.ts";
import { fieldProblem } from "../../../functions/domain/workload/policy/problem.ts";
import { pollCluster } from "../../../functions/workflows/poll/poll-cluster.ts";
import { runUntilComplete } from "../run-workload-update.ts";
import { one, two, step, running, restoring, around } from "./release-fixtures.ts";

const reasons = (ports: FakePorts) => ports.cluster.events().map(({ reason }) => reason);

describe("a release that fails, and whose template before was deleted", () => {
  test("ends as a failed rollback that opens the circuit, and is no recorded rollback", async () => {
    const snapshots = [snapshot(2), snapshot(1)];
    const ports = around(running({ request }), {
      snapshots,
      broken: new Set([one.image]),
      // Its controller prunes it while the release is checked.
      atMoment: (moment) => void (moment === "before emitEvent" && snapshots.splice(0, 1)),
    });
    await runUntilComplete(ports);
    const after = ports.cluster.get();
    expect([after.image, after.inFlight, after.updateRecord.circuitOpen]).toEqual([one.image, null, true]);
    expect(after.updateRecord.versionHistory).toHaveLength(1);
    expect(after.updateRecord.versionHistory.at(-1)).toMatchObject({
      status: "RollbackFailed",
      release: 1,
      reason: expect.stringMatching(/not ready after 60 s.*; .*no snapshot any more: app-2 was deleted/),
    });
    expect([after.updateRecord.rollbackCount, after.updateRecord.failedVersions]).toEqual([0, []]);
    expect(reasons(ports)).toEqual(["AutoUpdateStarting", "AutoUpdateRollback", "AutoUpdateCircuitOpen"]);
    const [, reverted, opened] = ports.cluster.events();
    expect(reverted?.message).toContain("the pod template before it is not restored");
    expect(opened?.message).toContain("because a rollback could not be reverted");
    expect(after.releases?.list.at(-1)).toMatchObject({ result: "Failed", version: "1.1.0" });
  });

  test("ends the same in another execution, which adopts it", async () => {
    const initial = restoring({ inFlight: rollbackOf(claim, { isApplied: false }) });
    const ports = around(initial, { snapshots: [snapshot(1)] });
    await runUntilComplete(ports);
    const { inFlight, updateRecord } = ports.cluster.get();
    expect([inFlight, updateRecord.circuitOpen]).toEqual([null, true]);
    expect(updateRecord.versionHistory.at(-1)?.status).toBe("RollbackFailed");
  });

  test("keeps the template that its owner has set since", async () => {
    const initial = restoring({
      inFlight: rollbackOf(claim, { isApplied: false }),
      releases: { list: [one, two], hash: "own" },
    });
    const ports = around(initial, { snapshots: [snapshot(1)] });
    expect((await restoreRelease(ports, step)).kind).toBe("applied");
    expect(ports.cluster.get()).toMatchObject({ releases: { hash: "own" }, updateRecord: { circuitOpen: false } });
  });
});

test("an invalid setting keeps no version running that a person leaves", async () => {
  const problems = [fieldProblem("pawl.dev/canary", "InvalidValue", "what?")];
  const ports = around(running({ request: { ...request, argument: null }, problems }));
  const { started } = await pollCluster(ports);
  expect(started).toBe(1);
  expect((await restoreRelease(ports, step)).kind).toBe("applied");
  expect(ports.cluster.get().image).toBe(one.image);
});

describe("a deployment that disables releases ends one in flight", () => {
  const disabled = { ...step, verdict: "disabled", reason: "the configuration does not enable this feature" };

  test.for([
    { when: "its template is in place", inFlight: claim },
    { when: "it must be reverted", inFlight: rollbackOf(claim, { isApplied: false }) },
  ])("as a failed rollback: $when", async ({ inFlight }) => {
    const ports = around(restoring({ inFlight: { ...inFlight, execution: "lost" } }));
    expect((await rollBack(ports, { ...disabled, adopting: true })).kind).toBe("reverting");
    expect(ports.cluster.get()).toMatchObject({
      inFlight: { phase: "rollback", isApplied: true, execution: "e-1" },
      updateRecord: { circuitOpen: true, versionHistory: [{ status: "RollbackFailed" }] },
    });
  });

  test("without a trace if its template was not written", async () => {
    const ports = around(running({ inFlight: { ...claim, isApplied: false, execution: "lost" } }));
    expect((await rollBack(ports, { ...disabled, adopting: true })).kind).toBe("superseded");
    expect(ports.cluster.get()).toMatchObject({ inFlight: null, updateRecord: { circuitOpen: false } });
  });

  test("as rolled back if only its pods are waited for", async () => {
    const inFlight = rollbackOf(claim, { execution: "lost", revertedAt: noon });
    const ports = around(running({ inFlight }));
    expect((await rollBack(ports, { ...disabled, adopting: true })).kind).toBe("reverting");
    expect(ports.cluster.get()).toMatchObject({ inFlight: { execution: "e-1" }, updateRecord: { circuitOpen: false } });
  });

  test.for([
    { when: "another execution holds it", initial: restoring({ inFlight: { ...claim, execution: "e-2" } }) },
    {
      when: "its target is another",
      initial: restoring({ inFlight: { ...claim, target: { ...claim.target, number: 2 } } }),
    },
    { when: "its owner changed the template", initial: restoring({ releases: { list: [one, two], hash: "own" } }) },
    {
      when: "another installation holds it",
      initial: restoring({ record: { ...restoring().record, claimedElsewhereUntil: noon } }),
    },
  ])("only if it is its own: $when", async ({ initial }) => {
    const ports = around(initial);
    expect((await rollBack(ports, disabled)).kind).toBe("superseded");
    expect(ports.cluster.get()).toEqual(initial);
  });
});
