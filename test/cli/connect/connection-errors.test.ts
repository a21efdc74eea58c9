import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer as createHttpServer, type Server, type ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { describeConnectionFailure } from "../../../functions/adapters/connection-failure.ts";
import { selfSigned } from "../../support/real/self-signed.ts";
import { runPawl } from "../run-pawl.ts";

vi.setConfig({ testTimeout: 60_000 });

/** Answers 401 to everything, as an API server and as a registry. */
const unauthorized = (_: unknown, response: ServerResponse) => {
  response.writeHead(401, { "content-type": "application/json", "www-authenticate": "Basic realm=r" });
  response.end(JSON.stringify({ kind: "Status", apiVersion: "v1", code: 401, message: "Unauthorized" }));
};

let directory: string;
let plain: Server;
let secure: Server;
const hosts = { plain: "", secure: "", closed: "", unknown: "nothing.invalid:6443" };

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "pawl-cli-"));
  plain = createHttpServer(unauthorized);
  secure = createHttpsServer(selfSigned, unauthorized);
  hosts.plain = await listen(plain);
  hosts.secure = await listen(secure);
  const closed = createHttpServer();
  hosts.closed = await listen(closed);
  await new Promise((resolve) => closed.close(resolve));
});
afterAll(async () => {
  for (const server of [plain, secure]) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  await rm(directory, { recursive: true });
});

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function kubeconfig(server: string): Promise<string> {
  const path = join(directory, `${crypto.randomUUID()}.json`);
  const document = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "staging",
    clusters: [{ name: "here", cluster: { server } }],
    users: [{ name: "jane", user: { token: "expired" } }],
    contexts: [{ name: "staging", context: { cluster: "here", user: "jane" } }],
  };
  await writeFile(path, JSON.stringify(document));
  return path;
}

describe("the cluster: the URL, the context, the cause and what helps", () => {
  test.for([
    {
      when: "refused",
      scheme: "https",
      host: "closed",
      cause: "ECONNREFUSED: connection refused",
      fix: "--context",
    },
    { when: "DNS", scheme: "https", host: "unknown", cause: "its name does not resolve", fix: "--context" },
    {
      when: "TLS: an unknown certificate",
      scheme: "https",
      host: "secure",
      cause: "its certificate is not trusted",
      fix: "certificate-authority-data",
    },
    {
      when: "TLS: a server that speaks HTTP",
      scheme: "https",
      host: "plain",
      cause: "it does not speak TLS",
      fix: "write http:// in its kubeconfig",
    },
    { when: "401", scheme: "http", host: "plain", cause: "401", fix: "credentials of user jane; log in again" },
  ] as const)("$when", async ({ scheme, host, cause, fix }) => {
    const url = `${scheme}://${hosts[host]}`;
    for (const command of [["status"], ["plan", "-n", "shop"], ["pools"], ["status", "shop/web"]]) {
      const { stdout, stderr, status } = await runPawl([...command, "--kubeconfig", await kubeconfig(url)]);
      expect({ stdout, status }).toEqual({ stdout: "", status: 3 });
      expect(stderr).toMatch(/^pawl: [^\n]*\n$/);
      expect(stderr).toContain(`pawl: ${url}, context staging: list `);
      expect(stderr).toContain(cause);
      expect(stderr).toContain(fix);
    }
  });
});

describe("a registry: the host, the cause and what helps", () => {
  test.for([
    { when: "refused", host: "closed", options: [], cause: "ECONNREFUSED: connection refused" },
    { when: "DNS", host: "unknown", options: [], cause: "its name does not resolve" },
    { when: "an unknown certificate", host: "secure", options: [], cause: "is not trusted; set NODE_EXTRA_CA_CERTS" },
    {
      when: "HTTP",
      host: "plain",
      options: [],
      cause: "does not speak TLS; if plain HTTP is intended, .*--insecure-registry",
    },
    {
      when: "401",
      host: "plain",
      options: ["--insecure-registry"],
      cause: "requires a user name and a password, and none is configured",
    },
  ] as const)("$when", async ({ host, options, cause }) => {
    const flags = [...options.flatMap((flag) => [flag, hosts[host]]), "--allowed-registry", hosts[host]];
    const { stdout, stderr, status } = await runPawl(["image", `${hosts[host]}/team/app`, "--remote", ...flags]);
    expect({ stdout, status }).toEqual({ stdout: "", status: 3 });
    expect(stderr).toMatch(new RegExp(`^pawl: .*${hosts[host]}.*${cause}.*\\n$`));
  });

  test("a private address names both options", async () => {
    const { stderr } = await runPawl(["image", `${hosts.plain}/team/app`, "--remote"]);
    expect(stderr).toMatch(/no public address.*\(--allowed-registry\).*\(--insecure-registry\)/);
  });
});

test.for([
  { error: new DOMException("late", "TimeoutError"), reason: "no answer in time" },
  {
    error: new TypeError("fetch failed", { cause: withCode("ECONNRESET") }),
    reason: "ECONNRESET: the connection was closed",
  },
  { error: withCode("UND_ERR_CONNECT_TIMEOUT"), reason: "UND_ERR_CONNECT_TIMEOUT: it is not reachable" },
  { error: withCode("HPE_INVALID_CONSTANT"), reason: "HPE_INVALID_CONSTANT: it does not speak HTTP" },
  { error: new TypeError("terminated"), reason: "the response is not complete" },
  { error: "text", reason: "the connection failed" },
])("$reason", ({ error, reason }) => {
  expect(describeConnectionFailure(error)).toBe(reason);
});

function withCode(code: string): Error {
  return Object.assign(new Error(code), { code });
}
