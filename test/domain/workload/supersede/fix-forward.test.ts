import { describe, expect, test } from "vitest";
import { recordCanary } from "../../../../functions/domain/workload/canary/record.ts";
import { minimumVersion } from "../../../../functions/domain/workload/decision/tag-candidates.ts";
import { isManagedChange } from "../../../../functions/domain/workload/decision/manual-change.ts";
import { preconditionFailure } from "../../../../functions/domain/workload/decision/preconditions.ts";
import { recordStart } from "../../../../functions/domain/workload/record/update-record.ts";
import { recordRollback, resumeRollback } from "../../../../functions/domain/workload/rollback/rollback.ts";
import {
  supersedableUpdate,
  type SupersedableUpdate,
  supersede,
  withoutUpdate,
} from "../../../../functions/domain/workload/supersede/fix-forward.ts";
import type { InFlight } from "../../../../functions/domain/workload/update/in-flight.ts";
import type { Workload } from "../../../../functions/domain/workload/workload.ts";
import { digest, tagAndDigestWorkload } from "../../../support/digest-workloads.ts";
import {
  after,
  canaryInFlight,
  canaryPods,
  canaryWorkload,
  completeRollout,
  image,
  imageTarget,
  inFlight,
  noon,
  ownRecord,
  rollingBack,
  target,
  updatingWorkload,
  workload,
} from "../../../support/workloads.ts";
import { migrate } from "../../../support/workloads/hooks.ts";

const app = "registry.example/shop/app";
const newer = `${app}:1.2.0`;
const start = { target: imageTarget(newer), digests: null };
const paused = { step: 1, steps: 2, plan: "1, pause", size: "1", waitsFor: "Promotion", since: noon } as const;
const hooks = { pre: migrate, post: null };

describe("an update may be superseded", () => {
  test.for<{ when: string; of: Workload; update: InFlight | null }>([
    { when: "it is a rollout", of: updatingWorkload(), update: inFlight },
    { when: "it is a canary", of: canaryWorkload(), update: canaryInFlight },
    { when: "none is in flight", of: workload(), update: null },
    {
      when: "a person set its annotations",
      of: updatingWorkload({ inFlight: { ...inFlight, execution: null } }),
      update: null,
    },
    {
      when: "it is not applied yet",
      of: updatingWorkload({ inFlight: { ...inFlight, isApplied: false } }),
      update: null,
    },
    { when: "it is a rollback", of: updatingWorkload({ inFlight: rollingBack }), update: null },
    {
      when: "nothing could be restored",
      of: updatingWorkload({ inFlight: { ...inFlight, previousImage: null } }),
      update: null,
    },
    {
      when: "another installation holds it",
      of: updatingWorkload({ record: { ...workload().record, claimedElsewhereUntil: after(5) } }),
      update: null,
    },
    { when: "its kind keeps its own record", of: updatingWorkload({ record: ownRecord }), update: null },
    { when: "a hook runs before updates", of: updatingWorkload({ policy: { hooks } }), update: null },
    {
      when: "a canary waits for a person",
      of: canaryWorkload({ canaryProgress: { ...paused, until: null } }),
      update: null,
    },
    { when: "a person has decided", of: canaryWorkload({ verdict: "promote" }), update: null },
    { when: "its canary was promoted", of: canaryWorkload({ inFlight }), update: null },
    { when: "its canary was disabled", of: updatingWorkload({ inFlight: canaryInFlight }), update: null },
  ])("if $when", ({ of, update }) => {
    expect(supersedableUpdate(of)).toEqual(update);
  });
});

describe("the workload without an update that fails", () => {
  const failing = updatingWorkload({
    rollout: { ...completeRollout, readyReplicas: 1, oldReplicas: 1, observedGeneration: 1, generation: 2 },
    inFlight: { ...inFlight, unavailableBefore: 1 },
  });
  const before = withoutUpdate(failing, failing.inFlight as SupersedableUpdate, true);

  test("has the image and the pods from before it", () => {
    const { desiredReplicas } = completeRollout;
    expect(before).toMatchObject({ inFlight: null, image, rollout: { image, oldReplicas: 0 } });
    expect(before.rollout).toMatchObject({ readyReplicas: desiredReplicas - 1, observedGeneration: 2 });
    expect(withoutUpdate({ ...failing, rollout: null }, inFlight, true).rollout).toBeNull();
  });

  test("takes only a newer version than its target", () => {
    expect(minimumVersion(before)).toBe("1.1.0");
    expect(preconditionFailure(before, start, noon)).toBeNull();
    const older = { target: imageTarget(`${app}:1.0.5`), digests: null };
    expect(preconditionFailure(before, older, noon)).toBe("version 1.0.5 is not newer than 1.1.0");
  });

  test("takes none if that opens the circuit", () => {
    const last = { ...failing, updateRecord: { ...failing.updateRecord, rollbackCount: 2 } };
    expect(preconditionFailure(withoutUpdate(last, inFlight, true), start, noon)).toContain("the circuit is open");
  });

  test.for<{ of: string; update: SupersedableUpdate; deployed: object }>([
    { of: "a rollout", update: inFlight, deployed: { app: digest(1) } },
    { of: "a canary", update: canaryInFlight, deployed: { app: digest(2) } },
  ])("has the digests from before $of", ({ update, deployed }) => {
    const digests = { deployed: { app: digest(2) }, previous: [{ app: digest(1) }] };
    const tracked = tagAndDigestWorkload({ inFlight: update, digests });
    const own = { ...update, digests: { app: digest(2) } };
    expect(withoutUpdate(tracked, own, true).digests?.deployed).toEqual(deployed);
    const unknown = tagAndDigestWorkload({ digests: { ...digests, previous: [] } });
    expect(withoutUpdate(unknown, { ...inFlight, digests: { app: digest(2) } }, true).digests?.deployed).toEqual({});
  });
});

const evidence = [
  {
    pod: "app-7f9c-x2",
    cause: { blames: "version", reason: "Exit", container: "app", exitCode: 1, message: "no DB_URL", restarts: 4 },
  },
] as const;

describe("the claim that supersedes", () => {
  const failing = updatingWorkload({ inFlight: { ...inFlight, unavailableBefore: 1 } });
  const superseded = failing.inFlight as SupersedableUpdate;
  const started = recordStart(withoutUpdate(failing, superseded, true), start, "e-2", after(3));
  const change = supersede(failing, superseded, started, evidence, after(3));

  test("restores what was healthy last, and records the other one with its evidence", () => {
    expect(change.image).toBe(newer);
    expect(change.inFlight).toEqual({
      ...inFlight,
      target: imageTarget(newer),
      startedAt: after(3),
      execution: "e-2",
      unavailableBefore: 1,
      replacedImage: target,
    });
    expect(change.updateRecord).toMatchObject({ rollbackCount: 1, circuitOpen: false });
    expect(change.updateRecord?.minimumVersion).toBeUndefined();
    expect(change.updateRecord?.failedVersions).toBeUndefined();
    const { desiredReplicas } = completeRollout;
    expect(change.updateRecord?.versionHistory).toMatchObject([
      {
        version: "1.1.0",
        status: "Superseded",
        execution: "e-1",
        reason: `superseded by 1.2.0; 1 of ${desiredReplicas} pods failing: app-7f9c-x2 (app) exit 1 \`no DB_URL\` (4 restarts)`,
      },
    ]);
  });

  test("is of a canary too", () => {
    const canary = canaryWorkload({ canary: { ...canaryPods, readyReplicas: 0 } });
    const size = { unit: "replicas", amount: 1 } as const;
    const begun = recordCanary(withoutUpdate(canary, canaryInFlight, true), start, "e-2", size, after(3));
    const claim = supersede(canary, canaryInFlight, begun, evidence, after(3));
    expect(claim).toMatchObject({ canary: { image: newer, size }, verdict: null, analysis: null });
    expect(claim.inFlight).toMatchObject({ phase: "canary", previousImage: image, replacedImage: target });
    expect(claim.updateRecord?.versionHistory?.[0]?.reason).toContain("1 of 1 pod failing");
  });

  const claimed = { ...failing, inFlight: { ...change.inFlight, isApplied: false } as InFlight };

  test.for([
    { runs: target, isOwn: true },
    { runs: newer, isOwn: true },
    { runs: image, isOwn: true },
    { runs: `${app}:0.9.0`, isOwn: false },
  ])("before it is written, $runs is Pawl's own: $isOwn", ({ runs, isOwn }) => {
    expect(isManagedChange({ ...claimed, image: runs }, claimed.inFlight)).toBe(isOwn);
  });

  test("is reverted to what was healthy last if it is disabled before it is written", () => {
    const disabled = { ...claimed, policy: { ...claimed.policy, optIn: "no" as const } };
    const reverted = recordRollback(disabled, claimed.inFlight, "disabled", after(4));
    expect(reverted).toMatchObject({ image, inFlight: { phase: "rollback" } });
    const rollback = { ...(reverted.inFlight as InFlight), isApplied: false };
    expect(resumeRollback({ ...disabled, inFlight: rollback }, rollback, after(5)).image).toBe(image);
  });
});
