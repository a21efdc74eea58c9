import type { KubeConfig } from "@kubernetes/client-node";
import type { PrometheusAddress } from "../../domain/analysis/providers/prometheus-address.ts";
import { trimEnd } from "../../domain/text/trim-end.ts";
import { Unreachable } from "../../ports/errors.ts";
import { type PrometheusResponse, type Bounds, get, type GetOptions, withFix } from "./get.ts";
import type { SendQuery } from "./client.ts";

/**
 * Creates a client that uses the API server's Service proxy with Pawl's own credentials. It needs no network access, and
 * RBAC decides which Service is allowed (`get` on `services/proxy`, resourceNames `<service>:<port>`).
 */
export function createServiceProxyClient(
  { namespace, name, port, path }: Extract<PrometheusAddress, { kind: "service" }>,
  request: (pathAndQuery: string) => Promise<PrometheusResponse>,
): SendQuery {
  const proxy = `/api/v1/namespaces/${namespace}/services/${name}:${port}/proxy${path}`;
  const fix = {
    401: "a Prometheus that requires a login needs an https:// address",
    403: `allow get on services/proxy of ${name}:${port} in ${namespace}; see docs/reference/permissions.md#a-prometheus-in-the-cluster`,
  };
  return async (pathAndQuery) => withFix(await request(`${proxy}${pathAndQuery}`), fix);
}

/** Creates a function that GETs paths of the API server of a kubeconfig's current context. */
export function createKubernetesGet(
  kubeConfig: KubeConfig,
  bounds: Bounds,
): (path: string) => Promise<PrometheusResponse> {
  return async (path) => {
    const server = kubeConfig.getCurrentCluster()?.server;
    if (server === undefined) throw new Unreachable("the kubeconfig has no current cluster");
    const options: GetOptions = {};
    await kubeConfig.applyToHTTPSOptions(options);
    return get(new URL(`${trimEnd(server, "/")}${path}`), options, bounds);
  };
}
