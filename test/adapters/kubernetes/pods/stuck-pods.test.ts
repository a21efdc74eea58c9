import { expect, test } from "vitest";
import type { KubernetesApi } from "../../../../functions/adapters/kubernetes/api.ts";
import type { StatefulSet } from "../../../../functions/adapters/kubernetes/kinds/built-in/stateful-set.ts";
import type { Pod } from "../../../../functions/adapters/kubernetes/pods/pod.ts";
import { deleteStuckPods } from "../../../../functions/adapters/kubernetes/pods/stuck-pods.ts";
import { canaryWorkload, noon } from "../../../support/workloads.ts";
import { noApi } from "../reading.ts";

/** Ten replicas, of which five stay stable. Those from ordinal 2 up run the target. */
const set: StatefulSet = {
  metadata: {
    name: "db",
    namespace: "shop",
    uid: "u-1",
    resourceVersion: "1",
    generation: 3,
    annotations: { "pawl.dev/canary-partition": "5" },
  },
  spec: {
    replicas: 10,
    selector: { matchLabels: { app: "db" } },
    updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 5 } },
    template: { metadata: {}, spec: { containers: [] } },
  },
  status: { observedGeneration: 3, updateRevision: "2", readyReplicas: 10, availableReplicas: 10 },
};

const pod = (ordinal: number, isReady = true): Pod => ({
  metadata: {
    name: `db-${ordinal}`,
    uid: `p-${ordinal}`,
    labels: { "controller-revision-hash": ordinal < 2 ? "1" : "2" },
    ownerReferences: [{ uid: "u-1" }],
  },
  spec: { containers: [] },
  status: { conditions: [{ type: "Ready", status: isReady ? "True" : "False" }] },
});
const pods = Array.from({ length: 10 }, (_, ordinal) => pod(ordinal));
const leaving = { ...pod(9), metadata: { ...pod(9).metadata, deletionTimestamp: noon } };

test.for([
  { when: "all are available", found: pods, deleted: ["db-2"] },
  { when: "another is not ready", found: pods.with(7, pod(7, false)), deleted: [] },
  { when: "it is not ready itself", found: pods.with(3, pod(3, false)), deleted: [] },
  { when: "another is being deleted", found: pods.with(9, leaving), deleted: [] },
  { when: "another is missing", found: pods.slice(0, 9), deleted: [] },
  { when: "another is not available yet", found: pods, status: { availableReplicas: 9 }, deleted: [] },
  { when: "the partition is not observed", found: pods, status: { observedGeneration: 2 }, deleted: [] },
])("of pods of the target below the partition, if $when: $deleted", async ({ found, status = {}, deleted }) => {
  const names: string[] = [];
  const api: KubernetesApi = {
    ...noApi,
    get: async <T>() => ({ ...set, status: { ...set.status, ...status } }) as T,
    listPods: async () => found,
    deletePod: async (_namespace, name) => void names.push(name),
  };
  await deleteStuckPods(canaryWorkload(), noon, api);
  expect(names).toEqual(deleted);
});

/** The API truncates `noon` plus 400 ms to `noon`. */
test.for([
  { when: "the controller has not observed the template", observedGeneration: 2, since: 0, deleted: [] },
  { when: "the controller has not observed the template", observedGeneration: 2, since: -1, deleted: ["db-0"] },
  { when: "its revision is known", observedGeneration: 3, since: 0, deleted: ["db-0"] },
  { when: "its revision is known", observedGeneration: 3, since: 1, deleted: [] },
])("of a pod not ready since $since s after the update, if $when: $deleted", async ({ since, deleted, ...status }) => {
  const names: string[] = [];
  const lastTransitionTime = new Date(noon.getTime() + since * 1000).toISOString();
  const unready: Pod = { ...pod(0), status: { conditions: [{ type: "Ready", status: "False", lastTransitionTime }] } };
  const api: KubernetesApi = {
    ...noApi,
    get: async <T>() => ({ ...set, status: { ...set.status, ...status } }) as T,
    listPods: async () => pods.with(0, unready),
    deletePod: async (_namespace, name) => void names.push(name),
  };
  await deleteStuckPods(canaryWorkload(), new Date(noon.getTime() + 400), api);
  expect(names).toEqual(deleted);
});

test("keeps a new pod if the template changes between the read of the StatefulSet and that of its pods", async () => {
  const names: string[] = [];
  const revisions = ["1", "2"];
  const lastTransitionTime = noon.toISOString();
  const api: KubernetesApi = {
    ...noApi,
    get: async <T>() => ({ ...set, status: { ...set.status, updateRevision: revisions.shift() } }) as T,
    listPods: async () => [
      { ...pod(9), status: { conditions: [{ type: "Ready", status: "False", lastTransitionTime }] } },
    ],
    deletePod: async (_namespace, name) => void names.push(name),
  };
  await deleteStuckPods(canaryWorkload(), noon, api);
  expect({ names, revisions }).toEqual({ names: [], revisions: [] });
});

test("deletes no pod of a StatefulSet with the update strategy OnDelete: these are evicted, one at a time", async () => {
  const names: string[] = [];
  const stuck = pods.map((_, ordinal) => pod(ordinal, false));
  const onDelete: StatefulSet = { ...set, spec: { ...set.spec, updateStrategy: { type: "OnDelete" } } };
  const apiOf = (found: StatefulSet): KubernetesApi => ({
    ...noApi,
    get: async <T>() => found as T,
    listPods: async () => stuck,
    deletePod: async (_namespace, name) => void names.push(name),
  });
  await deleteStuckPods(canaryWorkload(), null, apiOf(onDelete));
  expect(names).toEqual([]);
  await deleteStuckPods(canaryWorkload(), null, apiOf(set));
  expect(names).toEqual(["db-0", "db-1"]);
});
