import { expect, test } from "vitest";
import { type At, patch } from "./bench.ts";

const encoded = (text: string) => Buffer.from(text).toString("base64");

/** The hash by which nodes see that their pull secret has changed. */
export function secrets(at: At): void {
  test("changes with the content of the secret, and with nothing else", async () => {
    const ref = { namespace: at().namespace, name: "pull" };
    const collection = `/api/v1/namespaces/${ref.namespace}/secrets`;
    const type = "kubernetes.io/dockerconfigjson";
    const data = { ".dockerconfigjson": encoded('{"auths":{}}') };
    await at().make(collection, { apiVersion: "v1", kind: "Secret", metadata: { name: "pull" }, type, data });
    const before = await at().pools.pullSecret(ref);
    const hash = expect.stringMatching(/^sha256:[0-9a-f]{64}$/);
    expect(before).toEqual({ kind: "found", hash, logins: ['{"auths":{}}'] });
    await patch(at(), `${collection}/pull`, { metadata: { labels: { team: "shop" } } });
    expect(await at().pools.pullSecret(ref)).toEqual(before);
    await patch(at(), `${collection}/pull`, { data: { ".dockerconfigjson": encoded('{"auths":{"quay.io":{}}}') } });
    const after = await at().pools.pullSecret(ref);
    expect(after.kind).toBe("found");
    expect(after).not.toEqual(before);
  });

  test("is a problem where the secret is missing", async () => {
    const { namespace } = at();
    const reason = `Secret ${namespace}/pull does not exist`;
    expect(await at().pools.pullSecret({ namespace, name: "pull" })).toEqual({ kind: "problem", reason });
    const nowhere = { namespace: `${namespace}-not`, name: "pull" };
    expect(await at().pools.pullSecret(nowhere)).toMatchObject({ kind: "problem" });
  });
}
