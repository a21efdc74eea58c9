import { expect, test } from "vitest";
import { beginStep } from "../../../../functions/domain/workload/canary/progress.ts";
import { recordStart, wasPushed } from "../../../../functions/domain/workload/record/update-record.ts";
import {
  type SupersedableUpdate,
  supersede,
  withoutUpdate,
  yieldsToNewer,
} from "../../../../functions/domain/workload/supersede/fix-forward.ts";
import type { Workload } from "../../../../functions/domain/workload/workload.ts";
import {
  after,
  canaryInFlight,
  canaryPods,
  canaryWorkload,
  imageTarget,
  inFlight,
  noon,
  policy,
  updatingWorkload,
  workload,
} from "../../../support/workloads.ts";

const newer = imageTarget("registry.example/shop/app:1.2.0");
const pushOf = (version: string) => ({ verb: "push", argument: version, token: "t-1" });
const answerTo = (version: string) =>
  recordStart(
    workload({ request: pushOf(version) }),
    { target: imageTarget(`registry.example/shop/app:${version}`), digests: null },
    "e-1",
    noon,
  ).answer ?? null;

const one = { unit: "replicas", amount: 1 } as const;
const sized = { kind: "replicas", size: one, analysis: null, durationSeconds: null } as const;
const stepped = { ...policy, canary: one, canarySteps: [sized, { ...sized, size: { ...one, amount: 2 } }] };
const atStep = (step: number, partition?: number) =>
  canaryWorkload({
    policy: stepped,
    canary: partition === undefined ? canaryPods : { ...canaryPods, partition },
    canaryProgress: beginStep(stepped, step, noon),
  });

test.for<{ when: string; of: Workload; yields: boolean }>([
  { when: "a canary", of: canaryWorkload(), yields: true },
  { when: "a rollout", of: updatingWorkload({ inFlight }), yields: false },
  { when: "a canary whose owner waits", of: canaryWorkload({ policy: { onNewVersion: "wait" } }), yields: false },
  { when: "a canary that a person pushed", of: canaryWorkload({ lastRequest: answerTo("1.1.0") }), yields: false },
  { when: "a canary after another push", of: canaryWorkload({ lastRequest: answerTo("1.0.5") }), yields: true },
  { when: "a canary of a Deployment that has grown", of: atStep(2), yields: true },
  { when: "a canary of a StatefulSet at its first size", of: atStep(1, 2), yields: true },
  { when: "a canary of a StatefulSet that has grown", of: atStep(2, 1), yields: false },
  {
    when: "a canary of a StatefulSet without steps any more",
    of: { ...atStep(1, 2), policy: { ...policy, canary: null } },
    yields: false,
  },
])("$when yields to a newer version: $yields", ({ of, yields }) => {
  expect(yieldsToNewer(of, of.inFlight as SupersedableUpdate)).toBe(yields);
});

test("only the last request is a push", () => {
  expect(wasPushed({ lastRequest: null }, newer)).toBe(false);
  expect(wasPushed({ lastRequest: { verb: "retry", token: "t", result: "1.2.0 is tried again" } }, newer)).toBe(false);
});

test("a canary whose pods do not fail is recorded as superseded, and not counted", () => {
  const canary = canaryWorkload();
  const before = withoutUpdate(canary, canaryInFlight, false);
  expect(before.updateRecord).toMatchObject({ rollbackCount: 0, minimumVersion: "1.1.0" });
  const started = recordStart(before, { target: newer, digests: null }, "e-2", after(3));
  expect(supersede(canary, canaryInFlight, started, [], after(3)).updateRecord).toMatchObject({
    rollbackCount: 0,
    versionHistory: [{ version: "1.1.0", status: "Superseded", reason: "superseded by 1.2.0" }],
  });
});
