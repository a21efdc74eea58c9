import { expect, test } from "vitest";
import { rollbackOf } from "../../support/rollback.ts";
import { emptyUpdateRecord } from "../../../functions/domain/workload/record/update-record.ts";
import { before, sidecar, target, type BuiltInKind } from "../cluster-fixtures.ts";
import { createAutoUpdate, patchAutoUpdate, patchStatus, updateOf } from "./auto-update/harness.ts";
import { change, createWorkload, patchObject, read, type At } from "./harness.ts";
import { inFlightClaim } from "./steps.ts";
import type { UpdateStatus } from "../../../functions/adapters/kubernetes/auto-update/status/status-fields.ts";

const claimed = { ...inFlightClaim, isApplied: true };
const restart = { kind: "digest", image: target, digest: `sha256:${"0".repeat(64)}` } as const;
const forged = (image: string) => ({ target: { kind: "image", image } as const });

/** Tests how the status of an AutoUpdate is read. */
export function testReadingRecord(at: At, kind: BuiltInKind): void {
  test("annotations that say what an AutoUpdate records are not read", async () => {
    const annotations = {
      "pawl.dev/target-image": target,
      "pawl.dev/update-phase": "HealthCheck",
      "pawl.dev/update-started": "2026-11-20T12:00:00Z",
      "pawl.dev/execution": "e-1",
      "pawl.dev/previous-image": before,
      "pawl.dev/rolling-back": target,
      "pawl.dev/canary-verdict": "promote",
    };
    expect(await read(at(), await createWorkload(at(), kind, { annotations }))).toMatchObject({
      inFlight: null,
      updateRecord: emptyUpdateRecord,
      lastReported: { held: null, problem: null },
      verdict: null,
      analysis: null,
      problems: [],
      record: { state: "missing", resourceVersion: null, isManaged: true, claimedElsewhereUntil: null },
    });
  });

  test.for([
    { what: "an applied update", update: {}, inFlight: claimed },
    {
      what: "a start time in another time zone",
      update: { startedAt: "2026-11-20T13:00:00+01:00" },
      inFlight: claimed,
    },
    { what: "no previous image", update: { previousImage: undefined }, inFlight: { ...claimed, previousImage: null } },
    { what: "a canary", update: { strategy: "Canary" }, inFlight: { ...claimed, phase: "canary" } },
    {
      what: "a restart",
      update: { strategy: "Restart", target: restart },
      inFlight: { ...claimed, phase: "restart", target: restart },
    },
    { what: "a restart to an image, which no Pawl writes", update: { strategy: "Restart" }, inFlight: null },
    {
      what: "a rollout to a digest, which no Pawl writes",
      update: { target: restart },
      inFlight: null,
    },
    { what: "a rollback", update: { phase: "RollingBack" }, inFlight: rollbackOf(claimed) },
    {
      what: "a rollback that has to be restored",
      update: { phase: "RollingBack", restorePending: true },
      inFlight: rollbackOf(claimed, { isApplied: false }),
    },
    { what: "another uid", update: { targetUID: "00000000-0000-0000-0000-000000000000" }, inFlight: null },
    { what: "another repository", update: forged("registry.invalid:5000/evil/app:1.1.0"), inFlight: null },
    { what: "another registry", update: forged("evil.invalid/shop/app:1.1.0"), inFlight: null },
    {
      what: "an untracked container's repository",
      update: forged("registry.invalid/proxy:9"),
      inFlight: null,
    },
    {
      what: "a previous image of another repository",
      update: { previousImage: "registry.invalid:5000/evil/app:1.0.0" },
      inFlight: { ...claimed, previousImage: null },
    },
    {
      what: "a previous image of another container",
      update: { previousImage: sidecar.image },
      inFlight: { ...claimed, previousImage: null },
    },
  ] as const)("status.update with $what", async ({ update, inFlight }) => {
    const ref = await createWorkload(at(), kind);
    await createAutoUpdate(at(), ref, {});
    await patchStatus(at(), ref, { update: updateOf(ref, update as Partial<UpdateStatus>) });
    expect((await read(at(), ref)).inFlight).toEqual(inFlight);
  });

  test("an update that is ignored is removed by the next write, and holds nothing", async () => {
    const ref = await createWorkload(at(), kind);
    await change(at(), ref, () => ({ lastReported: { held: "no" } }));
    const targetUID = "00000000-0000-0000-0000-000000000000";
    await patchStatus(at(), ref, { update: updateOf(ref, { targetUID, holder: "another", hasCanary: true }) });
    const { record } = await read(at(), ref);
    expect(record).toMatchObject({ state: "changed", claimedElsewhereUntil: null });
    const { record: after, inFlight, lastReported } = await change(at(), ref, () => ({}));
    expect({ state: after.state, inFlight, held: lastReported.held }).toEqual({
      state: "observed",
      inFlight: null,
      held: "no",
    });
  });

  test("the claim of another holder is reported until it expires", async () => {
    const ref = await createWorkload(at(), kind);
    await createAutoUpdate(at(), ref, {});
    await patchStatus(at(), ref, { update: updateOf(ref, { holder: "another" }) });
    const expiresAt = new Date("2026-11-20T12:25:00Z");
    expect((await read(at(), ref)).record.claimedElsewhereUntil).toEqual(expiresAt);
    at().now = expiresAt;
    const expired = await read(at(), ref);
    expect(expired.record.claimedElsewhereUntil).toBeNull();
    expect(expired.inFlight).toEqual(claimed);
    await patchStatus(at(), ref, { update: updateOf(ref) });
    at().now = new Date("2026-11-20T12:00:00Z");
    expect((await read(at(), ref)).record.claimedElsewhereUntil).toBeNull();
  });

  test("an edited spec is a change that the next write has observed", async () => {
    const ref = await createWorkload(at(), kind, { optIn: null });
    await createAutoUpdate(at(), ref, { policy: {} });
    expect((await read(at(), ref)).record).toMatchObject({ state: "changed", isManaged: false });
    expect((await change(at(), ref, () => ({}))).record.state).toBe("observed");
    await patchAutoUpdate(at(), ref, { spec: { policy: { versionConstraint: "^1" } } });
    expect(await read(at(), ref)).toMatchObject({ record: { state: "changed" }, policy: { versionConstraint: "^1" } });
    expect((await change(at(), ref, () => ({}))).record.state).toBe("observed");
    await patchObject(at(), ref, { metadata: { annotations: { "example.com/note": "x" } } });
    expect((await read(at(), ref)).record.state).toBe("observed");
  });

  test("the last reported hold and problem are read back", async () => {
    const ref = await createWorkload(at(), kind);
    const lastReported = { held: "the reason", problem: "the problem" };
    expect((await change(at(), ref, () => ({ lastReported }))).lastReported).toEqual(lastReported);
    await patchStatus(at(), ref, { conditions: null, holdReason: null });
    expect((await read(at(), ref)).lastReported).toEqual({ held: null, problem: null });
  });
}
