import { KubeConfig } from "@kubernetes/client-node";
import { createAmpClient } from "../../../functions/adapters/prometheus/amp.ts";
import type { PrometheusLogin } from "../../../functions/adapters/prometheus/http.ts";
import { type PrometheusOptions, openPrometheus } from "../../../functions/adapters/prometheus/open.ts";
import { createPrometheus } from "../../../functions/adapters/prometheus/client.ts";
import { parseAddress, type PrometheusAddress } from "../../../functions/domain/analysis/address.ts";
import type { MetricProvider } from "../../../functions/ports/metric-provider.ts";

export const noon = new Date("2026-11-20T12:00:00Z");
export const secret = "hunter2-secret";
const credentials = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: secret, sessionToken: "session" };
export const workspace = { kind: "amp", region: "eu-west-1", workspace: "ws-0a1b" } as const;
export const service = "service://monitoring/prometheus:9090";
export const proxyPrefix = "/api/v1/namespaces/monitoring/services/prometheus:9090/proxy";

const bounds = { seconds: 30, bytes: 4096 };

/** Opens the source at an address, which is allowed by default. */
export async function openAt(text: string, options: Partial<PrometheusOptions> = {}): Promise<MetricProvider> {
  const address = parseValidAddress(text);
  return openPrometheus(address, {
    allowed: [address],
    login: async () => null,
    kubeConfig: () => Promise.reject(new Error("no cluster here")),
    credentials,
    now: () => noon,
    bounds,
    ...options,
  });
}

export function withLogin(login: PrometheusLogin): Pick<PrometheusOptions, "login"> {
  return { login: async () => login };
}

/** Creates a kubeconfig for the API server at this URL, with a token. */
export function kubeConfigFor(server: string): KubeConfig {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromClusterAndUser({ name: "c", server, skipTLSVerify: true }, { name: "u", token: secret });
  return kubeConfig;
}

/** Opens the AMP workspace at this URL. */
export function openAmpAt(endpoint: string): MetricProvider {
  const send = createAmpClient(workspace, { credentials, now: () => noon, bounds, endpoint });
  return createPrometheus(send, "Prometheus at amp", () => noon);
}

export function parseValidAddress(text: string): PrometheusAddress {
  const address = parseAddress(text);
  if (address.kind === "invalid") throw new Error(address.reason);
  return address;
}
