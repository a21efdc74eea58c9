import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { runPawl, spawnPawl } from "../run-pawl.ts";

// The commands are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

let directory: string;
let server: Server;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "pawl-cli-"));
  // Answers with the status that the path begins with: /403/apis/….
  server = createServer((request, response) => {
    const status = Number(request.url?.split("/")[1]);
    const reason = status === 403 ? "Forbidden" : "InternalError";
    response.writeHead(status, { "content-type": "application/json" });
    response.end(
      JSON.stringify({ kind: "Status", apiVersion: "v1", status: "Failure", code: status, reason, message: "no" }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await rm(directory, { recursive: true });
});

interface Kubeconfig {
  readonly address?: string;
  readonly user?: object;
}

async function kubeconfig({ address = "", user = {} }: Kubeconfig): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const document = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "here",
    clusters: [
      { name: "here", cluster: { server: `http://127.0.0.1:${port}/${address}`, "insecure-skip-tls-verify": true } },
    ],
    users: [{ name: "here", user }],
    contexts: [{ name: "here", context: { cluster: "here", user: "here" } }],
  };
  const path = join(directory, `${crypto.randomUUID()}.json`);
  await writeFile(path, JSON.stringify(document));
  return path;
}

function execLogin(script: string): object {
  const args = ["-c", script];
  const exec = { apiVersion: "client.authentication.k8s.io/v1", command: "sh", args, interactiveMode: "Never" };
  return { exec };
}

describe("a cluster that denies access or does not answer: exit code 3", () => {
  test.for<{ when: string; config: Kubeconfig; message: string }>([
    { when: "it denies the request", config: { address: "403" }, message: "403" },
    { when: "it fails", config: { address: "500" }, message: "500" },
    { when: "the login fails", config: { user: execLogin("echo logged out >&2; exit 1") }, message: "logged out" },
  ])("$when", async ({ config, message }) => {
    const ran = await runPawl(["plan", "--kubeconfig", await kubeconfig(config)]);
    expect(ran).toMatchObject({ stdout: "", status: 3 });
    expect(ran.stderr).toMatch(/^pawl: .*\n$/);
    expect(ran.stderr).toContain(message);
  });

  test.for(["pools", "pause bootcnodepool/workers"])("pawl %s", async (verb) => {
    const ran = await spawnPawl([...verb.split(" "), "--kubeconfig", await kubeconfig({ address: "403" })]);
    expect(ran).toMatchObject({ stdout: "", status: 3 });
    expect(ran.stderr).toMatch(/^pawl: .*403.*\n$/);
  });
});

describe("an unusable kubeconfig: exit code 2", () => {
  test.for([
    { when: "the file does not exist", args: ["--kubeconfig", "/none"], message: "/none" },
    { when: "there is no kubeconfig", args: [], message: "--kubeconfig" },
    { when: "KUBECONFIG names a missing file", args: [], env: { KUBECONFIG: "/none" }, message: "/none" },
    { when: "a runtime image is invalid", args: ["--runtime-image", "openclaw"], message: "runtime=repository" },
  ])("$when", async ({ args, env = {}, message }) => {
    const ran = await runPawl(["status", ...args], { env });
    expect(ran).toMatchObject({ stdout: "", status: 2 });
    expect(ran.stderr).toContain(message);
  });

  test("it has no such context", async () => {
    const ran = await runPawl(["status", "--context", "there", "--kubeconfig", await kubeconfig({})]);
    expect(ran).toMatchObject({ stdout: "", status: 2 });
    expect(ran.stderr).toContain('no context "there"');
    expect(ran.stderr).toContain("here");
  });
});
