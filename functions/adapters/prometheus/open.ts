import type { KubeConfig } from "@kubernetes/client-node";
import type { AwsCredentialIdentity, AwsCredentialIdentityProvider } from "@smithy/types";
import { formatAddress, isAllowed, type PrometheusAddress } from "../../domain/analysis/address.ts";
import type { MetricSource } from "../../ports/metric-source.ts";
import type { Login } from "./by-url.ts";
import type { Bounds } from "./get.ts";
import { type Ask, prometheus } from "./prometheus.ts";
import { QueryRefused } from "./query-refused.ts";

export interface MetricSourceSettings {
  /** What the deployment's configuration lets be asked: a workload's owner must not choose any address he likes. */
  readonly allowed: readonly PrometheusAddress[];
  /** The login to an origin, sent to no other. */
  readonly login: (origin: string) => Promise<Login | null>;
  readonly kubeConfig: () => Promise<KubeConfig>;
  readonly credentials: AwsCredentialIdentity | AwsCredentialIdentityProvider;
  readonly now: () => Date;
  readonly bounds?: Partial<Bounds>;
}

const defaultBounds: Bounds = { seconds: 15, bytes: 1024 * 1024 };

/** The Prometheus at an address. Asks nobody yet; throws `QueryRefused` where the configuration does not allow it. */
export async function openMetricSource(
  address: PrometheusAddress,
  settings: MetricSourceSettings,
): Promise<MetricSource> {
  const place = `Prometheus at ${formatAddress(address)}`;
  if (!isAllowed(address, settings.allowed)) {
    throw new QueryRefused(`${place} is not among those that Pawl is configured to ask`, null);
  }
  return prometheus(await openAsk(address, settings), place, settings.now);
}

/** Each way is loaded only where it is used: most functions need one. */
async function openAsk(address: PrometheusAddress, settings: MetricSourceSettings): Promise<Ask> {
  const bounds = { ...defaultBounds, ...settings.bounds };
  if (address.kind === "url") {
    const { byUrl } = await import("./by-url.ts");
    return byUrl(address, () => settings.login(address.origin), bounds);
  }
  if (address.kind === "amp") {
    const { managedPrometheus } = await import("./amp.ts");
    return managedPrometheus(address, { credentials: settings.credentials, now: settings.now, bounds });
  }
  const { kubernetesRequest, throughServiceProxy } = await import("./service-proxy.ts");
  return throughServiceProxy(address, kubernetesRequest(await settings.kubeConfig(), bounds));
}
