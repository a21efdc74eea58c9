import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { certificates } from "./certificates.ts";
import { startProxyServer, type ProxyEnvironment } from "./proxy-server.ts";

describe("with the environment of the poll", { timeout: 30_000 }, () => {
  let proxyServer: ProxyEnvironment;
  beforeAll(async () => void (proxyServer = await startProxyServer()));
  afterAll(() => proxyServer.close());

  test("registries are requested through the proxy, which resolves their names", async () => {
    const { results, proxied } = await proxyServer.send(
      ["registry=http://registry.test/v2/", "registry=https://registry.test/v2/"],
      [".internal"],
    );
    expect(proxied).toEqual(["registry.test:80", "registry.test:443"]);
    expect(results[0]).toBe('registry: 200 {"by":"registry.test"}');
  });

  test.for([
    { when: "noProxy is empty", noProxy: () => [], isProxied: true },
    { when: "it is listed", noProxy: () => ["0.0.0.0"], isProxied: false },
    { when: "its host and port are listed", noProxy: ({ host }: ProxyEnvironment) => [host], isProxied: false },
    {
      when: "its host with another port is listed",
      noProxy: ({ port }: ProxyEnvironment) => [`0.0.0.0:${port + 1}`],
      isProxied: true,
    },
    { when: "its suffix is listed", noProxy: () => [".0.0"], isProxied: false },
    { when: "its parent domain is listed", noProxy: () => ["0.0"], isProxied: false },
    { when: "its suffix is listed with a star", noProxy: () => ["*.0.0"], isProxied: false },
    { when: "only other hosts are listed", noProxy: () => ["a.internal", ".0.0.1"], isProxied: true },
    // Has no effect, so the configuration rejects it.
    { when: "its range is listed", noProxy: () => ["0.0.0.0/8", "0.0.0.0-0.0.0.9"], isProxied: true },
  ])("a host is requested through the proxy ($isProxied) if $when", async ({ noProxy, isProxied }) => {
    const { results, proxied } = await proxyServer.send([`registry=http://${proxyServer.host}/`], noProxy(proxyServer));
    expect(results).toEqual([`registry: 200 {"by":"${proxyServer.host}"}`]);
    expect(proxied).toEqual(isProxied ? [proxyServer.host] : []);
  });

  test("AWS, the cluster and localhost are requested directly", async () => {
    const url = `http://${proxyServer.host}`;
    const requests = [`lambda=${url}`, `kubernetes=${url}`, `registry=http://127.0.0.1:${proxyServer.port}/`];
    const { results, proxied } = await proxyServer.send(requests, []);
    expect(results).toEqual([
      "lambda: 200",
      expect.stringMatching(/^kubernetes: \{/),
      expect.stringMatching(/^registry: 200/),
    ]);
    expect(proxied).toEqual([]);
  });

  test("Node.js trusts the certificates in the function package", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "pawl-certificates-")), "authority.pem");
    writeFileSync(file, certificates);
    expect((await proxyServer.send(["certificates"], [], { NODE_EXTRA_CA_CERTS: file })).results).toEqual([
      "certificates: 1",
    ]);
    expect((await proxyServer.send(["certificates"], [])).results).toEqual(["certificates: 0"]);
  });
});
