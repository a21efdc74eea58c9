import { describe, expect, test } from "vitest";
import { recordConfig } from "../../../../functions/domain/workload/config/record.ts";
import { configDigests, containerDigests } from "../../../../functions/domain/workload/config/tracking.ts";
import { releaseChange } from "../../../../functions/domain/workload/update/claim.ts";
import { hold } from "../../../../functions/domain/workload/decision/decision.ts";
import { updateAvailableEvent, updateStartedEvent } from "../../../../functions/domain/workload/event/events.ts";
import { isManagedChange } from "../../../../functions/domain/workload/decision/manual-change.ts";
import { preconditionFailure } from "../../../../functions/domain/workload/decision/preconditions.ts";
import { recordCheck } from "../../../../functions/domain/workload/record/record-check.ts";
import { recordRollback, recordWithdrawal } from "../../../../functions/domain/workload/rollback/rollback.ts";
import { recordStart, recordSuccess } from "../../../../functions/domain/workload/record/update-record.ts";
import { type WorkloadParts } from "../../../support/workloads.ts";
import {
  config,
  configDigest,
  configInFlight,
  configRestart,
  configTarget,
  configWorkload,
} from "../../../support/workloads/config-workloads.ts";
import { digest, tracking } from "../../../support/digest-workloads.ts";
import { after, image, inFlight, noon, target, workload } from "../../../support/workloads.ts";
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
  ])("is Pawl's own, or superseded: $when", ({ parts, isManaged }) => {
    const restarted = configRestart(parts);
    expect(isManagedChange(restarted, restarted.inFlight ?? configInFlight)).toBe(isManaged);
  });

  test.for<{ readonly when: string; readonly parts: WorkloadParts; readonly failure: string }>([
    { when: "nothing has changed since the poll", parts: {}, failure: "none" },
    { when: "it is deployed", parts: { config: { ...config, deployed: second } }, failure: "already deployed" },
    { when: "the image was changed", parts: { image: target }, failure: `the workload now runs ${target}` },
    { when: "there is no container", parts: { image: null }, failure: "the workload now runs null" },
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
  test("the baseline is recorded", () => {
    const update = { salt: "5a17", deployed: second, versions: { "configmap/app": "2" } };
    const held = { ...hold("same-config", "only its configuration is tracked"), config: update };
    expect(recordCheck(configWorkload(), held, noon).change).toEqual({
      config: update,
      updateRecord: { currentVersion: "1.0.0", lastCheck: noon },
    });
  });
});
