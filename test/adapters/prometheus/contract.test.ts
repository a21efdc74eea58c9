import { metricSourceContract, type MetricSourceUnderTest } from "../../contracts/metric-source.ts";
import type { MetricSource } from "../../../functions/ports/metric-source.ts";
import { startScriptedServer } from "../oci-registry/scripted-server.ts";
import { kubeConfigFor, openAmpAt, openAt, proxyPrefix, service, workspace } from "./open.ts";
import { respondAsPrometheus } from "./scripted-prometheus.ts";

metricSourceContract("a scripted Prometheus", () => openUnder("", (url) => openAt(url)));
metricSourceContract("a Prometheus under a path", () => openUnder("/prom/a", (url) => openAt(`${url}/prom/a/`)));
metricSourceContract("a Prometheus behind an API server", () =>
  openUnder(proxyPrefix, (url) => openAt(service, { kubeConfig: async () => kubeConfigFor(url) })),
);
metricSourceContract("a Prometheus under a path behind an API server", () =>
  openUnder(`${proxyPrefix}/prom`, (url) => openAt(`${service}/prom`, { kubeConfig: async () => kubeConfigFor(url) })),
);
metricSourceContract("an AMP workspace", () =>
  openUnder(`/workspaces/${workspace.workspace}`, async (url) => openAmpAt(url)),
);

async function openUnder(prefix: string, open: (url: string) => Promise<MetricSource>): Promise<MetricSourceUnderTest> {
  const server = await startScriptedServer((request, response) => respondAsPrometheus(request, response, prefix));
  return { source: await open(`http://${server.host}`), close: async () => server[Symbol.asyncDispose]() };
}
