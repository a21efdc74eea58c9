import { request } from "node:https";
import { text } from "node:stream/consumers";
import { KubeConfig } from "@kubernetes/client-node";

const requestTotalLine = /^apiserver_request_total\{(.*)\} (\S+)$/gm;
/** What only Pawl reads and writes here: there are no controllers, and no other clients. */
const polledResource =
  /resource="(?:deployments|statefulsets|daemonsets|cronjobs|replicasets|controllerrevisions|autoupdates|claws|statefulcanaries)"/;
const writeVerb = /verb="(?:POST|PUT|PATCH|APPLY|DELETE)"/;

export interface ApiRequestCounts {
  readonly total: number;
  readonly writes: number;
  /** How many pages of lists. */
  readonly lists: number;
}

/** Returns the number of requests for workloads and their AutoUpdates that an API server has served since its start. */
export async function countApiRequests(kubeconfig: string): Promise<ApiRequestCounts> {
  let [total, writes, lists] = [0, 0, 0];
  for (const [, labels = "", value] of (await fetchMetrics(kubeconfig)).matchAll(requestTotalLine)) {
    if (!polledResource.test(labels)) continue;
    total += Number(value);
    if (writeVerb.test(labels)) writes += Number(value);
    if (labels.includes('verb="LIST"')) lists += Number(value);
  }
  return { total, writes, lists };
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
