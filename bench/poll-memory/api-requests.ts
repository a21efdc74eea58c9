import { request } from "node:https";
import { text } from "node:stream/consumers";
import { KubeConfig } from "@kubernetes/client-node";

const requestTotalLine = /^apiserver_request_total\{(.*)\} (\S+)$/gm;
const workloadResource = /resource="(?:deployments|statefulsets|daemonsets|cronjobs)"/;

/** Returns the number of requests for workloads that an API server has served since its start. */
export async function countApiRequests(kubeconfig: string): Promise<number> {
  let total = 0;
  for (const [, labels = "", value] of (await fetchMetrics(kubeconfig)).matchAll(requestTotalLine)) {
    if (workloadResource.test(labels)) total += Number(value);
  }
  return total;
}

async function fetchMetrics(kubeconfig: string): Promise<string> {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromString(kubeconfig);
  const [cluster, user] = [kubeConfig.getCurrentCluster(), kubeConfig.getCurrentUser()];
  const ca = Buffer.from(cluster?.caData ?? "", "base64");
  const headers = { authorization: `Bearer ${user?.token ?? ""}` };
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  request(`${cluster?.server}/metrics`, { ca, headers }, (response) => void text(response).then(resolve, reject))
    .on("error", reject)
    .end();
  return promise;
}
