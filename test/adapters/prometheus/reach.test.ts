import { expect, test } from "vitest";
import { catchError, json, startScriptedServer, type Script } from "../oci-registry/scripted-server.ts";
import { kubeConfigFor, openAt, proxyPrefix, secret, service, withLogin } from "./open.ts";

const one: Script = (_, response) =>
  json(response, { status: "success", data: { resultType: "scalar", result: [1, "1"] } });

test("redirects are not followed", async () => {
  await using other = await startScriptedServer(one);
  for (const status of [301, 302, 303, 307, 308]) {
    await using server = await startScriptedServer((_, response) =>
      response.writeHead(status, { location: `http://${other.host}/` }).end(),
    );
    const sources = [
      await openAt(`http://${server.host}`, withLogin(secret)),
      await openAt(service, { kubeConfig: async () => kubeConfigFor(`http://${server.host}`) }),
    ];
    for (const source of sources) {
      const failure = await catchError(source.query("up"));
      expect(failure).toMatchObject({ name: "QueryRejected", message: expect.stringContaining("are not followed") });
    }
  }
  expect(other.requests).toEqual([]);
});

test("a request to an API server carries the login of the kubeconfig", async () => {
  await using server = await startScriptedServer(one);
  const source = await openAt(service, { kubeConfig: async () => kubeConfigFor(`http://${server.host}/`) });
  await source.query("up");
  expect(server.requests).toMatchObject([
    { authorization: `Bearer ${secret}`, path: expect.stringContaining(`${proxyPrefix}/api/v1/query?`) },
  ]);
});

test("a kubeconfig without a current cluster is Unreachable", async () => {
  const kubeConfig = kubeConfigFor("http://127.0.0.1:1");
  kubeConfig.setCurrentContext("other");
  const source = await openAt(service, { kubeConfig: async () => kubeConfig });
  await expect(source.query("up")).rejects.toMatchObject({ name: "Unreachable" });
});
