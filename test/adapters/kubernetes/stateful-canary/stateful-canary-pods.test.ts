import { expect, test } from "vitest";
import type { Pod } from "../../../../functions/adapters/kubernetes/pods/pod.ts";
import { deleteStuckPods } from "../../../../functions/adapters/kubernetes/kinds/stateful-canary/pods.ts";
import type { StatefulSet } from "../../../../functions/adapters/kubernetes/kinds/built-in/stateful-set.ts";
import { noApi } from "../reading.ts";

const app = (tag: string) => ({ name: "app", image: `registry.example/shop/db:${tag}` });

const set = (replicas: number, observedGeneration: number) =>
  ({
    metadata: { namespace: "shop", name: "db-stable", uid: "s-1", resourceVersion: "1", generation: 2 },
    spec: { replicas, selector: { matchLabels: { app: "db" } }, template: { spec: { containers: [app("1.0.0")] } } },
    status: { observedGeneration, updateRevision: "r-2" },
  }) as unknown as StatefulSet;

const pod = (name: string, revision: string, tag: string, status = "False"): Pod => ({
  metadata: { name, uid: name, labels: { "controller-revision-hash": revision }, ownerReferences: [{ uid: "s-1" }] },
  spec: { containers: [app(tag)] },
  status: { conditions: [{ type: "Ready", status }] },
});

const pods = [
  pod("ready", "r-1", "1.1.0", "True"),
  pod("starting", "r-2", "1.0.0"),
  pod("init-container", "r-1", "1.0.0"),
  pod("other-image", "r-1", "1.1.0"),
  { ...pod("foreign", "r-1", "1.1.0"), metadata: { name: "foreign", uid: "f-1" } },
];

test.for([
  { when: "its revision is observed", of: set(2, 2), deleted: ["init-container", "other-image"] },
  { when: "its revision is not observed yet", of: set(2, 1), deleted: ["other-image"] },
  { when: "it is scaled to 0", of: set(0, 1), deleted: ["starting", "init-container", "other-image"] },
])("pods that block a set are deleted if $when: $deleted", async ({ of, deleted }) => {
  const found: string[] = [];
  const api = {
    ...noApi,
    listPods: async () => pods,
    deletePod: async (_: string, name: string) => void found.push(name),
  };
  await deleteStuckPods(of, api);
  expect(found).toEqual(deleted);
});
