import { fromNodeProviderChain } from "@aws-sdk/credential-providers";
import { openPrometheus } from "../adapters/prometheus/open.ts";
import { QueryRejected } from "../adapters/prometheus/query-rejected.ts";
import type { MetricProviders } from "../ports/metric-provider.ts";
import type { AdapterOptions } from "./open-aws.ts";
import { openKubeConfig } from "./open-kube-config.ts";

/** Opens metric providers. Only those that the deployment lists are queried, whatever an analysis says. */
export async function openMetricProviders({ settings, aws, now }: AdapterOptions): Promise<MetricProviders> {
  const { prometheus: allowed, access } = settings;
  return async (address) => {
    const selected = address ?? allowed[0];
    if (selected === undefined) throw new QueryRejected("no Prometheus is configured: set PAWL_PROMETHEUS", null);
    return openPrometheus(selected, {
      allowed,
      login: async () => null,
      kubeConfig: () => openKubeConfig(access, aws, now),
      credentials: fromNodeProviderChain(),
      now,
    });
  };
}
