import type { MetricProvider } from "../../../functions/ports/metric-provider.ts";
import { type Failure, metricProviderContract } from "../../contracts/metric-provider.ts";
import { promQl } from "../../contracts/promql.ts";
import { type Script, startScriptedServer } from "../oci-registry/scripted-server.ts";
import { kubeConfigFor, openAmpAt, openAt, proxyPrefix, service, workspace } from "./open.ts";
import { respondAsPrometheus } from "./scripted-prometheus.ts";

const statuses = { denied: 403, throttled: 429, unavailable: 503 } as const;

function contract(name: string, prefix: string, open: (url: string) => Promise<MetricProvider>): void {
  const start = async (script: Script) => {
    const server = await startScriptedServer(script);
    return { provider: await open(`http://${server.host}`), close: async () => server[Symbol.asyncDispose]() };
  };
  metricProviderContract(name, {
    cases: promQl,
    start: () => start((request, response) => respondAsPrometheus(request, response, prefix)),
    startFailing: (failure: Failure) =>
      start((_, response) => {
        if (failure === "hangs up") response.destroy();
        else response.writeHead(statuses[failure]).end();
      }),
  });
}

contract("a scripted Prometheus", "", (url) => openAt(url));
contract("a Prometheus under a path", "/prom/a", (url) => openAt(`${url}/prom/a/`));
contract("a Prometheus behind an API server", proxyPrefix, (url) =>
  openAt(service, { kubeConfig: async () => kubeConfigFor(url) }),
);
contract("a Prometheus under a path behind an API server", `${proxyPrefix}/prom`, (url) =>
  openAt(`${service}/prom`, { kubeConfig: async () => kubeConfigFor(url) }),
);
contract("an AMP workspace", `/workspaces/${workspace.workspace}`, async (url) => openAmpAt(url));
