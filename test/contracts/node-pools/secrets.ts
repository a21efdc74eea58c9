import { expect, test } from "vitest";
import { type GetHarness, patch } from "./harness.ts";

const encoded = (text: string) => Buffer.from(text).toString("base64");

/** The hash tells nodes that their pull secret has changed. */
export function secrets(harness: GetHarness): void {
  test("changes only with the content of the secret", async () => {
    const ref = { namespace: harness().namespace, name: "pull" };
    const collection = `/api/v1/namespaces/${ref.namespace}/secrets`;
    const type = "kubernetes.io/dockerconfigjson";
    const data = { ".dockerconfigjson": encoded('{"auths":{}}') };
    await harness().create(collection, { apiVersion: "v1", kind: "Secret", metadata: { name: "pull" }, type, data });
    const before = await harness().pools.pullSecret(ref);
    const hash = expect.stringMatching(/^sha256:[0-9a-f]{64}$/);
    expect(before).toEqual({ kind: "found", hash, logins: ['{"auths":{}}'] });
    await patch(harness(), `${collection}/pull`, { metadata: { labels: { team: "shop" } } });
    expect(await harness().pools.pullSecret(ref)).toEqual(before);
    await patch(harness(), `${collection}/pull`, {
      data: { ".dockerconfigjson": encoded('{"auths":{"quay.io":{}}}') },
    });
    const after = await harness().pools.pullSecret(ref);
    expect(after.kind).toBe("found");
    expect(after).not.toEqual(before);
  });

  test("is a problem if the secret is missing", async () => {
    const { namespace } = harness();
    const reason = `Secret ${namespace}/pull does not exist`;
    expect(await harness().pools.pullSecret({ namespace, name: "pull" })).toEqual({ kind: "problem", reason });
    const nowhere = { namespace: `${namespace}-not`, name: "pull" };
    expect(await harness().pools.pullSecret(nowhere)).toMatchObject({ kind: "problem" });
  });
}
