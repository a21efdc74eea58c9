import { metricSourceContract, type MetricSourceUnderTest } from "../../contracts/metric-source.ts";
import type { MetricSource } from "../../../functions/ports/metric-source.ts";
import { scripted } from "../oci-registry/scripted.ts";
import { kubeConfigFor, managedAt, openAt, proxyPrefix, service, workspace } from "./open.ts";
import { answerAsPrometheus } from "./scripted-prometheus.ts";

metricSourceContract("a scripted Prometheus", () => under("", (url) => openAt(url)));
metricSourceContract("one under a path", () => under("/prom/a", (url) => openAt(`${url}/prom/a/`)));
metricSourceContract("one behind an API server", () =>
  under(proxyPrefix, (url) => openAt(service, { kubeConfig: async () => kubeConfigFor(url) })),
);
metricSourceContract("one under a path behind an API server", () =>
  under(`${proxyPrefix}/prom`, (url) => openAt(`${service}/prom`, { kubeConfig: async () => kubeConfigFor(url) })),
);
metricSourceContract("a workspace of Amazon's", () =>
  under(`/workspaces/${workspace.workspace}`, async (url) => managedAt(url)),
);

async function under(prefix: string, open: (url: string) => Promise<MetricSource>): Promise<MetricSourceUnderTest> {
  const server = await scripted((heard, response) => answerAsPrometheus(heard, response, prefix));
  return { source: await open(`http://${server.host}`), close: async () => server[Symbol.asyncDispose]() };
}
