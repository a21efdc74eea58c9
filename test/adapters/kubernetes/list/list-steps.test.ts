import { ApiException } from "@kubernetes/client-node";
import { describe, expect, test } from "vitest";
import type { KubernetesApi } from "../../../../functions/adapters/kubernetes/api.ts";
import {
  type AutoUpdate,
  resource as autoUpdates,
} from "../../../../functions/adapters/kubernetes/auto-update/object.ts";
import { createUnusedAutoUpdateKind } from "../../../../functions/adapters/kubernetes/kinds/record/unused-auto-update.ts";
import type { WorkloadKind } from "../../../../functions/adapters/kubernetes/kinds/kind.ts";
import { listWorkloads } from "../../../../functions/adapters/kubernetes/list-workloads.ts";
import type { KubernetesObject, ListPage, Resource } from "../../../../functions/adapters/kubernetes/objects.ts";
import { paginate } from "../../../../functions/adapters/kubernetes/paginate.ts";
import { Unreachable } from "../../../../functions/ports/errors.ts";
import { workload } from "../../../support/workloads.ts";

const pageSize = 3;
const namespaces = ["shop", "back"];

/** Reads a workload whose version says whether it has a record. */
const deployments: WorkloadKind = {
  resource: { group: "apps", version: "v1", plural: "deployments", kind: "Deployment" },
  isStatefulSet: false,
  usesAutoUpdate: true,
  listScope: "metadata",
  isOptedIn: ({ metadata }) => !metadata.name.startsWith("out"),
  read: async ({ metadata }, _api, autoUpdate) => {
    const { ref, ...rest } = workload();
    const { namespace, name } = metadata;
    return { ...rest, ref: { ...ref, namespace, name }, resourceVersion: autoUpdate?.metadata.name ?? "none" };
  },
  write: () => Promise.reject(new Error("a list only reads")),
};
const older = { ...deployments, resource: { ...deployments.resource, group: "example.com", plural: "olds" } };
const kinds: readonly WorkloadKind[] = [
  deployments,
  { ...deployments, resource: { ...older.resource, plural: "news" }, usesAutoUpdate: false, olderVersion: older },
];

/** How a server answers a token that has expired: with a new one, or with none. */
type Offer = "a new token" | "no token";

/** A server of pages, whose tokens are valid for one step. */
function createServer(offer: Offer | null) {
  const objects = new Map<string, KubernetesObject[]>();
  let [epoch, uid] = [0, 0];
  function add(plural: string, namespace: string, name: string, rest: object = {}): void {
    const key = `${plural} ${namespace}`;
    const metadata = { name, namespace, uid: `u-${(uid += 1)}`, resourceVersion: "7" };
    objects.set(key, [...(objects.get(key) ?? []), { metadata, ...rest }]);
  }
  function remove(plural: string, namespace: string, name: string): void {
    const key = `${plural} ${namespace}`;
    objects.set(key, objects.get(key)?.filter(({ metadata }) => metadata.name !== name) ?? []);
  }
  function page(key: string, token: string | undefined): ListPage<KubernetesObject> {
    const found = objects.get(key);
    if (found === undefined) throw new ApiException(404, "absent", {}, {});
    const all = found.toSorted((one, other) => (one.metadata.name < other.metadata.name ? -1 : 1));
    const [of = epoch, after = ""] = token === undefined ? [] : (JSON.parse(token) as [number, string]);
    if (offer !== null && of !== epoch) {
      const metadata = offer === "no token" ? {} : { continue: JSON.stringify([epoch, after]) };
      throw new ApiException(410, "Expired", { metadata }, {});
    }
    const rest = all.filter(({ metadata }) => metadata.name > after);
    const items = rest.slice(0, pageSize);
    const last = items.at(-1)?.metadata.name ?? "";
    return { items, metadata: rest.length > pageSize ? { continue: JSON.stringify([epoch, last]) } : {} };
  }
  const api = {
    list: (
      { plural }: Resource,
      namespace: string,
      nextScope: () => "full",
      _labels: string,
      _skip: null,
      from = null,
    ) => paginate(async (token) => page(`${plural} ${namespace}`, token), nextScope, { what: plural, from }),
    get: async ({ plural }: Resource, namespace: string, name: string) =>
      objects.get(`${plural} ${namespace}`)?.find(({ metadata }) => metadata.name === name) ?? null,
  };
  return { api: api as unknown as KubernetesApi, add, remove, expire: () => void (epoch += 1) };
}

/** Ten Deployments in each namespace, every other one with an AutoUpdate, others of an older version, and AutoUpdates without a target. */
function filled(offer: Offer | null) {
  const server = createServer(offer);
  const record = (namespace: string, name: string) => {
    const targetRef: AutoUpdate["spec"]["targetRef"] = { apiVersion: "apps/v1", kind: "Deployment", name };
    server.add(autoUpdates.plural, namespace, `deployment-${name}`, { spec: { targetRef } });
  };
  for (const namespace of namespaces) {
    for (let index = 0; index < 10; index += 1) {
      server.add("deployments", namespace, `w-${index}`);
      if (index % 2 === 0) record(namespace, `w-${index}`);
    }
    server.add("deployments", namespace, "out-1");
    for (const name of ["o-1", "o-2", "o-3", "o-4"]) server.add("olds", namespace, name);
    record(namespace, "gone-1");
    record(namespace, "gone-2");
  }
  return server;
}

type Step = Parameters<typeof listWorkloads>[5];

const unusedKind = () => createUnusedAutoUpdateKind(kinds, { now: () => new Date(0) });

async function listOnce(api: KubernetesApi, options?: Step): Promise<readonly string[]> {
  const found: string[] = [];
  const onSkipped = ({ message }: Error) => expect.fail(message);
  for await (const { ref, resourceVersion } of listWorkloads(kinds, unusedKind(), namespaces, api, onSkipped, options))
    found.push([ref.kind, ref.namespace, ref.name, resourceVersion].join(" "));
  return found;
}

/** Lists with a new process after each page, and after each list. */
async function listInSteps(api: KubernetesApi, between: (step: number) => void) {
  const found: string[] = [];
  let [lines, step]: [readonly string[] | null, number] = [null, 0];
  do {
    const from = lines;
    lines = null;
    const onInterrupted = (kept: Iterable<string>) => void (lines = [...kept]);
    const steps = { from: from && (() => toAsync(from)), isDue: () => true, onInterrupted };
    found.push(...(await listOnce(api, { steps })));
    step += 1;
    between(step);
  } while (lines !== null && step < 100);
  expect(lines).toBeNull();
  return { found, step };
}

async function* toAsync(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

test.for([
  { tokens: "are valid", offer: null },
  { tokens: "expire after each page, and the server offers new ones", offer: "a new token" },
  { tokens: "expire after each page, and the list starts again", offer: "no token" },
] as const)(
  "a list in steps has each workload once, with its record, if continue tokens $tokens",
  async ({ offer }) => {
    const expected = await listOnce(filled(null).api);
    expect(expected).toHaveLength(32);
    const { api, expire } = filled(offer);
    const { found, step } = await listInSteps(api, expire);
    expect(step).toBeGreaterThan(20);
    expect(found.toSorted()).toEqual(expected.toSorted());
  },
);

describe("a list that continues", () => {
  /** Stops after the first Deployments; then all requests fail. */
  async function continued(failure: Error, kept?: readonly string[]) {
    const { api } = filled(null);
    let [lines, pages]: [readonly string[], number] = [[], 0];
    const onInterrupted = (rest: Iterable<string>) => void (lines = [...rest]);
    await listOnce(api, { steps: { from: null, isDue: () => (pages += 1) > 14, onInterrupted } });
    expect(lines.length).toBeGreaterThan(1);
    const page = () => Promise.reject(failure);
    const list = () => paginate(page, () => "full", { what: "list" });
    const failing = { ...api, list } as unknown as KubernetesApi;
    const denied: string[] = [];
    const steps = { from: () => toAsync(kept ?? lines), isDue: () => false, onInterrupted };
    const all = listWorkloads(kinds, unusedKind(), namespaces, failing, ({ name }) => denied.push(name), { steps });
    for await (const { ref } of all) expect(ref.kind).toBe("AutoUpdate");
    return denied;
  }

  test("fails if nothing was kept, and if nothing answers the rest of it, so that the step is repeated", async () => {
    await expect(continued(new Error("unused"), [])).rejects.toThrow("nothing was kept that continues it");
    await expect(continued(new ApiException(503, "down", {}, {}))).rejects.toThrow(Unreachable);
  });

  test("is complete if the rest of it must not be listed", async () => {
    expect(new Set(await continued(new ApiException(403, "denied", {}, {})))).toEqual(new Set(["Forbidden"]));
  });
});

test.for(["a new token", "no token"] as const)(
  "what is created and deleted between steps costs no other workload its place, if an expired token gets %s",
  async (offer) => {
    const server = filled(offer);
    const { found } = await listInSteps(server.api, (step) => {
      server.expire();
      if (step > 12) return;
      server.add("deployments", "shop", `a-${step}`);
      server.add("deployments", "back", `z-${step}`);
      if (step % 3 === 0) server.remove("deployments", "shop", `w-${step / 3}`);
      if (step % 3 === 0) server.remove("deployments", "back", `w-${step / 3}`);
    });
    expect(new Set(found).size).toBe(found.length);
    const kept = ["w-0", "w-5", "w-6", "w-7", "w-8", "w-9"];
    const names = found.map((one) => one.split(" ").slice(1, 3).join(" "));
    for (const namespace of namespaces)
      expect(names).toEqual(expect.arrayContaining(kept.map((name) => `${namespace} ${name}`)));
  },
);
