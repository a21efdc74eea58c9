import type { KubeConfig } from "@kubernetes/client-node";
import type { PrometheusAddress } from "../../domain/analysis/address.ts";
import { Unreachable } from "../errors.ts";
import { type Answer, type Bounds, get, type GetOptions } from "./get.ts";
import type { Ask } from "./prometheus.ts";

/**
 * Through the API server, with Pawl's own login there: no network has to be arranged, and RBAC says which Service
 * (`get` on `services/proxy`, resourceNames `<service>:<port>`).
 */
export function throughServiceProxy(
  { namespace, name, port, path }: Extract<PrometheusAddress, { kind: "service" }>,
  request: (pathAndQuery: string) => Promise<Answer>,
): Ask {
  const proxy = `/api/v1/namespaces/${namespace}/services/${name}:${port}/proxy${path}`;
  return (pathAndQuery) => request(`${proxy}${pathAndQuery}`);
}

/** A GET of any path of the API server of a kubeconfig's current context. */
export function kubernetesRequest(kubeConfig: KubeConfig, bounds: Bounds): (path: string) => Promise<Answer> {
  return async (path) => {
    const server = kubeConfig.getCurrentCluster()?.server;
    if (server === undefined) throw new Unreachable("the kubeconfig has no current cluster");
    const options: GetOptions = {};
    await kubeConfig.applyToHTTPSOptions(options);
    return get(new URL(`${server.replace(/\/+$/, "")}${path}`), options, bounds);
  };
}
