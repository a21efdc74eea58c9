import {
  formatAddress,
  loginProblem,
  parseAddress,
  type PrometheusAddress,
} from "../../domain/analysis/providers/prometheus-address.ts";
import { QueryRejected } from "../../ports/errors.ts";
import type { MetricProvider } from "../../ports/metric-provider.ts";
import type { MetricProviderAccess } from "../metric-provider-access.ts";
import { createPrometheus, type SendQuery } from "./client.ts";
import { type Bounds, defaultBounds } from "./get.ts";

/** Opens the Prometheus at an address, without a request. Throws `QueryRejected` if it is none, or its login would not be encrypted. */
export async function openPrometheus(
  text: string | null,
  access: MetricProviderAccess,
  bounds: Bounds = defaultBounds,
): Promise<MetricProvider> {
  const address = parseAddress(text ?? "");
  if (address.kind === "invalid") throw new QueryRejected(address.reason, null);
  return createPrometheus(
    await createClient(address, access, bounds),
    `Prometheus at ${formatAddress(address)}`,
    access.now,
  );
}

/** Imports only the client that is needed. */
async function createClient(
  address: PrometheusAddress,
  { login, credentials, kubeConfig, now }: MetricProviderAccess,
  bounds: Bounds,
): Promise<SendQuery> {
  const problem = login && loginProblem(address);
  if (problem !== null) throw new QueryRejected(problem, null);
  if (address.kind === "url") {
    const { createHttpClient } = await import("./http.ts");
    return createHttpClient(address, login, bounds);
  }
  if (address.kind === "amp") {
    const { createAmpClient } = await import("./amp.ts");
    return createAmpClient(address, { credentials, now, bounds });
  }
  const { createKubernetesGet, createServiceProxyClient } = await import("./service-proxy.ts");
  return createServiceProxyClient(address, createKubernetesGet(await kubeConfig(), bounds));
}
