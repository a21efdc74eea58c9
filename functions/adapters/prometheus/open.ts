import type { KubeConfig } from "@kubernetes/client-node";
import type { AwsCredentialIdentity, AwsCredentialIdentityProvider } from "@smithy/types";
import { formatAddress, isAllowed, type PrometheusAddress } from "../../domain/analysis/address.ts";
import type { MetricProvider } from "../../ports/metric-provider.ts";
import type { PrometheusLogin } from "./http.ts";
import type { Bounds } from "./get.ts";
import { type SendQuery, createPrometheus } from "./client.ts";
import { QueryRejected } from "../../ports/errors.ts";

export interface PrometheusOptions {
  /** The addresses that the deployment's configuration allows: the owner of a workload must not choose arbitrary ones. */
  readonly allowed: readonly PrometheusAddress[];
  /** Returns the login for an origin; it is sent to no other. */
  readonly login: (origin: string) => Promise<PrometheusLogin | null>;
  readonly kubeConfig: () => Promise<KubeConfig>;
  readonly credentials: AwsCredentialIdentity | AwsCredentialIdentityProvider;
  readonly now: () => Date;
  readonly bounds?: Partial<Bounds>;
}

const defaultBounds: Bounds = { seconds: 15, bytes: 1024 * 1024 };

/** Opens the Prometheus at an address, without a request. Throws `QueryRejected` if the configuration does not allow it. */
export async function openPrometheus(address: PrometheusAddress, options: PrometheusOptions): Promise<MetricProvider> {
  const source = `Prometheus at ${formatAddress(address)}`;
  if (!isAllowed(address, options.allowed)) {
    throw new QueryRejected(`${source} is not allowed; add it to the configuration`, null);
  }
  return createPrometheus(await createClient(address, options), source, options.now);
}

/** Imports only the client that is needed. */
async function createClient(address: PrometheusAddress, options: PrometheusOptions): Promise<SendQuery> {
  const bounds = { ...defaultBounds, ...options.bounds };
  if (address.kind === "url") {
    const { createHttpClient } = await import("./http.ts");
    return createHttpClient(address, () => options.login(address.origin), bounds);
  }
  if (address.kind === "amp") {
    const { createAmpClient } = await import("./amp.ts");
    return createAmpClient(address, { credentials: options.credentials, now: options.now, bounds });
  }
  const { createKubernetesGet, createServiceProxyClient } = await import("./service-proxy.ts");
  return createServiceProxyClient(address, createKubernetesGet(await options.kubeConfig(), bounds));
}
