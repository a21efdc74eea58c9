import { expect, test } from "vitest";
import type { KubernetesApi } from "../../../functions/adapters/kubernetes/api.ts";
import type { WorkloadKind } from "../../../functions/adapters/kubernetes/kinds/kind.ts";
import { listKinds } from "../../../functions/adapters/kubernetes/list-kind.ts";
import type { ListForm } from "../../../functions/adapters/kubernetes/objects.ts";
import { manifest } from "../../contracts/cluster-fixtures.ts";
import { refusalOf } from "./refusal.ts";
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
  for await (const each of listKinds([kind], [null], api)) found += each ? 1 : 0;
  expect(asked).toEqual(expected);
  expect(found).toBe(counts.reduce((sum, count) => sum + count, 0));
});

const other: WorkloadKind = { ...kind, resource: { ...kind.resource, plural: "daemonsets", kind: "DaemonSet" } };

/** An API server with a workload of each kind in each namespace, but for what it refuses. */
function refusing(code: number, ...refused: readonly string[]): KubernetesApi {
  const { api } = pagesWith([1]);
  return {
    ...api,
    async *list({ plural }: WorkloadKind["resource"], namespace: string | null, form: () => ListForm) {
      if (refused.includes(`${plural} ${namespace}`)) throw refusalOf(code, `list ${plural} ${namespace}`);
      yield* api.list(kind.resource, namespace, form);
    },
  };
}

async function countIn(api: KubernetesApi, told: string[] | null): Promise<number> {
  let count = 0;
  const onRefused = told === null ? undefined : ({ message }: Error) => void told.push(message);
  for await (const each of listKinds([kind, other], ["shop", "back"], api, onRefused)) count += each ? 1 : 0;
  return count;
}

test("what may not be listed is told, and keeps nothing else from being found", async () => {
  const told: string[] = [];
  expect(await countIn(refusing(403, "deployments shop", "daemonsets back"), told)).toBe(2);
  expect(told).toEqual([
    expect.stringContaining("list deployments shop"),
    expect.stringContaining("list daemonsets back"),
  ]);
});

test.for([
  { when: "nobody is to be told", refused: ["deployments shop"], code: 403, told: null },
  { when: "the cluster does not know who asks", refused: ["deployments shop"], code: 401, told: [] },
  {
    when: "nothing at all may be listed",
    refused: ["deployments shop", "deployments back", "daemonsets shop", "daemonsets back"],
    code: 403,
    told: [],
  },
])("where $when it is thrown", async ({ refused, code, told }) => {
  await expect(countIn(refusing(code, ...refused), told)).rejects.toMatchObject({ name: "Forbidden" });
  expect(told ?? []).toEqual([]);
});
