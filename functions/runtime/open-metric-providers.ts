import { fromNodeProviderChain } from "@aws-sdk/credential-providers";
import type { PrometheusAddress } from "../domain/analysis/address.ts";
import { openPrometheus } from "../adapters/prometheus/open.ts";
import { QueryRejected } from "../ports/errors.ts";
import type { MetricProvider, MetricProviders } from "../ports/metric-provider.ts";
import { lazy } from "./lazy.ts";
import type { AdapterOptions } from "./open-aws.ts";
import { openKubeConfig } from "./open-kube-config.ts";

/** Opens metric providers. Only those that the deployment lists are queried, whatever an analysis says. */
export function openMetricProviders(options: AdapterOptions): MetricProviders {
  const clients = new Map<string, MetricProvider>();
  return async (provider) => {
    if (provider.kind === "prometheus") return openAddress(provider.address, options);
    const region = selectRegion(provider.region, options);
    // The poll validates analyses, and its bundle has no client.
    const client = clients.get(region) ?? lazy(() => openClient(region, options.now));
    clients.set(region, client);
    return client;
  };
}

async function openAddress(address: PrometheusAddress | null, options: AdapterOptions): Promise<MetricProvider> {
  const { settings, aws, now } = options;
  const { prometheus: allowed, access } = settings;
  const selected = address ?? allowed[0];
  if (selected === undefined) throw new QueryRejected("no Prometheus is configured: set PAWL_PROMETHEUS", null);
  return openPrometheus(selected, {
    allowed,
    login: async () => null,
    kubeConfig: () => openKubeConfig(access, aws, now),
    credentials: fromNodeProviderChain(),
    now,
  });
}

async function openClient(region: string, now: () => Date): Promise<MetricProvider> {
  const { openCloudWatch } = await import("../adapters/aws/cloudwatch/open.ts");
  return openCloudWatch(region, now);
}

function selectRegion(region: string | null, { settings: { cloudWatchRegions: allowed } }: AdapterOptions): string {
  const selected = region ?? allowed[0];
  if (selected === undefined) throw new QueryRejected("CloudWatch is not enabled: set PAWL_CLOUDWATCH_REGIONS", null);
  if (allowed.includes(selected)) return selected;
  throw new QueryRejected(`CloudWatch in ${selected} is not allowed; add the region to the configuration`, null);
}
