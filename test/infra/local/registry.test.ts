import { afterEach, describe, expect, test } from "vitest";
import { anonymous } from "../../../functions/adapters/oci-registry/credentials/credentials.ts";
import { createOciRegistry } from "../../../functions/adapters/oci-registry/registry.ts";
import {
  startEmbeddedRegistry,
  type EmbeddedRegistry,
  type EmbeddedRegistrySettings,
} from "../../../infra/local/registry/embedded-registry.ts";
import { registryContract, type RegistryUnderTest } from "../../contracts/registry.ts";

const login = { username: "pawl", password: "ratchet" };

registryContract("the embedded registry", () => embedded());
registryContract("the embedded registry with a basic login", () => embedded({ kind: "basic", ...login }));
registryContract("the embedded registry with bearer tokens", () => embedded({ kind: "bearer", ...login }));

describe("the embedded registry by itself", () => {
  let registry: EmbeddedRegistry;
  afterEach(() => registry.close());

  async function start(settings: Partial<EmbeddedRegistrySettings>): Promise<void> {
    registry = await startEmbeddedRegistry({ repositories: { app: ["1.1.0", "1.0.0", "1.2.0"] }, ...settings });
  }

  async function get(path: string): Promise<{ status: number; link: string | null; body: unknown }> {
    const response = await fetch(registry.url + path);
    return { status: response.status, link: response.headers.get("link"), body: await response.json() };
  }

  test("paginates in lexical order, by its own page size and the client's", async () => {
    await start({ pageSize: 2 });
    const first = await get("/v2/app/tags/list");
    expect(first.body).toEqual({ name: "app", tags: ["1.0.0", "1.1.0"] });
    expect(first.link).toBe('</v2/app/tags/list?last=1.1.0&n=2>; rel="next"');
    const last = await get("/v2/app/tags/list?last=1.1.0&n=2");
    expect(last).toEqual({ status: 200, link: null, body: { name: "app", tags: ["1.2.0"] } });
    expect((await get("/v2/app/tags/list?n=1")).body).toEqual({ name: "app", tags: ["1.0.0"] });
  });

  test.for([
    { path: "/v2/absent/tags/list", status: 404, code: "NAME_UNKNOWN" },
    { path: "/v2/app/manifests/9.9.9", status: 404, code: "MANIFEST_UNKNOWN" },
    { path: "/v2/app/tags/list?n=many", status: 400, code: "PAGINATION_NUMBER_INVALID" },
    { path: "/v2/app/blobs/x", status: 404, code: "NOT_FOUND" },
    { path: "/v2/%zz/tags/list", status: 404, code: "NAME_UNKNOWN" },
  ])("responds $status $code to $path", async ({ path, status, code }) => {
    await start({});
    expect(await get(path)).toMatchObject({ status, body: { errors: [{ code }] } });
  });

  test("moves a tag that is pushed with another digest, and keeps the previous manifest", async () => {
    await start({});
    const before = await digestOf("1.0.0");
    const other = `sha256:${"ab".repeat(32)}`;
    registry.push("app", "1.0.0", other);
    expect(await digestOf("1.0.0")).toBe(other);
    expect(await digestOf(before ?? "none")).toBe(before);
    registry.push("app", "1.0.0");
    expect(await digestOf("1.0.0")).toBe(before);
  });

  test("points a rebuilt tag to an index of two images, all available by digest", async () => {
    await start({});
    const image = { registry: registry.host, repository: "app", tag: "1.0.0", digest: null };
    const adapter = createOciRegistry({
      credentials: anonymous,
      insecureHosts: [registry.host],
      now: () => new Date(),
    });
    for (const built of [registry.rebuild("app", "1.0.0"), registry.rebuild("app", "1.0.0")]) {
      expect(new Set(built).size).toBe(3);
      for (const digest of built) expect(await digestOf(digest)).toBe(digest);
    }
    const built = registry.rebuild("app", "1.0.0");
    expect(await adapter.digestsOf(image)).toEqual(built);
  });

  test("responds 304 to an unchanged ETag", async () => {
    await start({});
    const ask = (etag: string) => fetch(`${registry.url}/v2/app/tags/list`, { headers: { "if-none-match": etag } });
    const etag = (await ask("")).headers.get("etag") ?? "none";
    expect((await ask(etag)).status).toBe(304);
    registry.push("app", "1.3.0");
    expect((await ask(etag)).status).toBe(200);
  });

  test("does not list a removed tag", async () => {
    await start({});
    registry.remove("app", "1.1.0");
    expect((await get("/v2/app/tags/list")).body).toEqual({ name: "app", tags: ["1.0.0", "1.2.0"] });
    expect((await get("/v2/app/manifests/1.1.0")).status).toBe(404);
  });

  test("all its pages are read by the adapter", async () => {
    await start({ pageSize: 1 });
    const image = { registry: registry.host, repository: "app", tag: null, digest: null };
    const insecureHosts = [registry.host];
    const adapter = createOciRegistry({ credentials: anonymous, insecureHosts, now: () => new Date() });
    expect(await adapter.listTags(image)).toEqual(["1.0.0", "1.1.0", "1.2.0"]);
    expect(registry.requests()).toHaveLength(3);
  });

  test("logs its requests", async () => {
    await start({ latencyMs: 1 });
    await get("/v2/");
    await digestOf("1.0.0");
    expect(registry.requests()).toEqual([
      { method: "GET", path: "/v2/" },
      { method: "HEAD", path: "/v2/app/manifests/1.0.0" },
    ]);
  });

  async function digestOf(reference: string): Promise<string | null> {
    const response = await fetch(`${registry.url}/v2/app/manifests/${reference}`, { method: "HEAD" });
    return response.headers.get("docker-content-digest");
  }
});

async function embedded(auth?: EmbeddedRegistrySettings["auth"]): Promise<RegistryUnderTest> {
  const registry = await startEmbeddedRegistry({ repositories: {}, pageSize: 40, ...(auth && { auth }) });
  return {
    host: registry.host,
    login: auth === undefined ? null : login,
    push: async (repository, tags) => {
      for (const tag of tags) registry.push(repository, tag);
    },
    move: async (repository, tag) => void registry.rebuild(repository, tag),
    close: () => registry.close(),
  };
}
