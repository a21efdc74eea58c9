import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { Unreachable } from "../../../functions/adapters/errors.ts";
import { type EksCluster, eksKubeConfig } from "../../../functions/adapters/eks/kube-config.ts";
import { kubernetesCluster } from "../../../functions/adapters/kubernetes/cluster.ts";
import { secondsAfter } from "../../../functions/adapters/renewed.ts";
import { noon, workload } from "../../support/workloads.ts";

const keys = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "secret" };

/** An API server that notes the tokens it is shown. */
async function apiServer() {
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

/** The adapter on a server that has no TLS, which the client takes for a mistake unless told otherwise. */
function clusterOf(settings: EksCluster) {
  const kubeConfig = eksKubeConfig(settings);
  const [server, user] = [kubeConfig.getCurrentCluster(), kubeConfig.getCurrentUser()];
  if (server === null || user === null) throw new Error("the kubeconfig is empty");
  kubeConfig.loadFromClusterAndUser({ ...server, skipTLSVerify: true }, user);
  const { now } = settings;
  return kubernetesCluster({ name: "c", kubeConfig, namespaces: null, now, warn: () => undefined });
}

function settingsFor(endpoint: string, now: () => Date): EksCluster {
  const address = { endpoint, certificateAuthority: Buffer.from("PEM").toString("base64") };
  return { clusterName: "production", region: "eu-west-1", address, credentials: async () => keys, now };
}

test("requests share a token for 14 minutes, and then carry another", async () => {
  const { tokens, endpoint } = await apiServer();
  let time = noon;
  const cluster = clusterOf(settingsFor(endpoint, () => time));
  for (const seconds of [0, 1, 838, 1]) {
    time = secondsAfter(time, seconds);
    await cluster.read(workload().ref);
  }
  expect(tokens).toHaveLength(4);
  expect(tokens.every((token) => token.startsWith("k8s-aws-v1."))).toBe(true);
  expect(new Set(tokens.slice(0, 3)).size).toBe(1);
  expect(tokens[3]).not.toBe(tokens[0]);
});

test("the cluster is known by its own certificate authority", () => {
  const kubeConfig = eksKubeConfig(settingsFor("https://eks.example", () => noon));
  expect(kubeConfig.getCurrentCluster()).toMatchObject({
    server: "https://eks.example",
    caData: Buffer.from("PEM").toString("base64"),
    skipTLSVerify: false,
  });
});

test("credentials that cannot be had are Unreachable, and asked for again", async () => {
  const { tokens, endpoint } = await apiServer();
  let fails = true;
  const credentials = async () => {
    if (fails) throw Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
    return keys;
  };
  const cluster = clusterOf({ ...settingsFor(endpoint, () => noon), credentials });
  await expect(cluster.read(workload().ref)).rejects.toBeInstanceOf(Unreachable);
  fails = false;
  expect(await cluster.read(workload().ref)).toBeNull();
  expect(tokens).toHaveLength(1);
});
