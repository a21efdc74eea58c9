import { describe, expect, test } from "vitest";
import { recordStart, recordSuccess } from "../../../../functions/domain/workload/record/update-record.ts";
import type { Digests } from "../../../../functions/domain/workload/digest/tracking.ts";
import {
  digest,
  digestWorkload,
  tagAndDigestWorkload,
  type DigestWorkloadParts,
  restartingWorkload,
  restartInFlight,
  restartTarget,
} from "../../../support/digest-workloads.ts";
import { after, noon, target, updateTarget } from "../../../support/workloads.ts";

const version = `prod@${digest(2)}`;
const restart = { target: restartTarget, digests: { app: digest(2) } };

describe("recordStart of a restart", () => {
  test("claims, restarts and records the digests in one change, and sets no image", () => {
    const change = recordStart(digestWorkload(), restart, "e-1", noon);
    expect(change).toMatchObject({
      restart: noon,
      inFlight: restartInFlight,
      digests: { deployed: { app: digest(2) }, previous: [{ app: digest(1) }], reverted: null },
      updateRecord: { candidateVersion: version, lastCheck: noon, lastUpdate: noon },
    });
    expect(change).not.toHaveProperty("image");
    expect(change.updateRecord).not.toHaveProperty("currentVersion");
  });

  test("neither restarts nor drops digests if its own execution repeats it", () => {
    const change = recordStart(restartingWorkload({ restartedAt: after(2) }), restart, "e-1", after(5));
    expect(change).not.toHaveProperty("restart");
    expect(change.inFlight).toEqual(restartInFlight);
    expect(change.digests).toEqual({ deployed: { app: digest(2) }, reverted: null });
  });

  test.for<{ when: string; digests: DigestWorkloadParts["digests"]; previous: readonly Digests[] }>([
    { when: "it is the first restart", digests: { deployed: {} }, previous: [] },
    {
      when: "only kubernetes-image-updater recorded a digest",
      digests: { deployed: {}, external: { app: digest(1) } },
      previous: [{ app: digest(1) }],
    },
    {
      when: "one previous digest is recorded",
      digests: { previous: [{ app: digest(9) }] },
      previous: [{ app: digest(9) }, { app: digest(1) }],
    },
    {
      when: "the digest is already recorded as previous",
      digests: { previous: [{ app: digest(1) }, { app: digest(9) }] },
      previous: [{ app: digest(9) }, { app: digest(1) }],
    },
    {
      when: "ten previous digests are recorded",
      digests: { previous: Array.from({ length: 10 }, (_, index) => ({ app: digest(20 + index) })) },
      previous: [...Array.from({ length: 9 }, (_, index) => ({ app: digest(21 + index) })), { app: digest(1) }],
    },
  ])("remembers what ran, the newest deployed: $when", ({ digests, previous }) => {
    expect(recordStart(digestWorkload({ digests }), restart, "e-1", noon).digests?.previous).toEqual(previous);
  });

  test("records no digests if none is tracked any more", () => {
    expect(recordStart({ ...digestWorkload(), digests: null }, restart, "e-1", noon)).not.toHaveProperty("digests");
  });
});

test("an update by tag records its digests, and keeps the recorded ones if it has none", () => {
  const digests = { app: digest(2) };
  const change = recordStart(tagAndDigestWorkload(), { target: updateTarget, digests }, "e-1", noon);
  expect(change).toMatchObject({
    image: target,
    inFlight: { digests, phase: "rollout" },
    digests: { deployed: digests },
  });
  expect(recordStart(tagAndDigestWorkload(), { target: updateTarget, digests: null }, "e-1", noon)).not.toHaveProperty(
    "digests",
  );
});

describe("recordSuccess of a restart", () => {
  const recorded = (parts: DigestWorkloadParts) =>
    recordSuccess(restartingWorkload(parts), restartInFlight, after(1)).updateRecord;

  test("adds the digest to the history and closes the circuit", () => {
    expect(recorded({ updateRecord: { rollbackCount: 2, circuitOpen: true } })).toMatchObject({
      rollbackCount: 0,
      circuitOpen: false,
      versionHistory: [{ version, appliedAt: noon, status: "Healthy" }],
    });
  });

  test.for<{ when: string; parts: DigestWorkloadParts; current: string | undefined }>([
    { when: "tracked by digest alone", parts: {}, current: "prod" },
    { when: "tracked by digest alone, without a tag", parts: { image: "app" }, current: undefined },
    { when: "tracked by digest alone, without an image", parts: { image: null }, current: undefined },
    {
      when: "a person rolled back from 1.2.0",
      parts: { source: target, updateRecord: { currentVersion: "1.2.0" } },
      current: "1.2.0",
    },
    { when: "no version is recorded", parts: { source: target }, current: undefined },
  ])("keeps the tag: $when, current is $current", ({ parts, current }) => {
    expect(recorded(parts)?.currentVersion).toBe(current);
  });
});
