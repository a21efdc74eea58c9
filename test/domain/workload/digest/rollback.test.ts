import { describe, expect, test } from "vitest";
import { recordRollback } from "../../../../functions/domain/workload/rollback/rollback.ts";
import { rollbackPins } from "../../../../functions/domain/workload/digest/record.ts";
import type { Digests } from "../../../../functions/domain/workload/digest/tracking.ts";
import {
  digest,
  tagAndDigestWorkload,
  type DigestWorkloadParts,
  restartingWorkload,
  restartInFlight,
  restartTarget,
} from "../../../support/digest-workloads.ts";
import { after, inFlight, noon, target, updatingWorkload, updateTarget } from "../../../support/workloads.ts";
import { rollbackEvent } from "../../../../functions/domain/workload/event/revert-events.ts";

const version = `prod@${digest(2)}`;

describe("recordRollback of a restart", () => {
  const rolledBack = (parts: DigestWorkloadParts) =>
    recordRollback(restartingWorkload(parts), restartInFlight, "not ready", after(11));
  const pinning = { policy: { rollsBackDigests: true } };

  test("counts its digest and does not blame it, and restores neither image nor digests", () => {
    const change = rolledBack({ policy: { maxRollbacks: 1 } });
    expect(change).toMatchObject({
      inFlight: { phase: "rollback" },
      updateRecord: { rollbackCount: 1, circuitOpen: true },
    });
    expect(change.updateRecord).not.toHaveProperty("failedVersions");
    for (const key of ["image", "pins", "digests"]) expect(change).not.toHaveProperty(key);
  });

  test("pins to the previous digest if its owner allows it", () => {
    expect(rolledBack(pinning)).toMatchObject({
      pins: { app: digest(1) },
      updateRecord: { failedVersions: [version] },
    });
  });

  test.for<{ when: string; parts: DigestWorkloadParts; pins: Digests }>([
    { when: "no previous digest is known", parts: { digests: { previous: [] } }, pins: {} },
    {
      when: "the previous digest has failed too",
      parts: {
        digests: { previous: [{ app: digest(7) }, { app: digest(8) }, { app: digest(9) }] },
        updateRecord: { failedVersions: [`prod@${digest(8)}`, `prod@${digest(9)}`] },
      },
      pins: { app: digest(7) },
    },
    {
      when: "the restart for the newest was superseded by a person",
      parts: {
        digests: { previous: [{ app: digest(7) }, { app: digest(8) }, { app: digest(9) }] },
        updateRecord: {
          versionHistory: [
            { version: `prod@${digest(7)}`, appliedAt: noon, status: "Healthy" },
            { version: `prod@${digest(8)}`, appliedAt: after(1), status: "Healthy" },
            { version: `prod@${digest(9)}`, appliedAt: after(2), status: "Withdrawn" },
          ],
        },
      },
      pins: { app: digest(8) },
    },
    {
      when: "all previous digests have failed",
      parts: { digests: { previous: [{ app: digest(9) }] }, updateRecord: { failedVersions: [`prod@${digest(9)}`] } },
      pins: {},
    },
    {
      when: "a person has changed the tag since",
      parts: { updateRecord: { currentVersion: "stable" } },
      pins: {},
    },
    { when: "the tag is unchanged", parts: { updateRecord: { currentVersion: "prod" } }, pins: { app: digest(1) } },
    { when: "the image is not known", parts: { image: null, updateRecord: { currentVersion: "prod" } }, pins: {} },
    { when: "the previous digest is the same", parts: { digests: { previous: [{ app: digest(2) }] } }, pins: {} },
    {
      when: "one container is new, and one is unchanged",
      parts: {
        digests: {
          containers: ["app", "side", "log"].map((name) => ({ name, image: "app:prod" })),
          deployed: { app: digest(2), side: digest(5), log: digest(6) },
          previous: [{ app: digest(1), side: digest(5) }],
        },
      },
      pins: { app: digest(1) },
    },
  ])("pins to the last healthy digests: $when", ({ parts, pins }) => {
    expect(rollbackPins(restartingWorkload(parts))).toEqual(pins);
    expect(rolledBack({ ...parts, ...pinning }).pins ?? {}).toEqual(pins);
  });

  test("pins nothing of a workload tracked by tag alone", () => {
    expect(rollbackPins(updatingWorkload())).toEqual({});
  });

  test.for([
    { when: "by default", parts: {}, message: /there is no previous image to restore/ },
    { when: "if allowed by its owner", parts: pinning, message: /the previous digests were pinned/ },
    {
      when: "if allowed, and no digest is known",
      parts: { ...pinning, digests: { previous: [] } },
      message: /no previous image to restore/,
    },
    {
      when: "with the digest in its reference",
      parts: {
        digests: {
          containers: [{ name: "app", image: restartTarget.image, digest: digest(1) }],
          previous: [{ app: digest(1) }],
        },
      },
      message: /the previous digests were restored/,
    },
    {
      when: "disabled during the restart",
      parts: { policy: { rollsBackDigests: true, optIn: "no" as const } },
      message: /no previous image to restore/,
    },
  ])("names the outcome: $when", ({ parts, message }) => {
    expect(rollbackEvent(restartingWorkload(parts), restartTarget, "e-1", "not ready").message).toMatch(message);
  });

  test("is distinguished from the rollback of an update by tag", () => {
    expect(rollbackEvent(restartingWorkload(), restartTarget, "e-1", "not ready")).toMatchObject({
      reason: "AutoUpdateRollback",
      version,
    });
    const { message } = rollbackEvent(tagAndDigestWorkload(), updateTarget, "e-1", "not ready");
    expect(message).toBe(`Rolled back from ${target} to registry.example/shop/app:1.0.0: not ready (execution e-1)`);
  });
});

describe("recordRollback of an update by tag restores the digests", () => {
  const claim = { ...inFlight, digests: { app: digest(2) } };
  test.for<{ when: string; digests: DigestWorkloadParts["digests"]; deployed: Digests | null | undefined }>([
    { when: "they are known", digests: { previous: [{ app: digest(1) }] }, deployed: { app: digest(1) } },
    { when: "it was the first", digests: { previous: [] }, deployed: null },
  ])("$when", ({ digests, deployed }) => {
    const change = recordRollback(tagAndDigestWorkload({ digests, inFlight: claim }), claim, "not ready", after(11));
    expect(change).toMatchObject({ image: inFlight.previousImage, digests: { deployed } });
    expect(change).not.toHaveProperty("pins");
  });

  test("unless it has no digests, or none is tracked", () => {
    expect(recordRollback(tagAndDigestWorkload(), inFlight, "not ready", after(11))).not.toHaveProperty("digests");
    expect(recordRollback(updatingWorkload(), claim, "not ready", after(11))).not.toHaveProperty("digests");
  });
});
