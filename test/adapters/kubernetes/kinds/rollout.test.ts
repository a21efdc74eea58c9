import { expect, test } from "vitest";
import type { Rollout } from "../../../../functions/domain/workload/workload.ts";
import { before, type BuiltInKind } from "../../../contracts/cluster-fixtures.ts";
import { readBuiltIn, stored } from "../reading.ts";

interface Row {
  readonly kind: BuiltInKind;
  readonly when: string;
  readonly spec?: object;
  readonly status?: object;
  readonly rollout: Partial<Rollout>;
}

const none = { updatedReplicas: 0, readyReplicas: 0, oldReplicas: 0 };

const rows: readonly Row[] = [
  {
    kind: "Deployment",
    when: "not observed yet",
    spec: { replicas: 2 },
    rollout: { desiredReplicas: 2, observedGeneration: 0, ...none },
  },
  {
    kind: "Deployment",
    when: "without replicas",
    spec: { replicas: undefined },
    rollout: { desiredReplicas: 1, ...none },
  },
  {
    kind: "Deployment",
    when: "with old pods",
    spec: { replicas: 3 },
    status: { observedGeneration: 4, replicas: 4, updatedReplicas: 1, readyReplicas: 3, availableReplicas: 3 },
    rollout: { observedGeneration: 4, desiredReplicas: 3, updatedReplicas: 1, readyReplicas: 3, oldReplicas: 3 },
  },
  {
    kind: "Deployment",
    when: "without new pods",
    spec: { replicas: 3 },
    status: { observedGeneration: 4, replicas: 3, readyReplicas: 3, availableReplicas: 3 },
    rollout: { observedGeneration: 4, desiredReplicas: 3, updatedReplicas: 0, readyReplicas: 3, oldReplicas: 3 },
  },
  {
    kind: "Deployment",
    when: "scaled to 0",
    spec: { replicas: 0 },
    status: {},
    rollout: { desiredReplicas: 0, ...none },
  },
  {
    kind: "StatefulSet",
    when: "not observed yet",
    spec: { replicas: 2 },
    rollout: { desiredReplicas: 2, observedGeneration: 0, ...none },
  },
  {
    kind: "StatefulSet",
    when: "without replicas",
    spec: { replicas: undefined },
    status: { replicas: 0 },
    rollout: { desiredReplicas: 1, ...none },
  },
  {
    kind: "StatefulSet",
    when: "half-way",
    spec: { replicas: 3 },
    status: { observedGeneration: 4, replicas: 3, currentReplicas: 1, updatedReplicas: 2, readyReplicas: 2 },
    rollout: { observedGeneration: 4, desiredReplicas: 3, updatedReplicas: 2, readyReplicas: 2, oldReplicas: 1 },
  },
  {
    kind: "Deployment",
    when: "whose pods cannot be created",
    spec: { replicas: 1 },
    status: {
      observedGeneration: 4,
      replicas: 1,
      availableReplicas: 1,
      conditions: [
        { type: "Available", status: "True", message: "Deployment has minimum availability." },
        { type: "ReplicaFailure", status: "True", message: "exceeded quota" },
      ],
    },
    rollout: {
      ...none,
      observedGeneration: 4,
      desiredReplicas: 1,
      readyReplicas: 1,
      oldReplicas: 1,
      createFailure: "exceeded quota",
    },
  },
  {
    kind: "DaemonSet",
    when: "not observed yet",
    rollout: { desiredReplicas: 0, observedGeneration: 0, podsPer: "node", ...none },
  },
  {
    kind: "DaemonSet",
    when: "half-way",
    status: {
      observedGeneration: 4,
      currentNumberScheduled: 5,
      desiredNumberScheduled: 6,
      updatedNumberScheduled: 2,
      numberReady: 4,
      numberAvailable: 3,
    },
    rollout: {
      observedGeneration: 4,
      desiredReplicas: 6,
      updatedReplicas: 2,
      readyReplicas: 3,
      oldReplicas: 3,
      podsPer: "node",
    },
  },
  {
    kind: "Deployment",
    when: "with pods that are ready, and not for minReadySeconds yet",
    spec: { replicas: 3 },
    status: { observedGeneration: 4, replicas: 3, updatedReplicas: 3, readyReplicas: 3, availableReplicas: 1 },
    rollout: { observedGeneration: 4, desiredReplicas: 3, updatedReplicas: 3, readyReplicas: 1, oldReplicas: 0 },
  },
  {
    kind: "StatefulSet",
    when: "with pods that are ready, and not for minReadySeconds yet",
    spec: { replicas: 3 },
    status: { observedGeneration: 4, replicas: 3, updatedReplicas: 3, readyReplicas: 3, availableReplicas: 0 },
    rollout: { observedGeneration: 4, desiredReplicas: 3, updatedReplicas: 3, readyReplicas: 0, oldReplicas: 0 },
  },
  {
    kind: "StatefulSet",
    when: "with minReadySeconds, on an API server that leaves out a count of 0",
    spec: { replicas: 3, minReadySeconds: 10 },
    status: { observedGeneration: 4, replicas: 3, updatedReplicas: 3, readyReplicas: 3 },
    rollout: {
      observedGeneration: 4,
      desiredReplicas: 3,
      updatedReplicas: 3,
      readyReplicas: 0,
      oldReplicas: 0,
      minReadySeconds: 10,
    },
  },
  {
    kind: "StatefulSet",
    when: "two of whose pods are replaced at once",
    spec: { replicas: 5, updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 2 } } },
    status: { observedGeneration: 4, replicas: 5, updatedReplicas: 2, readyReplicas: 3, availableReplicas: 3 },
    rollout: { observedGeneration: 4, desiredReplicas: 5, updatedReplicas: 2, readyReplicas: 3, oldReplicas: 3 },
  },
  {
    kind: "Deployment",
    when: "with pods that terminate",
    spec: { replicas: 1 },
    status: {
      observedGeneration: 4,
      replicas: 1,
      updatedReplicas: 1,
      availableReplicas: 1,
      terminatingReplicas: 2,
    },
    rollout: {
      observedGeneration: 4,
      desiredReplicas: 1,
      updatedReplicas: 1,
      readyReplicas: 1,
      oldReplicas: 0,
      terminatingReplicas: 2,
    },
  },
  {
    kind: "Deployment",
    when: "without pods that terminate",
    spec: { replicas: 1 },
    status: { observedGeneration: 4, replicas: 1, updatedReplicas: 1, availableReplicas: 1, terminatingReplicas: 0 },
    rollout: { observedGeneration: 4, desiredReplicas: 1, updatedReplicas: 1, readyReplicas: 1, oldReplicas: 0 },
  },
];

test.for(rows)("a $kind, $when", async ({ kind, spec = {}, status, rollout }) => {
  const metadata = { name: "app", ...stored, generation: 4 };
  const workload = await readBuiltIn(kind, { spec }, { metadata, ...(status === undefined ? {} : { status }) });
  expect(workload.rollout).toEqual({ generation: 4, observedGeneration: 0, image: before, ...rollout });
});

test("the image is that of the tracked container", async () => {
  const { rollout, image, source } = await readBuiltIn("Deployment", {
    annotations: { "pawl.dev/containers": "sidecar" },
  });
  expect([rollout?.image, image, source]).toEqual(Array.from({ length: 3 }, () => "registry.invalid/proxy:3.1.4"));
});
