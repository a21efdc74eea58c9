import { expect, test } from "vitest";
import type { KubernetesApi } from "../../../functions/adapters/kubernetes/api.ts";
import type { WorkloadKind } from "../../../functions/adapters/kubernetes/kinds/kind.ts";
import { listKind } from "../../../functions/adapters/kubernetes/list-kind.ts";
import type { ListForm } from "../../../functions/adapters/kubernetes/objects.ts";
import { manifest } from "../../contracts/cluster-fixtures.ts";
import { workload } from "../../support/workloads.ts";

const kind: WorkloadKind = {
  resource: { group: "apps", version: "v1", plural: "deployments", kind: "Deployment" },
  isStatefulSet: false,
  listedAs: "metadata",
  isOptedIn: ({ metadata }) => metadata.annotations?.["pawl.dev/auto-update"] === "true",
  read: async () => workload(),
  write: () => Promise.reject(new Error("a list only reads")),
};

/** An API server with one page of 500 for each count of objects that opted in on it. */
function pagesWith(counts: readonly number[]) {
  const asked: string[] = [];
  const page = (number: number, count: number) =>
    Array.from({ length: 500 }, (_, index) => {
      const { metadata, spec } = manifest("Deployment", { name: `app-${index}`, optIn: index < count ? true : null });
      return { metadata: { ...metadata, namespace: "shop", uid: `u-${number}-${index}`, resourceVersion: "7" }, spec };
    });
  const api = {
    async *list(_resource: unknown, _namespace: unknown, form: () => ListForm) {
      for (const [number, count] of counts.entries()) {
        const [as, items] = [form(), page(number, count)];
        asked.push(as);
        yield { items, as, whole: async () => (asked.push("again"), items) };
      }
    },
    get: async () => (asked.push("get"), page(0, 1)[0]),
  };
  return { api: api as unknown as KubernetesApi, asked };
}

test.for([
  { counts: [3, 0, 2], asked: ["metadata", "get", "get", "get", "metadata", "metadata", "get", "get"] },
  { counts: [500, 500], asked: ["metadata", "again", "whole"] },
  { counts: [51, 1, 1], asked: ["metadata", "again", "whole", "metadata", "get"] },
  { counts: [50], asked: ["metadata", ...Array<string>(50).fill("get")] },
])("of pages on which $counts of 500 opted in it asks for $asked", async ({ counts, asked: expected }) => {
  const { api, asked } = pagesWith(counts);
  let found = 0;
  for await (const each of listKind(kind, [null], api)) found += each ? 1 : 0;
  expect(asked).toEqual(expected);
  expect(found).toBe(counts.reduce((sum, count) => sum + count, 0));
});
