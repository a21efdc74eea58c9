import { describe, expect, test } from "vitest";
import { rollbackOf } from "../../../support/rollback.ts";
import { recordConfig } from "../../../../functions/domain/workload/config/record.ts";
import { configDigests, containerDigests } from "../../../../functions/domain/workload/config/tracking.ts";
import { releaseChange } from "../../../../functions/domain/workload/update/claim.ts";
import { decideWithoutTags } from "../../../../functions/domain/workload/decision/decide.ts";
import { hold } from "../../../../functions/domain/workload/decision/decision.ts";
import { updateAvailableEvent, updateStartedEvent } from "../../../../functions/domain/workload/event/events.ts";
import { isManagedChange } from "../../../../functions/domain/workload/decision/manual-change.ts";
import { preconditionFailure } from "../../../../functions/domain/workload/decision/preconditions.ts";
import { recordCheck } from "../../../../functions/domain/workload/record/record-check.ts";
import {
  recordRollback,
  recordWithdrawal,
  resumeRollback,
} from "../../../../functions/domain/workload/rollback/rollback.ts";
import { assessRollback } from "../../../../functions/domain/workload/rollback/rollback-progress.ts";
import { recordStart, recordSuccess } from "../../../../functions/domain/workload/record/update-record.ts";
import { type WorkloadParts, updateTarget } from "../../../support/workloads.ts";
import {
  config,
  configDigest,
  configInFlight,
  configRestart,
  configTarget,
  configWorkload,
} from "../../../support/workloads/config-workloads.ts";
import { digest, tracking } from "../../../support/digest-workloads.ts";
import { after, image, inFlight, noon, policy, target, workload } from "../../../support/workloads.ts";
import { rollbackEvent } from "../../../../functions/domain/workload/event/revert-events.ts";

const second = { "configmap/app": configDigest(2) };
const chosen = { target: configTarget, digests: second };

describe("digests of an update", () => {
  const both = { app: digest(1), ...second };

  test.for([
    { digests: null, containers: null, configuration: null },
    { digests: {}, containers: null, configuration: null },
    { digests: both, containers: { app: digest(1) }, configuration: second },
    { digests: second, containers: null, configuration: second },
  ])("are of containers, or of configuration: $digests", ({ digests, containers, configuration }) => {
    expect([containerDigests(digests), configDigests(digests)]).toEqual([containers, configuration]);
  });

  test("are recorded apart from each other", () => {
    const own = workload({ config, digests: tracking });
    const claimed = { ...inFlight, digests: both };
    expect(recordStart(own, { target: updateTarget, digests: both }, "e-1", noon).digests?.deployed).toEqual({
      app: digest(1),
    });
    expect(recordSuccess(own, claimed, noon).config).toEqual({ deployed: second });
  });
});

describe("a restart for changed configuration", () => {
  const own = configRestart({
    digests: { ...tracking, previous: [{ app: digest(3) }] },
    policy: { rollsBackDigests: true },
  });

  test("records no digest of an image", () => {
    const change = recordStart(configWorkload({ digests: tracking }), chosen, "e-1", noon);
    expect(change).toMatchObject({ restart: noon, inFlight: { target: configTarget, previousImage: null } });
    expect(change.digests).toBeUndefined();
  });

  test("records the configuration once all pods run with it", () => {
    expect(recordSuccess(own, configInFlight, noon)).toMatchObject({
      config: { deployed: second },
      updateRecord: { currentVersion: "1.0.0", versionHistory: [{ version: `1.0.0@${configDigest(2)}`, image }] },
    });
  });

  test("keeps what is recorded of other references", () => {
    const other = { ...config, deployed: { "configmap/app": configDigest(1), "secret/db": configDigest(7) } };
    expect(recordConfig(configRestart({ config: other }), configInFlight)).toEqual({
      config: { deployed: { ...second, "secret/db": configDigest(7) } },
    });
  });

  test("records nothing if the configuration is tracked no more", () => {
    expect(recordConfig(workload(), configInFlight)).toEqual({});
  });

  test("that fails is counted and not blamed, records the configuration, and pins no digest", () => {
    const change = recordRollback(own, configInFlight, "not ready", after(11));
    expect(change).toMatchObject({
      config: { deployed: second },
      updateRecord: { rollbackCount: 1 },
    });
    expect(change.updateRecord).not.toHaveProperty("failedVersions");
    expect([change.pins, change.image, change.digests]).toEqual([undefined, undefined, undefined]);
  });

  test("that is withdrawn is tried again: the configuration is not recorded, and the digests stay", () => {
    const change = recordWithdrawal(own, configInFlight, "NotStarted", "no pod", after(11));
    expect(change).toMatchObject({ backOff: { target: configTarget } });
    expect([change.config, change.digests]).toEqual([undefined, undefined]);
  });

  test("whose rollback is resumed pins nothing, and waits for nothing", () => {
    const rollingBack = rollbackOf(configInFlight, { isApplied: false });
    expect(resumeRollback(own, rollingBack, after(12)).pins).toBeUndefined();
    expect(assessRollback(own, { ...rollingBack, revertedAt: noon }, after(12))).toEqual({ kind: "ready" });
  });

  test("that a person undid is not repeated", () => {
    expect(releaseChange(own, configInFlight)).toMatchObject({ inFlight: null, config: { deployed: second } });
  });

  test("an update of the image that a person undid leaves the change to a restart", () => {
    expect(releaseChange(own, { ...inFlight, digests: second }).config).toBeUndefined();
  });

  test("is named in its events", () => {
    expect(updateAvailableEvent(own, configTarget).message).toBe(`The configuration of ${image} has changed`);
    expect(updateStartedEvent(configTarget, "e-1").message).toBe(
      `Restarting ${image} for changed configuration (execution e-1)`,
    );
    expect(rollbackEvent(own, configTarget, "e-1", "not ready").message).toContain("; the configuration stays");
  });

  test.for<{ readonly when: string; readonly parts: WorkloadParts; readonly isManaged: boolean }>([
    { when: "it is in place", parts: {}, isManaged: true },
    { when: "a person restarted it again", parts: { restartedAt: after(1) }, isManaged: true },
    { when: "a person undid it", parts: { restartedAt: null }, isManaged: false },
    { when: "a person set another image", parts: { image: target }, isManaged: false },
    { when: "there is no container", parts: { image: null }, isManaged: false },
    {
      when: "it is claimed and not written",
      parts: { restartedAt: null, inFlight: { ...configInFlight, isApplied: false } },
      isManaged: true,
    },
    {
      when: "a person set another image before it was written",
      parts: { image: target, inFlight: { ...configInFlight, isApplied: false } },
      isManaged: false,
    },
    {
      when: "the image is pinned, of another container than those tracked by digest",
      parts: { image: `${image}@${digest(1)}`, digests: { ...tracking, containers: [] } },
      isManaged: true,
    },
  ])("is Pawl's own, or superseded: $when", ({ parts, isManaged }) => {
    const restarted = configRestart(parts);
    expect(isManagedChange(restarted, restarted.inFlight ?? configInFlight)).toBe(isManaged);
  });

  test.for<{ readonly when: string; readonly parts: WorkloadParts; readonly failure: string }>([
    { when: "nothing has changed since the poll", parts: {}, failure: "none" },
    { when: "it is deployed", parts: { config: { ...config, deployed: second } }, failure: "already deployed" },
    { when: "the image was changed", parts: { image: target }, failure: `the workload now runs ${target}` },
    { when: "there is no container", parts: { image: null }, failure: "the workload now runs null" },
    {
      when: "it is paused",
      parts: { policy: { paused: true } },
      failure: "it is suspended, or pawl.dev/paused is set",
    },
    { when: "its circuit is open", parts: { updateRecord: { circuitOpen: true } }, failure: "the circuit is open" },
    {
      when: "it has failed",
      parts: { updateRecord: { failedVersions: [`1.0.0@${configDigest(2)}`] } },
      failure: "has failed before",
    },
  ])("starts only if it is needed: $when", ({ parts, failure }) => {
    const reason = preconditionFailure(configWorkload(parts), chosen, noon);
    expect(reason ?? "none").toContain(failure);
  });

  test.for([
    { when: "it is tracked no more", own: workload(), digests: second, failure: "restarts it no more" },
    { when: "no configuration is named", own: configWorkload(), digests: null, failure: "already deployed" },
  ])("does not start: $when", ({ own: found, digests, failure }) => {
    expect(preconditionFailure(found, { ...chosen, digests }, noon)).toContain(failure);
  });

  test("a restart for a digest and for configuration compares the digests of the containers", () => {
    const tracked = workload({ config, digests: { ...tracking, containers: [{ name: "app", image }] } });
    const byDigest = { kind: "digest", image, digest: digest(2) } as const;
    const start = { target: byDigest, digests: { app: digest(2), ...second } };
    expect(preconditionFailure(tracked, start, noon)).toBeNull();
    expect(preconditionFailure(tracked, { ...start, digests: second }, noon)).toContain("already deployed");
  });
});

describe("a workload whose configuration alone is tracked", () => {
  test.for([
    { when: "at a poll", parts: {}, decision: { kind: "undecided", source: null } },
    { when: "paused", parts: { policy: { ...policy, paused: true } }, decision: { kind: "hold", reason: "paused" } },
    {
      when: "with an image that is pinned by digest",
      parts: { image: `${image}@${digest(1)}` },
      decision: { kind: "undecided", source: null },
    },
  ])("$when: $decision", ({ parts, decision }) => {
    expect(decideWithoutTags(configWorkload(parts), noon)).toMatchObject(decision);
  });

  test("the baseline is recorded", () => {
    const update = { salt: "5a17", deployed: second, versions: { "configmap/app": "2" } };
    const held = { ...hold("same-config", "only its configuration is tracked"), config: update };
    expect(recordCheck(configWorkload(), held, noon).change).toEqual({
      config: update,
      updateRecord: { currentVersion: "1.0.0", lastCheck: noon },
    });
  });
});
