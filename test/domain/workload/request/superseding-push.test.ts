import { describe, expect, test } from "vitest";
import { rollbackOf } from "../../../support/rollback.ts";
import { answerRequest } from "../../../../functions/domain/workload/request/request.ts";
import {
  supersededUpdate,
  supersedingChange,
  withPodsBefore,
} from "../../../../functions/domain/workload/request/superseding-push.ts";
import { recordSuccess } from "../../../../functions/domain/workload/record/update-record.ts";
import type { InFlight } from "../../../../functions/domain/workload/update/in-flight.ts";
import type { Workload } from "../../../../functions/domain/workload/workload.ts";
import { digest, restartInFlight, tagAndDigestWorkload } from "../../../support/digest-workloads.ts";
import {
  after,
  canaryInFlight,
  canaryWorkload,
  completeRollout,
  image,
  inFlight,
  noon,
  target,
  updatingWorkload,
  workload,
  imageTarget,
} from "../../../support/workloads.ts";

const app = "registry.example/shop/app";
const asked = (argument: string, verb = "push") => ({ verb, argument, token: "t-1" });
const elsewhere = { ...workload().record, claimedElsewhereUntil: after(5) };

describe("the update that a push of 1.2.0 ends", () => {
  test.for<{ when: string; of: Workload; execution?: string; update: InFlight | null }>([
    { when: "none is in flight", of: workload({ request: asked("1.2.0") }), update: null },
    { when: "another one is", of: updatingWorkload({ request: asked("1.2.0") }), update: inFlight },
    { when: "it is the own one", of: updatingWorkload({ request: asked("1.2.0") }), execution: "e-1", update: null },
    { when: "nothing is asked", of: updatingWorkload(), update: null },
    { when: "another version is asked", of: updatingWorkload({ request: asked("1.3.0") }), update: null },
    {
      when: "another installation holds the claim",
      of: updatingWorkload({ request: asked("1.2.0"), record: elsewhere }),
      update: null,
    },
  ])("$when: $update", ({ of, execution = "e-2", update }) => {
    expect(supersededUpdate(of, imageTarget(`${app}:1.2.0`), execution)).toEqual(update);
  });
});

describe("the change that ends an update", () => {
  const ends = { inFlight: null, canary: null, verdict: null, analysis: null };
  const held = { updateRecord: { minimumVersion: "1.1.0" } };
  const digests = { deployed: { app: digest(2) }, previous: [{ app: digest(1) }] };
  const before = { digests: { deployed: { app: digest(1) } } };
  const answer = { token: "t-1", verb: "push", result: `1.0.0 stays, instead of ${target}` };
  test.for<{ of: string; initial: Workload; change: object }>([
    { of: "a rollout", initial: updatingWorkload(), change: { ...ends, ...held, image } },
    {
      of: "a rollout with digests",
      initial: tagAndDigestWorkload({ image: target, inFlight: { ...inFlight, digests: { app: digest(2) } }, digests }),
      change: { ...ends, ...held, image, ...before },
    },
    { of: "a workload without an image", initial: updatingWorkload({ image: null }), change: { ...ends, ...held } },
    { of: "a canary", initial: canaryWorkload(), change: { ...ends, ...held } },
    {
      of: "a restart",
      initial: tagAndDigestWorkload({ inFlight: restartInFlight, digests }),
      change: { ...ends, ...before },
    },
    {
      of: "a rollback that restored nothing yet",
      initial: updatingWorkload({ inFlight: rollbackOf(inFlight, { isApplied: false }) }),
      change: { ...ends, image },
    },
    {
      of: "a rollout, for the version before it",
      initial: updatingWorkload({ request: asked("1.0.0") }),
      change: { ...ends, ...held, image, answer },
    },
    {
      of: "a rollout, for another one",
      initial: updatingWorkload({ request: asked("1.2.0") }),
      change: { ...ends, ...held, image },
    },
  ])("of $of: $change", ({ initial, change }) => {
    expect(supersedingChange(initial, initial.inFlight ?? canaryInFlight)).toEqual(change);
  });
});

test("pods that an update broke are not taken for unavailable before the next one", () => {
  const rollout = { ...completeRollout, podsPer: "node" as const, readyReplicas: 1 };
  const broken = updatingWorkload({ rollout });
  expect(withPodsBefore(broken, inFlight).rollout).toEqual({ ...rollout, readyReplicas: 3 });
  expect(withPodsBefore(broken, { ...inFlight, unavailableBefore: 1 }).rollout).toEqual({
    ...rollout,
    readyReplicas: 2,
  });
  const job = updatingWorkload({ rollout: { ...rollout, podsPer: "job" } });
  expect(withPodsBefore(job, inFlight)).toBe(job);
  const unmanaged = updatingWorkload({ rollout: null });
  expect(withPodsBefore(unmanaged, inFlight)).toBe(unmanaged);
});

describe("a version that is held", () => {
  const held = { currentVersion: "1.0.0", minimumVersion: "1.1.0" };
  test.for([
    { tag: "1.1.0", record: { currentVersion: "1.1.0", minimumVersion: null } },
    { tag: "1.2.0", record: { currentVersion: "1.2.0", minimumVersion: null } },
    { tag: "1.0.5", record: { currentVersion: "1.0.5" } },
  ])("ends with a success of it or of a newer one: $tag", ({ tag, record }) => {
    const update = { ...inFlight, target: imageTarget(`${app}:${tag}`) };
    const { updateRecord } = recordSuccess(updatingWorkload({ updateRecord: held }), update, noon);
    expect(updateRecord).toMatchObject(record);
    expect(updateRecord?.minimumVersion).toBe(record.minimumVersion);
  });

  test("ends with a retry", () => {
    const { updateRecord } = answerRequest(workload({ updateRecord: held }), { ...asked("", "retry"), argument: null });
    expect(updateRecord).toEqual({ failedVersions: [], minimumVersion: null });
  });
});
