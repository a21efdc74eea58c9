import { KubeConfig } from "@kubernetes/client-node";
import { createAmpClient } from "../../../functions/adapters/prometheus/amp.ts";
import type { MetricLogin, MetricProviderAccess } from "../../../functions/adapters/metric-provider-access.ts";
import { openPrometheus } from "../../../functions/adapters/prometheus/open.ts";
import { createPrometheus } from "../../../functions/adapters/prometheus/client.ts";
import type { MetricProvider } from "../../../functions/ports/metric-provider.ts";

export const noon = new Date("2026-11-20T12:00:00Z");
export const secret = "hunter2-secret";
const credentials = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: secret, sessionToken: "session" };
export const workspace = { kind: "amp", region: "eu-west-1", workspace: "ws-0a1b" } as const;
export const service = "service://monitoring/prometheus:9090";
export const proxyPrefix = "/api/v1/namespaces/monitoring/services/prometheus:9090/proxy";

const bounds = { seconds: 30, bytes: 4096 };

/** Opens the Prometheus at an address. */
export function openAt(
  address: string,
  access: Partial<MetricProviderAccess> = {},
  limits: Partial<typeof bounds> = {},
): Promise<MetricProvider> {
  const kubeConfig = () => Promise.reject(new Error("no cluster here"));
  const all = { login: null, kubeConfig, credentials, now: () => noon, ...access };
  return openPrometheus(address, all, { ...bounds, ...limits });
}

/** Returns a login. Each time that it is forgotten, the next of its texts is current. */
export function withLogin(text: string, ...later: readonly string[]) {
  const texts = [text, ...later];
  const forgotten: string[] = [];
  const login: MetricLogin = {
    source: "the secret prometheus",
    get: async () => texts[Math.min(forgotten.length, later.length)] ?? "",
    forget: (rejected) => void forgotten.push(rejected),
  };
  return { forgotten, login };
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
