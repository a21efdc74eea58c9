import { KubeConfig } from "@kubernetes/client-node";
import { managedPrometheus } from "../../../functions/adapters/prometheus/amp.ts";
import type { Login } from "../../../functions/adapters/prometheus/by-url.ts";
import { type MetricSourceSettings, openMetricSource } from "../../../functions/adapters/prometheus/open.ts";
import { prometheus } from "../../../functions/adapters/prometheus/prometheus.ts";
import { parseAddress, type PrometheusAddress } from "../../../functions/domain/analysis/address.ts";
import type { MetricSource } from "../../../functions/ports/metric-source.ts";

export const noon = new Date("2026-11-20T12:00:00Z");
export const secret = "hunter2-secret";
const credentials = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: secret, sessionToken: "session" };
export const workspace = { kind: "amp", region: "eu-west-1", workspace: "ws-0a1b" } as const;
export const service = "service://monitoring/prometheus:9090";
export const proxyPrefix = "/api/v1/namespaces/monitoring/services/prometheus:9090/proxy";

const bounds = { seconds: 30, bytes: 4096 };

/** The source at an address that is allowed, unless said otherwise. */
export async function openAt(text: string, settings: Partial<MetricSourceSettings> = {}): Promise<MetricSource> {
  const address = addressOf(text);
  return openMetricSource(address, {
    allowed: [address],
    login: async () => null,
    kubeConfig: () => Promise.reject(new Error("no cluster here")),
    credentials,
    now: () => noon,
    bounds,
    ...settings,
  });
}

export function withLogin(login: Login): Pick<MetricSourceSettings, "login"> {
  return { login: async () => login };
}

/** A cluster whose API server is at this URL, known by a token. */
export function kubeConfigFor(server: string): KubeConfig {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromClusterAndUser({ name: "c", server, skipTLSVerify: true }, { name: "u", token: secret });
  return kubeConfig;
}

/** The workspace of Amazon's, but asked at this URL. */
export function managedAt(endpoint: string): MetricSource {
  const ask = managedPrometheus(workspace, { credentials, now: () => noon, bounds, endpoint });
  return prometheus(ask, "Prometheus at amp", () => noon);
}

export function addressOf(text: string): PrometheusAddress {
  const address = parseAddress(text);
  if (address.kind === "invalid") throw new Error(address.reason);
  return address;
}
