import { describe, expect, test } from "vitest";
import { failureOf, json, scripted, type Script } from "../oci-registry/scripted.ts";
import { addressOf, kubeConfigFor, openAt, proxyPrefix, secret, service, withLogin } from "./open.ts";

const one: Script = (_, response) =>
  json(response, { status: "success", data: { resultType: "scalar", result: [1, "1"] } });

describe("a configuration decides who is asked", () => {
  test.for([
    { allowed: [], asked: "http://127.0.0.1:9090" },
    { allowed: ["https://prom.example"], asked: "http://169.254.169.254" },
    { allowed: ["https://prom.example"], asked: "https://prom.example.evil.example" },
    { allowed: ["service://monitoring/prometheus:9090"], asked: "service://kube-system/etcd:2379" },
    { allowed: ["amp://eu-west-1/ws-1"], asked: "amp://eu-west-1/ws-2" },
  ])("not $asked, where it allows $allowed", async ({ allowed, asked }) => {
    const failure = await failureOf(openAt(asked, { allowed: allowed.map(addressOf) }));
    expect(failure).toMatchObject({ name: "QueryRefused", message: expect.stringContaining("is not among those") });
  });

  test("and no answer leads elsewhere", async () => {
    await using elsewhere = await scripted(one);
    for (const status of [301, 302, 303, 307, 308]) {
      await using server = await scripted((_, response) =>
        response.writeHead(status, { location: `http://${elsewhere.host}/` }).end(),
      );
      const ways = [
        await openAt(`http://${server.host}`, withLogin({ kind: "bearer", token: secret })),
        await openAt(service, { kubeConfig: async () => kubeConfigFor(`http://${server.host}`) }),
      ];
      for (const source of ways) {
        const failure = await failureOf(source.query("up"));
        expect(failure).toMatchObject({ name: "QueryRefused", message: expect.stringContaining("are not followed") });
      }
    }
    expect(elsewhere.heard).toEqual([]);
  });
});

describe("whoever asks shows", () => {
  test.for([
    { login: null, authorization: null },
    { login: { kind: "bearer", token: secret }, authorization: `Bearer ${secret}` },
    {
      login: { kind: "basic", username: "pawl", password: secret },
      authorization: `Basic ${Buffer.from(`pawl:${secret}`).toString("base64")}`,
    },
  ] as const)("$login.kind", async ({ login, authorization }) => {
    await using server = await scripted(one);
    const asked: string[] = [];
    const source = await openAt(`http://${server.host}/prom`, {
      login: async (origin) => {
        asked.push(origin);
        return login;
      },
    });
    await source.query("up");
    expect(server.heard).toMatchObject([{ method: "GET", authorization }]);
    expect(server.heard[0]?.path).toBe("/prom/api/v1/query?query=up");
    expect(asked).toEqual([`http://${server.host}`]);
  });

  test("the login of the kubeconfig to an API server", async () => {
    await using server = await scripted(one);
    const source = await openAt(service, { kubeConfig: async () => kubeConfigFor(`http://${server.host}/`) });
    await source.query("up");
    expect(server.heard).toMatchObject([
      { authorization: `Bearer ${secret}`, path: expect.stringContaining(`${proxyPrefix}/api/v1/query?`) },
    ]);
  });

  test("and no log shows it", async () => {
    await using server = await scripted((_, response) => response.writeHead(401).end());
    const login = withLogin({ kind: "bearer", token: secret });
    const ways = [
      await openAt(`http://${server.host}`, login),
      await openAt("http://127.0.0.1:1", login),
      await openAt(service, { kubeConfig: async () => kubeConfigFor(`http://${server.host}`) }),
    ];
    for (const source of ways) {
      const { name, logged } = await failureOf(source.query("up"));
      expect(["QueryRefused", "Unreachable"]).toContain(name);
      expect(logged).not.toContain(secret);
    }
  });
});

test("a kubeconfig without a cluster reaches none", async () => {
  const kubeConfig = kubeConfigFor("http://127.0.0.1:1");
  kubeConfig.setCurrentContext("other");
  const source = await openAt(service, { kubeConfig: async () => kubeConfig });
  await expect(source.query("up")).rejects.toMatchObject({ name: "Unreachable" });
});
