import { createCredentialProvider } from "../adapters/aws/eks/credentials.ts";
import {
  fileLogin,
  type MetricLogin,
  type MetricProviderAccess,
  type OpenMetricProvider,
} from "../adapters/metric-provider-access.ts";
import { type QueryKind, queryProviders } from "../domain/analysis/providers/providers.ts";
import { isSameScope, type QueryProvider } from "../domain/analysis/providers/provider.ts";
import type { QuerySource } from "../domain/analysis/spec.ts";
import { QueryRejected } from "../ports/errors.ts";
import type { MetricProvider, MetricProviders } from "../ports/metric-provider.ts";
import { lazy } from "./lazy.ts";
import type { AdapterOptions } from "./open-aws.ts";
import { openKubeConfig } from "./open-kube-config.ts";
import { openSecret } from "./open-secret.ts";
import type { AllowedEndpoint, LoginSource } from "./read-metric-providers.ts";

/** The adapter of each provider that is queried. The poll validates analyses only, and loads none. */
const adapters = {
  prometheus: async () => (await import("../adapters/prometheus/open.ts")).openPrometheus,
  cloudwatch: async () => (await import("../adapters/aws/cloudwatch/open.ts")).openCloudWatch,
  web: async () => (await import("../adapters/web/open.ts")).openWeb,
} satisfies Readonly<Record<QueryKind, () => Promise<OpenMetricProvider>>>;

/** Opens the provider at an address, whatever is allowed. */
export const openAdapter = async (
  { kind, address }: QuerySource,
  access: MetricProviderAccess,
): Promise<MetricProvider> => (await adapters[kind]())(address, access);

/** Opens metric providers. Only the addresses that the deployment lists are queried, whatever an analysis says. */
export function openMetricProviders(options: AdapterOptions): MetricProviders {
  const { settings, aws, now } = options;
  const logins = new Map<LoginSource, Promise<MetricLogin>>();
  // Each is opened once, because a secret is cached.
  const loginOf = async (source: LoginSource | null) => {
    if (source === null) return null;
    const login = logins.get(source) ?? openLogin(source, options);
    logins.set(source, login);
    return login;
  };
  const credentials = createCredentialProvider(null, {});
  const kubeConfig = () => openKubeConfig(settings.access, aws, now);
  return async (source) => {
    const endpoint = selectEndpoint(source, settings.metricProviders[source.kind]);
    const address = source.address ?? endpoint.address;
    return lazy(async () =>
      openAdapter({ ...source, address }, { login: await loginOf(endpoint.login), kubeConfig, credentials, now }),
    );
  };
}

async function openLogin(source: LoginSource, options: AdapterOptions): Promise<MetricLogin> {
  if ("file" in source) return fileLogin(source.file);
  return { ...(await openSecret(source.secretArn, options)), source: source.secretArn };
}

/** Returns what allows an address; without one, the default. Throws `QueryRejected` if the deployment does not allow it. */
function selectEndpoint({ kind, address }: QuerySource, allowed: readonly AllowedEndpoint[]): AllowedEndpoint {
  const { setting, title, parse }: QueryProvider = queryProviders[kind];
  const requested = address === null ? allowed[0] : parse(address);
  const found = allowed.find((one) => requested !== undefined && isSameScope(one, requested));
  if (found !== undefined) return found;
  const problem = requested === undefined ? `no ${title} is configured` : `${title} ${address} is not allowed`;
  throw new QueryRejected(
    `${problem}; add it to ${setting.name} in the configuration (pawl local: ${setting.option})`,
    null,
  );
}
