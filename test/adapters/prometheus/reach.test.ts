import { describe, expect, test } from "vitest";
import { catchError, json, startScriptedServer, type Script } from "../oci-registry/scripted-server.ts";
import { parseValidAddress, kubeConfigFor, openAt, proxyPrefix, secret, service, withLogin } from "./open.ts";

const one: Script = (_, response) =>
  json(response, { status: "success", data: { resultType: "scalar", result: [1, "1"] } });

describe("the configuration decides which addresses are requested", () => {
  test.for([
    { allowed: [], address: "http://127.0.0.1:9090" },
    { allowed: ["https://prom.example"], address: "http://169.254.169.254" },
    { allowed: ["https://prom.example"], address: "https://prom.example.evil.example" },
    { allowed: ["service://monitoring/prometheus:9090"], address: "service://kube-system/etcd:2379" },
    { allowed: ["amp://eu-west-1/ws-1"], address: "amp://eu-west-1/ws-2" },
  ])("$address is rejected if $allowed is allowed", async ({ allowed, address }) => {
    const failure = await catchError(openAt(address, { allowed: allowed.map(parseValidAddress) }));
    expect(failure).toMatchObject({ name: "QueryRejected", message: expect.stringContaining("is not allowed") });
  });

  test("redirects are not followed", async () => {
    await using other = await startScriptedServer(one);
    for (const status of [301, 302, 303, 307, 308]) {
      await using server = await startScriptedServer((_, response) =>
        response.writeHead(status, { location: `http://${other.host}/` }).end(),
      );
      const sources = [
        await openAt(`http://${server.host}`, withLogin({ kind: "bearer", token: secret })),
        await openAt(service, { kubeConfig: async () => kubeConfigFor(`http://${server.host}`) }),
      ];
      for (const source of sources) {
        const failure = await catchError(source.query("up"));
        expect(failure).toMatchObject({ name: "QueryRejected", message: expect.stringContaining("are not followed") });
      }
    }
    expect(other.requests).toEqual([]);
  });
});

describe("a request carries", () => {
  test.for([
    { login: null, authorization: null },
    { login: { kind: "bearer", token: secret }, authorization: `Bearer ${secret}` },
    {
      login: { kind: "basic", username: "pawl", password: secret },
      authorization: `Basic ${Buffer.from(`pawl:${secret}`).toString("base64")}`,
    },
  ] as const)("$login.kind", async ({ login, authorization }) => {
    await using server = await startScriptedServer(one);
    const origins: string[] = [];
    const source = await openAt(`http://${server.host}/prom`, {
      login: async (origin) => {
        origins.push(origin);
        return login;
      },
    });
    await source.query("up");
    expect(server.requests).toMatchObject([{ method: "GET", authorization }]);
    expect(server.requests[0]?.path).toBe("/prom/api/v1/query?query=up");
    expect(origins).toEqual([`http://${server.host}`]);
  });

  test("the login of the kubeconfig to an API server", async () => {
    await using server = await startScriptedServer(one);
    const source = await openAt(service, { kubeConfig: async () => kubeConfigFor(`http://${server.host}/`) });
    await source.query("up");
    expect(server.requests).toMatchObject([
      { authorization: `Bearer ${secret}`, path: expect.stringContaining(`${proxyPrefix}/api/v1/query?`) },
    ]);
  });

  test("the login, which no log shows", async () => {
    await using server = await startScriptedServer((_, response) => response.writeHead(401).end());
    const login = withLogin({ kind: "bearer", token: secret });
    const sources = [
      await openAt(`http://${server.host}`, login),
      await openAt("http://127.0.0.1:1", login),
      await openAt(service, { kubeConfig: async () => kubeConfigFor(`http://${server.host}`) }),
    ];
    for (const source of sources) {
      const { name, logged } = await catchError(source.query("up"));
      expect(["QueryRejected", "Unreachable"]).toContain(name);
      expect(logged).not.toContain(secret);
    }
  });
});

test("a kubeconfig without a current cluster is Unreachable", async () => {
  const kubeConfig = kubeConfigFor("http://127.0.0.1:1");
  kubeConfig.setCurrentContext("other");
  const source = await openAt(service, { kubeConfig: async () => kubeConfig });
  await expect(source.query("up")).rejects.toMatchObject({ name: "Unreachable" });
});
