import { secondsAfter } from "../../../../functions/domain/text/rfc3339.ts";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { Unreachable } from "../../../../functions/ports/errors.ts";
import { type EksCluster, createEksKubeConfig } from "../../../../functions/adapters/aws/eks/kube-config.ts";
import { createKubernetesCluster } from "../../../../functions/adapters/kubernetes/cluster.ts";
import { noon, workload } from "../../../support/workloads.ts";

const keys = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "secret" };

/** Starts an API server that records the tokens of requests. */
async function startApiServer() {
  const tokens: string[] = [];
  const server = createServer((request, response) => {
    tokens.push((request.headers.authorization ?? "").replace("Bearer ", ""));
    response.writeHead(404, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { tokens, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Creates the adapter for a server without TLS, which the client must be configured for. */
function createCluster(options: EksCluster) {
  const kubeConfig = createEksKubeConfig(options);
  const [server, user] = [kubeConfig.getCurrentCluster(), kubeConfig.getCurrentUser()];
  if (server === null || user === null) throw new Error("the kubeconfig is empty");
  kubeConfig.loadFromClusterAndUser({ ...server, skipTLSVerify: true }, user);
  const { now } = options;
  return createKubernetesCluster({ name: "c", kubeConfig, namespaces: null, now, warn: () => undefined });
}

function optionsFor(endpoint: string, now: () => Date): EksCluster {
  const address = { endpoint, certificateAuthority: Buffer.from("PEM").toString("base64") };
  return { clusterName: "production", region: "eu-west-1", address, credentials: async () => keys, now };
}

test("requests share a token for 14 minutes, and then use another", async () => {
  const { tokens, endpoint } = await startApiServer();
  let time = noon;
  const cluster = createCluster(optionsFor(endpoint, () => time));
  for (const seconds of [0, 1, 838, 1]) {
    time = secondsAfter(time, seconds);
    await cluster.read(workload().ref);
  }
  expect(tokens).toHaveLength(4);
  expect(tokens.every((token) => token.startsWith("k8s-aws-v1."))).toBe(true);
  expect(new Set(tokens.slice(0, 3)).size).toBe(1);
  expect(tokens[3]).not.toBe(tokens[0]);
});

test("the cluster's own certificate authority is trusted", () => {
  const kubeConfig = createEksKubeConfig(optionsFor("https://eks.example", () => noon));
  expect(kubeConfig.getCurrentCluster()).toMatchObject({
    server: "https://eks.example",
    caData: Buffer.from("PEM").toString("base64"),
    skipTLSVerify: false,
  });
});

test("credentials that cannot be obtained are Unreachable, and requested again", async () => {
  const { tokens, endpoint } = await startApiServer();
  let fails = true;
  const credentials = async () => {
    if (fails) throw Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
    return keys;
  };
  const cluster = createCluster({ ...optionsFor(endpoint, () => noon), credentials });
  await expect(cluster.read(workload().ref)).rejects.toBeInstanceOf(Unreachable);
  fails = false;
  expect(await cluster.read(workload().ref)).toBeNull();
  expect(tokens).toHaveLength(1);
});
