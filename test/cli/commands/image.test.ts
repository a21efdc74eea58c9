import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type EmbeddedRegistry, startEmbeddedRegistry } from "../../../infra/local/registry/embedded-registry.ts";
import { json, startScriptedServer } from "../../adapters/oci-registry/scripted-server.ts";
import { runPawl, spawnPawl } from "../run-pawl.ts";

// The commands are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const digest = `sha256:${"0123456789abcdef".repeat(4)}`;
const hub = "registry-1.docker.io";

describe.concurrent("pawl image", () => {
  test.for([
    ["nginx", { registry: hub, repository: "library/nginx", tag: null, digest: null }],
    ["docker.io/grafana/grafana:11.0.0", { registry: hub, repository: "grafana/grafana", tag: "11.0.0", digest: null }],
    ["localhost:5000/a/b:1", { registry: "localhost:5000", repository: "a/b", tag: "1", digest: null }],
    [`[::1]:5000/a:1@${digest}`, { registry: "[::1]:5000", repository: "a", tag: "1", digest }],
  ] as const)("prints the parts of %s", async ([reference, parts]) => {
    const { stdout, stderr, status } = await runPawl(["image", reference]);
    expect(JSON.parse(stdout)).toEqual(parts);
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  });

  test.for(["", "Nginx/App", "nginx:", "https://ghcr.io/a/b", "nginx@sha256:12"])("rejects %j", async (reference) => {
    const ran = await runPawl(["image", reference]);
    expect(ran).toMatchObject({ stdout: "", status: 2 });
    expect(ran.stderr).toMatch(/^pawl: image: .*\n$/);
  });
});

describe("pawl image --remote", () => {
  const login = { kind: "basic", username: "pawl", password: "ratchet" } as const;
  const repositories = { "team/app": ["1.0.0", "1.1.0", "latest"], "team/plain": ["2.0.0"] };
  let open: EmbeddedRegistry;
  let closed: EmbeddedRegistry;
  let directory: string;

  beforeAll(async () => {
    open = await startEmbeddedRegistry({ repositories });
    closed = await startEmbeddedRegistry({ repositories, auth: login });
    directory = await mkdtemp(join(tmpdir(), "pawl-cli-"));
    const auth = Buffer.from(`${login.username}:${login.password}`).toString("base64");
    await writeFile(join(directory, "config.json"), JSON.stringify({ auths: { [closed.host]: { auth } } }));
  });
  afterAll(async () => {
    await Promise.all([open.close(), closed.close(), rm(directory, { recursive: true })]);
  });

  async function remote(registry: EmbeddedRegistry, image: string, ...args: readonly string[]) {
    const insecure = ["--insecure-registry", registry.host];
    return runPawl(["image", `${registry.host}/${image}`, "--remote", ...insecure, ...args]);
  }

  test("prints the registry's data in addition to the reference's", async () => {
    const { stdout, status } = await remote(open, "team/app:1.1.0");
    const found = open.digestOf(`${open.host}/team/app:1.1.0`);
    const data = { digest: found, manifests: [], tags: ["1.0.0", "1.1.0", "latest"] };
    const parts = { registry: open.host, repository: "team/app", tag: "1.1.0", digest: null };
    expect(JSON.parse(stdout)).toEqual({ ...parts, remote: data });
    expect(found).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(status).toBe(0);
  });

  test("prints the manifests of an index", async () => {
    const manifests = ["aa", "bb"].map((pair) => ({ digest: `sha256:${pair.repeat(32)}` }));
    await using index = await startScriptedServer(({ path }, response) =>
      json(response, path.includes("/tags/") ? { tags: ["1"] } : { schemaVersion: 2, manifests }),
    );
    const { stdout } = await spawnPawl(["image", `${index.host}/a:1`, "--remote", "--insecure-registry", index.host]);
    const { remote: data } = JSON.parse(stdout) as { remote: object };
    expect(data).toEqual({
      digest: expect.stringMatching(/^sha256:/),
      manifests: manifests.map((one) => one.digest),
      tags: ["1"],
    });
  });

  test("lists the tags of a repository without a latest", async () => {
    const { stdout, status } = await remote(open, "team/plain");
    expect(JSON.parse(stdout)).toMatchObject({ remote: { digest: null, tags: ["2.0.0"] } });
    expect(status).toBe(0);
  });

  test("logs in with a docker config", async () => {
    const { stdout } = await remote(closed, "team/plain:2.0.0", "--docker-config", join(directory, "config.json"));
    expect(JSON.parse(stdout)).toMatchObject({ remote: { tags: ["2.0.0"] } });
  });

  test("also reads registries and logins from the functions' environment", async () => {
    const env = {
      PAWL_INSECURE_REGISTRIES: `other:5000,${closed.host}`,
      PAWL_DOCKER_CONFIG: join(directory, "config.json"),
    };
    const { stdout } = await runPawl(["image", `${closed.host}/team/plain:2.0.0`, "--remote"], { env });
    expect(JSON.parse(stdout)).toMatchObject({ remote: { tags: ["2.0.0"] } });
  });

  test.for([
    { when: "the tag does not exist", image: "team/app:9.9.9", status: 1, message: "has no 9.9.9" },
    { when: "the repository does not exist", image: "team/none", status: 1, message: "404" },
    {
      when: "the docker config does not exist",
      image: "team/app",
      args: ["--docker-config", "/none"],
      status: 2,
      message: "/none",
    },
    {
      when: "a host is invalid",
      image: "team/app",
      args: ["--insecure-registry", "http://x"],
      status: 2,
      message: "http://x",
    },
  ])("$when: status $status", async ({ image, args = [], status, message }) => {
    const ran = await remote(open, image, ...args);
    expect(ran.status).toBe(status);
    expect(ran.stderr).toContain(message);
  });

  test("exits with 3 if the registry denies access, has no TLS or does not answer", async () => {
    expect(await remote(closed, "team/app")).toMatchObject({ stdout: "", status: 3 });
    expect(await runPawl(["image", `${open.host}/team/app`, "--remote"])).toMatchObject({ stdout: "", status: 3 });
    const host = await portWithoutListener();
    const ran = await runPawl(["image", `${host}/team/app`, "--remote", "--allowed-registry", host]);
    expect(ran).toMatchObject({ stdout: "", status: 3 });
    expect(ran.stderr).toMatch(/^pawl: .*nothing listens there.*\n$/);
  });
});

async function portWithoutListener(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `127.0.0.1:${port}`;
}
