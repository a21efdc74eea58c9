import { metricProviderContract, type MetricProviderUnderTest } from "../../contracts/metric-provider.ts";
import type { MetricProvider } from "../../../functions/ports/metric-provider.ts";
import { startScriptedServer } from "../oci-registry/scripted-server.ts";
import { kubeConfigFor, openAmpAt, openAt, proxyPrefix, service, workspace } from "./open.ts";
import { respondAsPrometheus } from "./scripted-prometheus.ts";

metricProviderContract("a scripted Prometheus", () => openUnder("", (url) => openAt(url)));
metricProviderContract("a Prometheus under a path", () => openUnder("/prom/a", (url) => openAt(`${url}/prom/a/`)));
metricProviderContract("a Prometheus behind an API server", () =>
  openUnder(proxyPrefix, (url) => openAt(service, { kubeConfig: async () => kubeConfigFor(url) })),
);
metricProviderContract("a Prometheus under a path behind an API server", () =>
  openUnder(`${proxyPrefix}/prom`, (url) => openAt(`${service}/prom`, { kubeConfig: async () => kubeConfigFor(url) })),
);
metricProviderContract("an AMP workspace", () =>
  openUnder(`/workspaces/${workspace.workspace}`, async (url) => openAmpAt(url)),
);

async function openUnder(
  prefix: string,
  open: (url: string) => Promise<MetricProvider>,
): Promise<MetricProviderUnderTest> {
  const server = await startScriptedServer((request, response) => respondAsPrometheus(request, response, prefix));
  return { source: await open(`http://${server.host}`), close: async () => server[Symbol.asyncDispose]() };
}
