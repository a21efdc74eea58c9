import { ApiException } from "@kubernetes/client-node";
import { expect, test } from "vitest";
import type { ConfigApi } from "../../../../functions/adapters/kubernetes/config/config-api.ts";
import { readConfig } from "../../../../functions/adapters/kubernetes/config/read-config.ts";
import type { ConfigReference, ConfigTracking } from "../../../../functions/domain/workload/config/tracking.ts";
import type { Remember } from "../../../../functions/ports/cluster.ts";
import { Forbidden, Unreachable } from "../../../../functions/ports/errors.ts";
import { reference } from "../../../support/workloads/config-workloads.ts";
import { textsOf } from "../../../support/problems.ts";

interface Content {
  readonly resourceVersion: string;
  readonly data: Readonly<Record<string, string>>;
}

type Objects = Readonly<Record<string, Content | Error>>;

/** The denied list of a namespace. */
const list = "list";

/** Returns an API with these objects, and its requests. */
function apiOf(objects: Objects) {
  const requests: string[] = [];
  const find = (id: string) => {
    const found = objects[id];
    if (found instanceof Error) throw found;
    return found ?? null;
  };
  const api: ConfigApi = {
    async listConfigMaps() {
      requests.push("list of ConfigMaps");
      find(list);
      const names = Object.keys(objects).filter((id) => id.startsWith("configmap/"));
      const versionOf = (own: string) => (objects[own] instanceof Error ? "1" : (find(own)?.resourceVersion ?? ""));
      return new Map(names.map((own) => [own.slice("configmap/".length), versionOf(own)]));
    },
    async getSecretVersion(_namespace, name) {
      requests.push(`version of secret/${name}`);
      return find(`secret/${name}`)?.resourceVersion ?? null;
    },
    async getConfigContent(kind, _namespace, name) {
      requests.push(`${kind}/${name}`);
      const found = find(`${kind}/${name}`);
      return found === null ? null : { resourceVersion: found.resourceVersion, hashes: found.data };
    },
  };
  return { api, requests };
}

const forget: Remember = (_key, request) => request();

/** Returns what is read of these objects, and the objects whose content was read. */
async function read(objects: Objects, tracking: Partial<ConfigTracking>, readsSecrets = true) {
  const { api, requests } = apiOf(objects);
  const config = { references: [reference], salt: "5a17", deployed: {}, versions: {}, ...tracking };
  const seen = await readConfig(config, { namespace: "shop", readsSecrets, api, remember: forget });
  return { ...seen, contents: requests.filter((one) => /^(configmap|secret)\//.test(one)) };
}

const app = { resourceVersion: "3", data: { LEVEL: "info", unused: "1" } };
const id = "configmap/app";
const key: ConfigReference = { ...reference, keys: ["LEVEL"], requiredKeys: ["LEVEL"], id: `${id}#1` };
const secret: ConfigReference = { ...reference, kind: "secret", name: "db", id: "secret/db" };

test("content is read at first sight, and where the resourceVersion has moved", async () => {
  const first = await read({ [id]: app }, {});
  expect(first).toMatchObject({ contents: [id], versions: { [id]: "3" }, problems: [] });
  expect(first.digests[id]).toMatch(/^config:[0-9a-f]{32}$/);
  expect(first.digest).toMatch(/^config:[0-9a-f]{32}$/);
  const known = { deployed: first.digests, versions: first.versions };
  expect(await read({ [id]: app }, known)).toEqual({ ...first, contents: [] });
  expect(await read({ [id]: { ...app, resourceVersion: "4" } }, known)).toEqual({
    ...first,
    versions: { [id]: "4" },
    contents: [id],
  });
});

test.for([
  { when: "a value differs", references: [reference], data: { ...app.data, LEVEL: "debug" }, isSame: false },
  { when: "a key is new", references: [reference], data: { ...app.data, more: "1" }, isSame: false },
  { when: "the keys have another order", references: [reference], data: { unused: "1", LEVEL: "info" }, isSame: true },
  { when: "a key that is not used differs", references: [key], data: { LEVEL: "info", unused: "2" }, isSame: true },
  { when: "the key that is used differs", references: [key], data: { LEVEL: "debug" }, isSame: false },
])("if $when, the digest is the same: $isSame", async ({ references, data, isSame }) => {
  const [before, after] = await Promise.all([
    read({ [id]: app }, { references }),
    read({ [id]: { ...app, data } }, { references }),
  ]);
  expect(after.digest === before.digest).toBe(isSame);
});

test("a salt is made at first sight, and another salt gives other digests", async () => {
  const [one, other] = await Promise.all([read({ [id]: app }, { salt: null }), read({ [id]: app }, { salt: null })]);
  expect(one.salt).toMatch(/^[0-9a-f]{32}$/);
  expect(other.salt).not.toBe(one.salt);
  expect(other.digests).not.toEqual(one.digests);
});

test("an object that does not exist is a problem if it is required", async () => {
  expect(await read({}, {})).toMatchObject({
    contents: [],
    versions: {},
    problems: [{ text: "configmap/app: does not exist; create it, or make the reference optional" }],
  });
});

test("an optional object that does not exist is no problem, and differs from an empty one", async () => {
  const references = [{ ...reference, isRequired: false }];
  const missing = await read({}, { references });
  expect(missing).toMatchObject({ contents: [], versions: {}, problems: [] });
  expect(missing.digest).not.toBe((await read({ [id]: { ...app, data: {} } }, { references })).digest);
});

test("a key that does not exist is a problem if it is required", async () => {
  const { problems } = await read({ [id]: { ...app, data: {} } }, { references: [key] });
  expect(textsOf(problems)).toEqual(['configmap/app: has no key "LEVEL"; create it, or make the reference optional']);
  const optional = { ...key, isRequired: false, requiredKeys: [] };
  expect((await read({ [id]: { ...app, data: {} } }, { references: [optional] })).problems).toEqual([]);
});

test("an object that is deleted after the list counts as missing", async () => {
  const { api } = apiOf({});
  const listed = { ...api, listConfigMaps: async () => new Map([["app", "1"]]) };
  const config = { references: [reference], salt: "5a17", deployed: {}, versions: {} };
  const gone = await readConfig(config, { namespace: "shop", readsSecrets: true, api: listed, remember: forget });
  expect(gone).toMatchObject({ versions: {}, problems: [{ text: expect.stringContaining("does not exist") }] });
});

test.for([
  { when: "does not exist", objects: {} },
  { when: "has no such key", objects: { [id]: { ...app, data: {} } } },
  { when: "must not be read", objects: { [id]: denied() } },
])("what is recorded of a required object stays while it $when", async ({ objects }) => {
  const recorded = { deployed: { [key.id]: "config:1" }, versions: { [key.id]: "2" } };
  const { digests, versions, problems } = await read(objects, { references: [key], ...recorded });
  expect([digests, versions, problems.length]).toEqual([recorded.deployed, recorded.versions, 1]);
  expect(await read(objects, { references: [key] })).toMatchObject({ digests: {}, versions: {} });
});

test("Secrets are read only if this is configured, and one that its owner named is a problem otherwise", async () => {
  const objects = { "secret/db": { resourceVersion: "5", data: { password: "c2VjcmV0" } } };
  const allowed = await read(objects, { references: [secret] });
  expect(allowed).toMatchObject({ contents: ["secret/db"], versions: { "secret/db": "5" }, problems: [] });
  expect(JSON.stringify(allowed)).not.toContain("c2VjcmV0");
  expect(await read(objects, { references: [secret] }, false)).toMatchObject({
    contents: [],
    digests: {},
    problems: [],
  });
  const named = await read(objects, { references: [{ ...secret, isNamed: true }] }, false);
  expect(textsOf(named.problems)).toEqual([
    expect.stringContaining("secret/db: this installation of Pawl reads no Secrets"),
  ]);
});

function denied(): Forbidden {
  return new Forbidden("no", { cause: new ApiException(403, "", {}, {}) });
}

test.for([
  {
    what: "a Secret",
    objects: { "secret/db": denied() },
    references: [secret],
    problem:
      "secret/db: Pawl must not read it; grant pawl:pollers get on secrets in the namespace shop: apply infra/cluster/pull-secrets",
  },
  {
    what: "a ConfigMap",
    objects: { [id]: denied() },
    references: [reference],
    problem:
      "configmap/app: Pawl must not read it; grant pawl:pollers list and get on configmaps in the namespace shop: apply infra/cluster",
  },
  {
    what: "the list of ConfigMaps, which is one problem",
    objects: { [list]: denied() },
    references: [reference, key],
    problem:
      "its ConfigMaps: Pawl must not read them; grant pawl:pollers list and get on configmaps in the namespace shop: apply infra/cluster",
  },
])("what must not be read is a problem that names the right: $what", async ({ objects, references, problem }) => {
  expect(textsOf((await read(objects, { references })).problems)).toEqual([problem]);
});

test("any other error ends the evaluation", async () => {
  await expect(read({ [id]: new Unreachable("no answer") }, {})).rejects.toThrow(Unreachable);
  await expect(read({ [list]: new Unreachable("no answer") }, {})).rejects.toThrow(Unreachable);
});

test("workloads that share what was read share its requests, and have digests of their own", async () => {
  const known = new Map<string, Promise<unknown>>();
  const remember = <Result>(of: string, request: () => Promise<Result>) => {
    known.set(of, known.get(of) ?? request());
    return known.get(of) as Promise<Result>;
  };
  const { api, requests } = apiOf({ [id]: app, "secret/db": app });
  const readBy = (salt: string) => {
    const config = { references: [reference, key, secret], salt, deployed: {}, versions: {} };
    return readConfig(config, { namespace: "shop", readsSecrets: true, api, remember });
  };
  const [one, other] = [await readBy("5a17"), await readBy("5a18")];
  expect(requests).toEqual(["list of ConfigMaps", id, "version of secret/db", "secret/db"]);
  expect(Object.keys(one.digests)).toEqual([id, key.id, "secret/db"]);
  expect(other.digests).not.toEqual(one.digests);
});
