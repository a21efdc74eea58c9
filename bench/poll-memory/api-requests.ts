import { request } from "node:https";
import { text } from "node:stream/consumers";
import { KubeConfig } from "@kubernetes/client-node";

const line = /^apiserver_request_total\{(.*)\} (\S+)$/gm;
const workloads = /resource="(?:deployments|statefulsets|daemonsets|cronjobs)"/;

/** How many requests for workloads an API server has answered in all. */
export async function apiRequests(kubeconfig: string): Promise<number> {
  let total = 0;
  for (const [, labels = "", value] of (await metricsOf(kubeconfig)).matchAll(line)) {
    if (workloads.test(labels)) total += Number(value);
  }
  return total;
}

async function metricsOf(kubeconfig: string): Promise<string> {
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
