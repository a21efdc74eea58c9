import { expect, test } from "vitest";
import type { KubernetesApi } from "../../../../functions/adapters/kubernetes/api.ts";
import { resource as autoUpdates } from "../../../../functions/adapters/kubernetes/auto-update/object.ts";
import type { WorkloadKind } from "../../../../functions/adapters/kubernetes/kinds/kind.ts";
import { listWorkloads } from "../../../../functions/adapters/kubernetes/list-workloads.ts";
import type { ListScope } from "../../../../functions/adapters/kubernetes/objects.ts";
import { manifest } from "../../../contracts/cluster-fixtures.ts";
import { portErrorFor } from "../api/admission-denial.ts";
import { workload } from "../../../support/workloads.ts";
import { problemsOf } from "../../../support/problems.ts";

const kind: WorkloadKind = {
  resource: { group: "apps", version: "v1", plural: "deployments", kind: "Deployment" },
  isStatefulSet: false,
  usesAutoUpdate: true,
  listScope: "metadata",
  isOptedIn: ({ metadata }) => metadata.annotations?.["pawl.dev/auto-update"] === "true",
  read: async () => workload(),
  write: () => Promise.reject(new Error("a list only reads")),
};

/** AutoUpdates without a target, as far as a test has any. */
const unused: WorkloadKind = {
  ...kind,
  resource: autoUpdates,
  read: async () => ({ ...workload(), problems: problemsOf("it updates nothing") }),
};

/** Returns an API with one page of 500 objects per count; that number of them opted in. */
function pagesWith(counts: readonly number[]) {
  const requests: string[] = [];
  const page = (number: number, count: number) =>
    Array.from({ length: 500 }, (_, index) => {
      const { metadata, spec } = manifest("Deployment", { name: `app-${index}`, optIn: index < count ? true : null });
      return { metadata: { ...metadata, namespace: "shop", uid: `u-${number}-${index}`, resourceVersion: "7" }, spec };
    });
  const api = {
    async *list({ plural }: WorkloadKind["resource"], _namespace: unknown, nextScope: () => ListScope) {
      if (plural === autoUpdates.plural) return;
      for (const [number, count] of counts.entries()) {
        const [scope, items] = [nextScope(), page(number, count)];
        requests.push(scope);
        yield { items, scope, fullObjects: async () => (requests.push("again"), items), next: () => null };
      }
    },
    get: async () => (requests.push("get"), page(0, 1)[0]),
  };
  return { api: api as unknown as KubernetesApi, requests };
}

test.for([
  { counts: [3, 0, 2], expected: ["metadata", "get", "get", "get", "metadata", "metadata", "get", "get"] },
  { counts: [500, 500], expected: ["metadata", "again", "full"] },
  { counts: [51, 1, 1], expected: ["metadata", "again", "full", "metadata", "get"] },
  { counts: [50], expected: ["metadata", ...Array<string>(50).fill("get")] },
])("of pages on which $counts of 500 objects opted in, the requests are $expected", async ({ counts, expected }) => {
  const { api, requests } = pagesWith(counts);
  let found = 0;
  for await (const each of listWorkloads([kind], unused, [null], api)) found += each ? 1 : 0;
  expect(requests).toEqual(expected);
  expect(found).toBe(counts.reduce((sum, count) => sum + count, 0));
});

/** Lists with a kind that reads so, and collects what is found and what is skipped. */
async function listWith(read: WorkloadKind["read"]) {
  const { api } = pagesWith([3]);
  const skipped: string[] = [];
  let found = 0;
  const onSkipped = ({ name, message }: Error) => void (name !== "NotInstalled" && skipped.push(message));
  for await (const each of listWorkloads([{ ...kind, read }], unused, [null], api, onSkipped)) found += each ? 1 : 0;
  return { found, skipped };
}

test("an object that cannot be parsed is reported, and the others are listed", async () => {
  let reads = 0;
  const { found, skipped } = await listWith(async () => {
    reads += 1;
    if (reads === 2) throw new TypeError("Cannot read properties of undefined (reading 'template')");
    return workload();
  });
  expect(found).toBe(2);
  expect(skipped).toEqual([
    expect.stringMatching(/^apps\/v1 Deployment shop\/app-1 cannot be parsed .*correct the object$/),
  ]);
});

test.for([
  { when: "every read fails", code: 503, failing: () => true, name: "Unreachable" },
  { when: "a request is not authenticated", code: 401, failing: (read: number) => read === 2, name: "Forbidden" },
])("an error of a request is not one of the object: it is thrown if $when", async ({ code, failing, name }) => {
  let reads = 0;
  const read = async () => {
    reads += 1;
    if (failing(reads)) throw portErrorFor(code, "read");
    return workload();
  };
  await expect(listWith(read)).rejects.toMatchObject({ name });
});

test.for([403, 409, 429, 503])(
  "an object whose read fails with %i is reported, and the others are listed",
  async (code) => {
    let reads = 0;
    const { found, skipped } = await listWith(async () => {
      reads += 1;
      if (reads === 2) throw portErrorFor(code, "read app-1");
      return workload();
    });
    expect({ found, skipped }).toEqual({ found: 2, skipped: [expect.stringContaining("read app-1")] });
  },
);

const other: WorkloadKind = { ...kind, resource: { ...kind.resource, plural: "daemonsets", kind: "DaemonSet" } };

/** Returns an API with a workload of each kind in each namespace, which denies some lists. */
function apiThatDenies(
  code: number,
  denied: readonly string[],
  targets: readonly { readonly kind: string; readonly namespace: string }[] = [],
): KubernetesApi {
  const { api } = pagesWith([1]);
  return {
    ...api,
    async *list({ plural }: WorkloadKind["resource"], namespace: string | null, nextScope: () => ListScope) {
      if (plural === autoUpdates.plural) {
        yield* listed(targets);
        return;
      }
      if (denied.includes(`${plural} ${namespace}`)) throw portErrorFor(code, `list ${plural} ${namespace}`);
      yield* api.list(kind.resource, namespace, nextScope);
    },
  };
}

async function countIn(api: KubernetesApi, reported: string[] | null): Promise<number> {
  let count = 0;
  const onSkipped = reported === null ? undefined : ({ message }: Error) => void reported.push(message);
  for await (const each of listWorkloads([kind, other], unused, ["shop", "back"], api, onSkipped))
    count += each ? 1 : 0;
  return count;
}

/** Yields one page with the AutoUpdate of a workload that does not exist for each of these. */
async function* listed(targets: readonly { readonly kind: string; readonly namespace: string }[]) {
  const items = targets.map(({ kind: ofKind, namespace }) => {
    const name = `${ofKind.toLowerCase()}-lost`;
    const metadata = { name, namespace, uid: `u-${ofKind}-${namespace}`, resourceVersion: "7" };
    return { metadata, spec: { targetRef: { apiVersion: "apps/v1", kind: ofKind, name: "lost" } } };
  });
  yield { items, scope: "full", fullObjects: async () => items, next: () => null } as never;
}

test("an AutoUpdate whose target may not be listed is not reported as one without a target", async () => {
  const targets = ["shop", "back"].flatMap((namespace) => [
    { kind: "Deployment", namespace },
    { kind: "DaemonSet", namespace },
  ]);
  const denied = ["deployments shop"];
  const read: string[] = [];
  const noticed: WorkloadKind = {
    ...unused,
    async read({ metadata: { namespace, name } }) {
      read.push(`${namespace}/${name}`);
      return workload();
    },
  };
  const api = apiThatDenies(403, denied, targets);
  for await (const _ of listWorkloads([kind, other], noticed, ["shop", "back"], api, () => undefined));
  expect(new Set(read)).toEqual(new Set(["shop/daemonset-lost", "back/deployment-lost", "back/daemonset-lost"]));
});

test.for([403, 409, 429, 503])("a list that fails with %i is reported, and everything else is listed", async (code) => {
  const reported: string[] = [];
  expect(await countIn(apiThatDenies(code, ["deployments shop", "daemonsets back"]), reported)).toBe(2);
  expect(reported).toEqual([
    expect.stringContaining("list deployments shop"),
    expect.stringContaining("list daemonsets back"),
  ]);
});

test.for([
  { when: "there is no callback", denied: ["deployments shop"], code: 403, reported: null },
  { when: "the request is not authenticated", denied: ["deployments shop"], code: 401, reported: [] },
  {
    when: "every list is denied",
    denied: ["deployments shop", "deployments back", "daemonsets shop", "daemonsets back"],
    code: 403,
    reported: [],
  },
])("Forbidden is thrown if $when", async ({ denied, code, reported }) => {
  await expect(countIn(apiThatDenies(code, denied), reported)).rejects.toMatchObject({ name: "Forbidden" });
  expect(reported ?? []).toEqual([]);
});
