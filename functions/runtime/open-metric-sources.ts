import { fromNodeProviderChain } from "@aws-sdk/credential-providers";
import { openMetricSource } from "../adapters/prometheus/open.ts";
import { QueryRejected } from "../adapters/prometheus/query-rejected.ts";
import type { MetricSources } from "../ports/metric-source.ts";
import type { AdapterOptions } from "./open-aws.ts";
import { openKubeConfig } from "./open-kube-config.ts";

/** Opens metric sources. Only those that the deployment lists are queried, whatever an analysis says. */
export async function openMetricSources({ settings, aws, now }: AdapterOptions): Promise<MetricSources> {
  const { prometheus: allowed, access } = settings;
  return async (address) => {
    const selected = address ?? allowed[0];
    if (selected === undefined) throw new QueryRejected("no Prometheus is configured: set PAWL_PROMETHEUS", null);
    return openMetricSource(selected, {
      allowed,
      login: async () => null,
      kubeConfig: () => openKubeConfig(access, aws, now),
      credentials: fromNodeProviderChain(),
      now,
    });
  };
}
