import { describe, expect, test } from "vitest";
import { rollbackOf } from "../../support/rollback.ts";
import { adoptUpdate } from "../../../functions/handlers/adopt-update.ts";
import { applyUpdate } from "../../../functions/handlers/apply-update.ts";
import { checkCanary } from "../../../functions/handlers/check-canary.ts";
import { AdmissionDenied } from "../../../functions/ports/errors.ts";
import { digest, restartingWorkload, restartInFlight } from "../../support/digest-workloads.ts";
import { once } from "../../support/fake-ports.ts";
import {
  after,
  canaryInFlight,
  canaryWorkload,
  image,
  inFlight,
  noon,
  updatingWorkload,
  workload,
  updateTarget,
} from "../../support/workloads.ts";
import { around, restartStep, step, revert, writesNothing } from "../steps.ts";

const failed = { ...step, verdict: "refused", reason: "AdmissionDenied: denied by policy" };
const pending = { ...inFlight, isApplied: false };
const adopting = { ...step, execution: "e-2", adopting: true };

describe("a change that was claimed, and that the cluster denied", () => {
  test("is released: its version is neither blamed nor counted", async () => {
    const denied = once("halfway change 1", () => {
      throw new AdmissionDenied("denied by policy");
    });
    const ports = around(workload(), { atMoment: denied });
    await expect(applyUpdate(ports, step)).rejects.toMatchObject({ name: "AdmissionDenied" });
    expect(ports.cluster.get()).toMatchObject({ image, inFlight: { isApplied: false } });
    expect(await revert(ports, failed)).toMatchObject({ kind: "refused" });
    expect(ports.cluster.get()).toMatchObject({
      image,
      inFlight: null,
      updateRecord: { rollbackCount: 0, circuitOpen: false, failedVersions: [], versionHistory: [] },
    });
  });

  test("is a restart whose digests are not recorded any more, so that the next poll tries again", async () => {
    const initial = restartingWorkload({ restartedAt: null, inFlight: { ...restartInFlight, isApplied: false } });
    const ports = around(initial);
    expect(await revert(ports, { ...restartStep, verdict: "refused", reason: "denied" })).toMatchObject({
      kind: "refused",
    });
    expect(ports.cluster.get()).toMatchObject({
      inFlight: null,
      digests: { deployed: { app: digest(1) } },
      updateRecord: { rollbackCount: 0, failedVersions: [] },
    });
  });
});

test("a change that was written is not reverted because a later one is refused", async () => {
  const ports = around(updatingWorkload(), {
    atMoment: (moment) => {
      if (moment === "before change") throw new Error("unexpected write");
    },
  });
  expect(await revert(ports, failed)).toMatchObject({ kind: "refused" });
  expect(ports.cluster.get()).toMatchObject({ image: updatingWorkload().image, inFlight: { execution: "e-1" } });
});

describe("its owner disabled auto-update after the claim, and before the change", () => {
  const disabled = { policy: { optIn: "no" as const }, image, inFlight: pending };

  test("the execution that adopts it applies nothing, and releases it", async () => {
    const ports = around(updatingWorkload(disabled));
    expect(await adoptUpdate(ports, adopting)).toMatchObject({ kind: "abort" });
    expect(ports.cluster.get()).toMatchObject({ image, inFlight: { execution: "e-2" } });
    await revert(ports, { ...failed, execution: "e-2", verdict: "abort" });
    expect(ports.cluster.get()).toMatchObject({ image, inFlight: null, updateRecord: { failedVersions: [] } });
  });
});

test("a canary that could not be created, and that a person aborts, is not created any more", async () => {
  const request = { verb: "abort", argument: null, token: "t-1" };
  const lost = { ...canaryInFlight, isApplied: false };
  const ports = around(canaryWorkload({ canary: null, inFlight: lost, request }));
  expect(await adoptUpdate(ports, adopting)).toMatchObject({ kind: "canary" });
  expect(ports.cluster.get().canary).toBeNull();
  expect(await checkCanary(ports, { ...adopting, executionStartedAt: noon.toISOString() })).toMatchObject({
    kind: "expired",
  });
  await revert(ports, { ...adopting, verdict: "expired", reason: "aborted manually" });
  expect(ports.cluster.get()).toMatchObject({
    inFlight: null,
    lastRequest: { token: "t-1", verb: "abort" },
    updateRecord: { rollbackCount: 0, failedVersions: ["1.1.0"] },
  });
});

describe("a refused change backs off", () => {
  const backOff = { reason: "Refused", message: failed.reason, target: updateTarget, attempts: 1, until: after(1) };
  const claimed = () => workload({ inFlight: pending });

  test.for([
    { what: "whose claim was written", initial: claimed() },
    { what: "whose claim was refused", initial: workload() },
  ])("$what: in its status, with one Warning Event per series", async ({ initial }) => {
    const ports = around(initial);
    expect(await revert(ports, failed)).toMatchObject({ kind: "refused", reason: failed.reason });
    expect(ports.cluster.get()).toMatchObject({
      inFlight: null,
      backOff: { ...backOff, execution: null },
      lastReported: { held: expect.stringContaining("1.1.0 is not applied (attempt 1, tried again at") },
    });
    const warnings = () => ports.cluster.events().filter(({ reason }) => reason === "AutoUpdateBackOff");
    expect(warnings()).toMatchObject([{ type: "Warning", message: expect.stringContaining("denied by policy") }]);
    // The function was invoked again: the attempt is not counted again.
    expect(await revert(ports, failed)).toMatchObject({ kind: "refused" });
    expect(ports.cluster.get().backOff).toMatchObject({ attempts: 1 });
    ports.pass(60);
    ports.cluster.put({ ...ports.cluster.get(), inFlight: initial.inFlight });
    expect(await revert(ports, failed)).toMatchObject({ kind: "refused" });
    expect(ports.cluster.get().backOff).toMatchObject({ attempts: 2, until: after(3) });
    expect(warnings()).toHaveLength(1);
  });

  test("and an interrupted release is continued without counting again", async () => {
    let changes = 0;
    const atMoment = (moment: string) => {
      if (moment === "before change") changes += 1;
      if (moment === "before change" && changes === 2) throw new Error("killed");
    };
    const ports = around(claimed(), { atMoment });
    await expect(revert(ports, failed)).rejects.toThrow("killed");
    expect(await revert(ports, failed)).toMatchObject({ kind: "refused" });
    expect(ports.cluster.get()).toMatchObject({ inFlight: null, backOff: { attempts: 1 } });
  });

  test("a rollback that waits to be continued is not released by a refusal", async () => {
    const rollback = rollbackOf(inFlight, { isApplied: false });
    const ports = around(updatingWorkload({ inFlight: rollback }));
    expect(await revert(ports, failed)).toMatchObject({ kind: "refused" });
    expect(ports.cluster.get().inFlight).toEqual(rollback);
  });

  test("an adoption that is refused before it takes the claim over fails with the refusal, and leaves the claim", async () => {
    const ports = around(updatingWorkload(), { atMoment: writesNothing });
    const refusal = await revert(ports, { ...failed, ...adopting });
    expect(refusal).toEqual({ kind: "refused", reason: failed.reason });
  });
});
