import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { noLimitSettings } from "../../../functions/domain/budget/limits.ts";
import { pollCluster } from "../../../functions/workflows/poll/poll-cluster.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import { updatingWorkload, workload, type WorkloadParts } from "../../support/workloads.ts";
import { createAdapter, imageAt, json, type Script, startScriptedServer } from "./scripted-server.ts";

const index = JSON.stringify({ schemaVersion: 2, manifests: [] });
const digestOf = (body: string) => `sha256:${createHash("sha256").update(body).digest("hex")}`;

/** Answers as Docker Hub does, without an ETag of manifests. */
function script(body: () => string): Script {
  return ({ method, path }, response) => {
    if (path.endsWith("/tags/list")) return json(response, { tags: ["1.0.0", "1.1.0"] });
    const headers = { "docker-content-digest": digestOf(body()) };
    return void response.writeHead(200, headers).end(method === "HEAD" ? undefined : body());
  };
}

const pulls = (requests: readonly { readonly method: string; readonly path: string }[]) =>
  requests.filter(({ method, path }) => method === "GET" && path.includes("/manifests/")).length;

const named = (name: string, parts: WorkloadParts) => {
  const { ref } = workload();
  return workload({ ...parts, ref: { ...ref, name, uid: `uid-of-${name}` } });
};

/** What keeps the version from a workload: the gates of a poll come after it was resolved. */
const held = {
  limits: () => [updatingWorkload()],
  haltedElsewhere: (image: string) =>
    ["a", "b"].map((name) => named(name, { image, source: image, updateRecord: { failedVersions: ["1.1.0"] } })),
};

test.for(Object.entries(held))(
  "a version that %s holds is pulled once, in any number of polls",
  async ([gate, others]) => {
    await using server = await startScriptedServer(script(() => index));
    const image = `${server.host}/team/app:1.0.0`;
    const waits = named("waits", { image, source: image });
    const limits = { ...noLimitSettings, ...(gate === "limits" ? { maxConcurrent: 1 } : {}) };
    const ports = {
      ...fakePorts({ workloads: [waits, ...others(image)] }),
      limits,
      registry: createAdapter([server.host]),
    };
    for (const running of ["", "again", "again"]) {
      await pollCluster(ports);
      ports.pass(300);
      expect((await ports.cluster.read(waits.ref))?.gates, running).toMatchObject([{ name: gate }]);
    }
    // The image that runs, and the version that is held.
    expect(pulls(server.requests)).toBeLessThanOrEqual(2);
    expect(server.requests.filter(({ method }) => method === "HEAD").length).toBeGreaterThanOrEqual(2);
  },
);

test("a reference is read again if it has moved, and not if it moves back to what another one has", async () => {
  let body = index;
  await using server = await startScriptedServer(script(() => body));
  const registry = createAdapter([server.host]);
  const image = imageAt(server.host, { tag: "1.1.0" });
  const resolve = async () => (await registry.resolve(image)).digest;
  expect([await resolve(), await resolve(), pulls(server.requests)]).toEqual([digestOf(index), digestOf(index), 1]);
  body = `${index} `;
  expect([await resolve(), await resolve(), pulls(server.requests)]).toEqual([digestOf(body), digestOf(body), 2]);
});

test("another login that may not read a reference gets nothing of what is cached", async () => {
  await using server = await startScriptedServer((request, response, host) =>
    request.authorization === null
      ? void response.writeHead(401, { "www-authenticate": 'Basic realm="test"' }).end()
      : script(() => index)(request, response, host),
  );
  const image = imageAt(server.host, { tag: "1.1.0" });
  const login = { kind: "password", username: "pawl", password: "ratchet" } as const;
  let isKnown = true;
  const registry = createAdapter([server.host], { credentials: async () => (isKnown ? login : null) });
  expect((await registry.resolve(image)).digest).toBe(digestOf(index));
  isKnown = false;
  await expect(registry.resolve(image)).rejects.toMatchObject({ name: "RegistryUnauthorized" });
});
