import type { MetricProvider } from "../../../functions/ports/metric-provider.ts";
import { type Failure, metricProviderContract } from "../../contracts/metric-provider.ts";
import { promQl } from "../../contracts/promql.ts";
import { type Script, startScriptedServer } from "../oci-registry/scripted-server.ts";
import { kubeConfigFor, openAmpAt, openAt, proxyPrefix, service, withLogin, workspace } from "./open.ts";
import { respondAsPrometheus } from "./scripted-prometheus.ts";

const statuses = { denied: 403, throttled: 429, unavailable: 503 } as const;

function contract(
  name: string,
  prefix: string,
  open: (url: string) => Promise<MetricProvider>,
  authorization?: string,
): void {
  const start = async (script: Script) => {
    const server = await startScriptedServer(script);
    return { provider: await open(`http://${server.host}`), close: async () => server[Symbol.asyncDispose]() };
  };
  metricProviderContract(name, {
    cases: promQl,
    start: () =>
      start((request, response) => {
        const isRefused = authorization !== undefined && request.authorization !== authorization;
        if (isRefused) response.writeHead(401).end();
        else respondAsPrometheus(request, response, prefix);
      }),
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
const logins = [
  { kind: "a user name and a password", text: '{"username":"pawl","password":"p"}', header: "Basic cGF3bDpw" },
  { kind: "a bearer token", text: "t", header: "Bearer t" },
];
for (const { kind, text, header } of logins)
  contract(`a Prometheus that requires ${kind}`, "", (url) => openAt(url, withLogin(text)), header);

contract("an AMP workspace", `/workspaces/${workspace.workspace}`, async (url) => openAmpAt(url));
