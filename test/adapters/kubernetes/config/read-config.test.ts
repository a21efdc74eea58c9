import { ApiException } from "@kubernetes/client-node";
import { expect, test } from "vitest";
import type { ConfigApi, ConfigContent } from "../../../../functions/adapters/kubernetes/config/config-api.ts";
import { readConfig } from "../../../../functions/adapters/kubernetes/config/read-config.ts";
import type { ConfigReference, ConfigTracking } from "../../../../functions/domain/workload/config/tracking.ts";
import { Forbidden, Unreachable } from "../../../../functions/ports/errors.ts";
import { reference } from "../../../support/config-workloads.ts";

type Objects = Readonly<Record<string, ConfigContent | Error>>;

/** Returns what is read of these objects, and the objects whose content was read. */
async function read(objects: Objects, tracking: Partial<ConfigTracking>, readsSecrets = true) {
  const contents: string[] = [];
  const find = (id: string) => {
    const found = objects[id];
    if (found instanceof Error) throw found;
    return found ?? null;
  };
  const api: ConfigApi = {
    listConfigMaps: async () => new Map(),
    getSecretVersion: async (_namespace, name) => find(`secret/${name}`)?.resourceVersion ?? null,
    getConfigContent: async (kind, _namespace, name) => {
      contents.push(`${kind}/${name}`);
      return find(`${kind}/${name}`);
    },
  };
  const configMaps = new Map(
    Object.entries(objects).flatMap(([id, object]) =>
      id.startsWith("configmap/")
        ? [[id.slice("configmap/".length), object instanceof Error ? "1" : object.resourceVersion]]
        : [],
    ),
  );
  const config = { references: [reference], salt: "5a17", deployed: {}, versions: {}, ...tracking };
  return { ...(await readConfig({ namespace: "shop", configMaps, readsSecrets }, config, api)), contents };
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

test.for([
  {
    when: "is required",
    isRequired: true,
    problems: ["configmap/app: does not exist; create it, or make the reference optional"],
  },
  { when: "is optional", isRequired: false, problems: [] },
])("an object that does not exist and $when", async ({ isRequired, problems }) => {
  const references = [{ ...reference, isRequired }];
  const missing = await read({}, { references });
  expect(missing).toMatchObject({ contents: [], versions: {}, problems });
  expect(missing.digest).not.toBe((await read({ [id]: { ...app, data: {} } }, { references })).digest);
});

test("a key that does not exist is a problem if it is required", async () => {
  const { problems } = await read({ [id]: { ...app, data: {} } }, { references: [key] });
  expect(problems).toEqual(['configmap/app: has no key "LEVEL"; create it, or make the reference optional']);
  const optional = { ...key, isRequired: false, requiredKeys: [] };
  expect((await read({ [id]: { ...app, data: {} } }, { references: [optional] })).problems).toEqual([]);
});

test("an object that is deleted after the list counts as missing", async () => {
  const gone = await readConfig(
    { namespace: "shop", configMaps: new Map([["app", "1"]]), readsSecrets: true },
    { references: [reference], salt: "5a17", deployed: {}, versions: {} },
    { listConfigMaps: async () => new Map(), getSecretVersion: async () => null, getConfigContent: async () => null },
  );
  expect(gone).toMatchObject({ versions: {}, problems: [expect.stringContaining("does not exist")] });
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
  expect(named.problems).toEqual([expect.stringContaining("secret/db: this installation of Pawl reads no Secrets")]);
});

const denied = new Forbidden("no", { cause: new ApiException(403, "", {}, {}) });

test("an object that must not be read is a problem; any other error ends the evaluation", async () => {
  const { problems } = await read({ "secret/db": denied }, { references: [secret] });
  expect(problems).toEqual(["secret/db: Pawl must not read it; bind its role in this namespace"]);
  await expect(read({ [id]: new Unreachable("no answer") }, {})).rejects.toThrow(Unreachable);
});
