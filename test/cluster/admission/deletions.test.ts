import { expect, test } from "vitest";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { anything, createDenial, deleteDenial } from "./admission.ts";

const container = { name: "app", image: "registry.example/shop/app:1.0.0" };

const ofStatefulSet = { kind: "StatefulSet", apiVersion: "apps/v1" };
const rowsOfPods = [
  { what: "a StatefulSet", owners: [ofStatefulSet], isAllowed: true },
  { what: "a ReplicaSet", owners: [{ kind: "ReplicaSet", apiVersion: "apps/v1" }], isAllowed: false },
  { what: "a Job", owners: [{ kind: "Job", apiVersion: "batch/v1" }], isAllowed: false },
  {
    what: "a StatefulSet of another group",
    owners: [{ kind: "StatefulSet", apiVersion: "apps.kruise.io/v1" }],
    isAllowed: false,
  },
  { what: "nobody", owners: [], isAllowed: false },
];

describeOnRealCluster("the policy pawl-pods", () => {
  const pod = (ownerReferences: readonly object[], spec: object = { nodeName: "worker-1" }, status?: object) => ({
    metadata: { name: "db-0", ownerReferences: ownerReferences.map((one) => ({ ...one, name: "db", uid: "u-4" })) },
    spec: { containers: [container], ...spec },
    ...(status && { status }),
  });

  test.for(rowsOfPods)("lets a pod of $what be deleted: $isAllowed", async ({ owners, isAllowed }) => {
    const denied = "pawl-pods: deletion denied; only pods of StatefulSets may be deleted";
    expect(await deleteDenial("pods", "pawl:updaters", pod(owners))).toBe(isAllowed ? null : denied);
    expect(await deleteDenial("pods", ["shop:owners", anything], pod(owners))).toBeNull();
  });

  test.for([
    { options: "", isAllowed: true },
    { options: {}, isAllowed: true },
    { options: { gracePeriodSeconds: 30 }, isAllowed: true },
    { options: { gracePeriodSeconds: 0 }, isAllowed: false },
    { options: "&gracePeriodSeconds=30", isAllowed: true },
    { options: "&gracePeriodSeconds=0", isAllowed: false },
  ])("lets a pod be deleted with the options $options: $isAllowed", async ({ options, isAllowed }) => {
    const object = pod([ofStatefulSet]);
    const denied = "pawl-pods: deletion denied; the grace period must not be 0";
    expect(await deleteDenial("pods", "pawl:updaters", object, options)).toBe(isAllowed ? null : denied);
    expect(await deleteDenial("pods", ["shop:owners", anything], object, options)).toBeNull();
  });

  // The server replaces the grace period of these by 0, before it evaluates policies.
  test.for([
    { what: "has no node", object: pod([ofStatefulSet], {}) },
    { what: "has failed", object: pod([ofStatefulSet], undefined, { phase: "Failed" }) },
    {
      what: "has its own grace period of 0",
      object: pod([ofStatefulSet], { nodeName: "w", terminationGracePeriodSeconds: 0 }),
    },
  ])("lets a pod be deleted that $what", async ({ object }) => {
    expect(await deleteDenial("pods", "pawl:updaters", object)).toBeNull();
    expect(await deleteDenial("pods", "pawl:updaters", object, { gracePeriodSeconds: 30 })).toBeNull();
  });
});

describeOnRealCluster("the policy pawl-jobs", () => {
  test.for([
    { labels: { "pawl.dev/hook": "migrate" }, isAllowed: true },
    { labels: { app: "reports" }, isAllowed: false },
    { labels: {}, isAllowed: false },
  ])(
    "lets a hook runner create and delete a Job with the labels $labels: $isAllowed",
    async ({ labels, isAllowed }) => {
      const template = { spec: { restartPolicy: "Never", containers: [container] } };
      const job = { metadata: { name: "migrate", labels }, spec: { template } };
      for (const denialOf of [createDenial, deleteDenial]) {
        const denied = "pawl-jobs: denied; only Jobs with the label pawl.dev/hook may be created and deleted";
        expect(await denialOf("jobs.batch", "pawl:hook-runners", job)).toBe(isAllowed ? null : denied);
        expect(await denialOf("jobs.batch", ["shop:owners", anything], job)).toBeNull();
      }
    },
  );
});
