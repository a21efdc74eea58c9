import { fromNodeProviderChain } from "@aws-sdk/credential-providers";
import { openMetricSource } from "../adapters/prometheus/open.ts";
import { QueryRefused } from "../adapters/prometheus/query-refused.ts";
import type { MetricSources } from "../ports/metric-source.ts";
import type { Wiring } from "./open-aws.ts";
import { openKubeConfig } from "./open-kube-config.ts";

/** Only those that the deployment names are asked, whatever an analysis says; none needs a login of its own. */
export async function openMetricSources({ settings, aws, now }: Wiring): Promise<MetricSources> {
  const { prometheus: allowed, access } = settings;
  return async (address) => {
    const asked = address ?? allowed[0];
    if (asked === undefined) throw new QueryRefused("no Prometheus is configured: set PAWL_PROMETHEUS", null);
    return openMetricSource(asked, {
      allowed,
      login: async () => null,
      kubeConfig: () => openKubeConfig(access, aws, now),
      credentials: fromNodeProviderChain(),
      now,
    });
  };
}
