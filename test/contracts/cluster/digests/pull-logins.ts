import { expect, test, vi } from "vitest";
import type { WorkloadRef } from "../../../../functions/domain/workload.ts";
import { manifest } from "../../cluster-fixtures.ts";
import { createObject, read, type At, type Bench } from "../bench.ts";
import { clusterWith, enabled } from "./bench.ts";

const texts = {
  first: '{"auths":{"first.invalid":{"auth":"YTpi"}}}',
  second: '{"auths":{"second.invalid":{"auth":"YTpi"}}}',
  old: '{"old.invalid":{"auth":"YTpi"}}',
};

/** Secrets `first` and `second`, `old` in its old form, and `other`, which holds no login. */
export function pullLogins(at: At): void {
  test.for([
    { when: "the pods name them", own: { imagePullSecrets: of("second", "first") }, logins: ["second", "first"] },
    { when: "one is in the old form", own: { imagePullSecrets: of("old") }, logins: ["old"] },
    { when: "one is missing", own: { imagePullSecrets: of("nowhere", "first") }, logins: ["first"] },
    { when: "one holds no login", own: { imagePullSecrets: of("other", "first") }, logins: ["first"] },
    { when: "the account has them", own: { serviceAccountName: "puller" }, logins: ["first", "second"] },
    {
      when: "the pods have some, and the account too",
      own: { serviceAccountName: "puller", imagePullSecrets: of("old") },
      logins: ["old"],
    },
    { when: "there is no such account", own: { serviceAccountName: "nobody" }, logins: [] },
    { when: "the account default has one", own: {}, logins: ["second"] },
  ] as const)("when $when: $logins", async ({ own, logins }) => {
    await makeSecrets(at());
    const bench = clusterWith(at(), { readsPullSecrets: true });
    const workload = await read(bench, await withPods(bench, own));
    expect(await bench.cluster.pullLogins(workload)).toEqual(logins.map((name) => texts[name]));
  });

  test("a deployment that does not read them has none", async () => {
    await makeSecrets(at());
    const workload = await read(at(), await withPods(at(), { imagePullSecrets: of("first") }));
    expect(await at().cluster.pullLogins(workload)).toEqual([]);
  });
}

function of(...names: readonly string[]) {
  return names.map((name) => ({ name }));
}

function withPods(bench: Bench, own: object): Promise<WorkloadRef> {
  const { spec, ...rest } = manifest("Deployment", { optIn: null, annotations: enabled });
  const template = (spec as { template?: { spec: object } }).template;
  return createObject(bench, "Deployment", {
    ...rest,
    spec: { ...spec, template: { ...template, spec: { ...template?.spec, ...own } } },
  });
}

async function makeSecrets(bench: Bench): Promise<void> {
  const { request, namespace } = bench;
  const post = async (plural: string, body: object) => {
    const { code, text } = await request("POST", `/api/v1/namespaces/${namespace}/${plural}`, { body });
    if (code !== 201) throw new Error(text);
  };
  const secret = (name: string, type: string, key: string, text: string) =>
    post("secrets", { metadata: { name }, type, data: { [key]: Buffer.from(text).toString("base64") } });
  await secret("first", "kubernetes.io/dockerconfigjson", ".dockerconfigjson", texts.first);
  await secret("second", "kubernetes.io/dockerconfigjson", ".dockerconfigjson", texts.second);
  await secret("old", "kubernetes.io/dockercfg", ".dockercfg", texts.old);
  await secret("other", "Opaque", "password", "hunter2");
  await post("serviceaccounts", { metadata: { name: "puller" }, imagePullSecrets: of("first", "second") });
  await giveDefault(bench);
}

/** A server with controllers makes that account by itself, a little later than the namespace. */
async function giveDefault({ request, namespace }: Bench): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts`;
  const imagePullSecrets = of("second");
  await vi.waitFor(async () => {
    await request("POST", path, { body: { metadata: { name: "default" } } });
    const contentType = "application/merge-patch+json";
    const { body } = await request("PATCH", `${path}/default`, { contentType, body: { imagePullSecrets } });
    expect(body).toMatchObject({ imagePullSecrets });
  });
}
