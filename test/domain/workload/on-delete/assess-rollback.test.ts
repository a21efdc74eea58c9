import { expect, test } from "vitest";
import { rollbackOf } from "../../../support/rollback.ts";
import { assessRollbackOnDelete } from "../../../../functions/domain/workload/on-delete/assess-rollback.ts";
import { frozen, rolledPod as pod, unavailable, updated } from "../../../support/workloads/rolled-pods.ts";
import { after, completeRollout, image, inFlight, noon, workload } from "../../../support/workloads.ts";

const rollback = rollbackOf(inFlight, { revertedAt: noon, previousImage: image });
const refused = { observation: { kind: "waiting", reason: "a budget refuses it" } } as const;
const onTheWay = pod(1, { ...updated, ...unavailable });

test.for([
  { when: "a pod of the failed version runs", pods: [pod(0, updated), pod(1)], verdict: "roll" },
  { when: "each pod is restored", pods: [pod(0, updated), pod(1, updated)], verdict: "ready" },
  { when: "all but a frozen pod are restored", pods: [pod(0, updated), pod(1, frozen)], verdict: "ready" },
  {
    when: "a frozen pod is not available",
    pods: [pod(0), pod(1, { ...frozen, ...unavailable })],
    verdict: "progressing",
  },
  {
    when: "a frozen pod is not available, and the failed one is not either",
    pods: [pod(0, unavailable), pod(1, { ...frozen, ...unavailable })],
    verdict: "roll",
  },
  {
    when: "a frozen pod is not available for too long",
    pods: [pod(0), pod(1, { ...frozen, ...unavailable })],
    minutes: 11,
    verdict: "expired",
  },
  { when: "a pod is on its way", pods: [pod(0), onTheWay], verdict: "progressing" },
  { when: "it does not come back", pods: [pod(0), onTheWay], minutes: 11, verdict: "expired" },
  { when: "Pawl itself was away", pods: [pod(0), pod(1, updated)], minutes: 60, verdict: "roll" },
  { when: "a budget refuses the eviction", pods: [pod(0), pod(1, updated)], parts: refused, verdict: "roll" },
  {
    when: "a budget refuses the eviction for longer than the health timeout",
    pods: [pod(0), pod(1, updated)],
    minutes: 11,
    parts: refused,
    verdict: "roll",
  },
  { when: "the status lags behind the pods", pods: [pod(0, updated)], desired: 2, verdict: "progressing" },
])("$when: $verdict", ({ pods, minutes = 1, parts = {}, desired = pods.length, verdict }) => {
  const updatedReplicas = pods.filter((one) => one.isUpdated).length;
  const readyReplicas = pods.filter(({ availableAt }) => availableAt !== null).length;
  const counts = {
    desiredReplicas: desired,
    updatedReplicas,
    readyReplicas,
    oldReplicas: pods.length - updatedReplicas,
  };
  const restored = workload({ rollout: { ...completeRollout, ...counts, image } });
  expect(assessRollbackOnDelete(restored, { ...rollback, ...parts }, pods, after(minutes)).kind).toBe(verdict);
});

test("waits for a pause no longer than it lasts", () => {
  const pods = [pod(0), pod(1, { ...updated, availableAt: after(1) })];
  const counts = { desiredReplicas: 2, updatedReplicas: 1, readyReplicas: 2, oldReplicas: 1 };
  const restored = workload({ rollout: { ...completeRollout, ...counts, image } });
  expect(assessRollbackOnDelete(restored, rollback, pods, after(1))).toMatchObject({
    kind: "progressing",
    waitSeconds: 2,
  });
});

test("does not end in a pause, however long that is", () => {
  const pods = [pod(0), pod(1, { ...updated, availableAt: after(5) })];
  const counts = { desiredReplicas: 2, updatedReplicas: 1, readyReplicas: 2, oldReplicas: 1 };
  const policy = { podPauseSeconds: 1800 };
  const restored = workload({ policy, rollout: { ...completeRollout, ...counts, image } });
  expect(assessRollbackOnDelete(restored, rollback, pods, after(20)).kind).toBe("progressing");
});

test("is over if the object does not exist any more", () => {
  expect(assessRollbackOnDelete(workload({ rollout: null, image: null }), rollback, [], after(1)).kind).toBe("ready");
});
