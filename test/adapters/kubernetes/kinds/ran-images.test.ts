import { expect, test } from "vitest";
import type { KubernetesApi } from "../../../../functions/adapters/kubernetes/api.ts";
import { createClawKind } from "../../../../functions/adapters/kubernetes/kinds/claw/claw.ts";
import type { WorkloadKind } from "../../../../functions/adapters/kubernetes/kinds/kind.ts";
import { readImagesThatRan } from "../../../../functions/adapters/kubernetes/kinds/ran-images.ts";
import { createStatefulCanaryKind } from "../../../../functions/adapters/kubernetes/kinds/stateful-canary/kind.ts";
import { claw, noon, workload } from "../../../support/workloads.ts";

const app = "registry.example/shop/app:1.0.0";
const template = {
  spec: {
    initContainers: [{ name: "init", image: "registry.example/init:1" }],
    containers: [{ name: "app", image: app }],
  },
};
const selector = { matchLabels: { app: "web" } };
const claws = createClawKind({ mirrors: {}, now: () => noon });
const canaries = createStatefulCanaryKind({ hooks: true, now: () => noon });

function builtIn(kind: string, plural: string): WorkloadKind {
  const group = kind === "CronJob" ? "batch" : "apps";
  return { resource: { group, version: "v1", plural, kind } } as unknown as WorkloadKind;
}

function controlledBy(apiVersion: string, kind: string, uid: string) {
  return { name: `${uid}-1`, namespace: "shop", ownerReferences: [{ apiVersion, kind, uid, controller: true }] };
}

/** An API with one StatefulSet of this owner, and one revision or Job of that one. */
function apiWith({ set = "u-1", revision = "u-1", ofKind = "Deployment" }) {
  const found = {
    metadata: controlledBy("apps/v1", ofKind, revision),
    spec: { template },
    data: { spec: { template } },
  };
  const job = { metadata: controlledBy("batch/v1", "CronJob", revision), spec: { template } };
  return {
    get: async () => ({
      metadata: { ...controlledBy("x/v1", "X", set), uid: "set" },
      spec: { selector, template: { spec: { containers: [] } } },
    }),
    listSelected: async () => [found],
    async *list() {
      yield { items: [job] };
    },
  } as unknown as KubernetesApi;
}

const object = { metadata: { name: "web", namespace: "shop", uid: "u-1", resourceVersion: "1" }, spec: { selector } };
const ran = [app, "registry.example/init:1"];

test.for([
  { what: "a ReplicaSet of a Deployment", kind: builtIn("Deployment", "deployments"), has: {}, images: ran },
  { what: "that of another owner", kind: builtIn("Deployment", "deployments"), has: { revision: "u-2" }, images: [] },
  {
    what: "a revision of the set of a Claw",
    kind: claws,
    has: { revision: "set", ofKind: "StatefulSet" },
    images: ran,
  },
  {
    what: "a set that no Claw owns",
    kind: claws,
    has: { set: "u-2", revision: "set", ofKind: "StatefulSet" },
    images: [],
  },
  {
    what: "a revision of the set of a StatefulCanary",
    kind: canaries,
    has: { revision: "set", ofKind: "StatefulSet" },
    images: ran,
  },
  {
    what: "a set that no StatefulCanary owns",
    kind: canaries,
    has: { set: "u-2", revision: "set", ofKind: "StatefulSet" },
    images: [],
  },
  { what: "a Job of a CronJob", kind: builtIn("CronJob", "cronjobs"), has: {}, images: [app] },
  { what: "a Job of another owner", kind: builtIn("CronJob", "cronjobs"), has: { revision: "u-2" }, images: [] },
])("$what shows what ran: $images", async ({ kind, has, images }) => {
  const of = kind === claws ? claw() : workload();
  expect(await readImagesThatRan(of, { kind, object }, apiWith(has))).toEqual(images);
});
