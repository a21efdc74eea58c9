import { expect, test, vi } from "vitest";
import type { WorkloadRef } from "../../../../functions/domain/workload/workload.ts";
import { manifest } from "../../cluster-fixtures.ts";
import { createObject, read, type At, type Harness } from "../harness.ts";
import { clusterWith, enabled } from "./harness.ts";

const texts = {
  first: '{"auths":{"first.invalid":{"auth":"YTpi"}}}',
  second: '{"auths":{"second.invalid":{"auth":"YTpi"}}}',
  old: '{"old.invalid":{"auth":"YTpi"}}',
};

/** Tests with the Secrets `first` and `second`, `old` in the dockercfg format, and `other` without a login. */
export function testPullSecrets(at: At): void {
  test.for([
    { when: "the pods reference them", own: { imagePullSecrets: of("second", "first") }, logins: ["second", "first"] },
    { when: "one has the dockercfg format", own: { imagePullSecrets: of("old") }, logins: ["old"] },
    { when: "one is missing", own: { imagePullSecrets: of("missing", "first") }, logins: ["first"] },
    { when: "one has no login", own: { imagePullSecrets: of("other", "first") }, logins: ["first"] },
    { when: "the service account references them", own: { serviceAccountName: "puller" }, logins: ["first", "second"] },
    {
      when: "both pods and service account reference some",
      own: { serviceAccountName: "puller", imagePullSecrets: of("old") },
      logins: ["old"],
    },
    { when: "the service account is missing", own: { serviceAccountName: "missing" }, logins: [] },
    { when: "the default service account references one", own: {}, logins: ["second"] },
  ] as const)("if $when: $logins", async ({ own, logins }) => {
    await createSecrets(at());
    const harness = clusterWith(at(), { readsPullSecrets: true });
    const workload = await read(harness, await withPods(harness, own));
    expect(await harness.cluster.pullSecrets(workload)).toEqual(logins.map((name) => texts[name]));
  });

  test("none are read if this is not configured", async () => {
    await createSecrets(at());
    const workload = await read(at(), await withPods(at(), { imagePullSecrets: of("first") }));
    expect(await at().cluster.pullSecrets(workload)).toEqual([]);
  });
}

function of(...names: readonly string[]) {
  return names.map((name) => ({ name }));
}

function withPods(harness: Harness, own: object): Promise<WorkloadRef> {
  const { spec, ...rest } = manifest("Deployment", { optIn: null, annotations: enabled });
  const template = (spec as { template?: { spec: object } }).template;
  return createObject(harness, "Deployment", {
    ...rest,
    spec: { ...spec, template: { ...template, spec: { ...template?.spec, ...own } } },
  });
}

async function createSecrets(harness: Harness): Promise<void> {
  const { request, namespace } = harness;
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
  await setDefaultAccountSecret(harness);
}

/** A server with controllers creates the default account, shortly after the namespace. */
async function setDefaultAccountSecret({ request, namespace }: Harness): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts`;
  const imagePullSecrets = of("second");
  await vi.waitFor(async () => {
    await request("POST", path, { body: { metadata: { name: "default" } } });
    const contentType = "application/merge-patch+json";
    const { body } = await request("PATCH", `${path}/default`, { contentType, body: { imagePullSecrets } });
    expect(body).toMatchObject({ imagePullSecrets });
  }, 60_000);
}
