import { readFile } from "node:fs/promises";
import type { KubeConfig } from "@kubernetes/client-node";
import type { AwsCredentialIdentity, AwsCredentialIdentityProvider } from "@smithy/types";
import { SecretUnreadable } from "../ports/errors.ts";
import type { MetricProvider } from "../ports/metric-provider.ts";
import type { ExpiringCache } from "./expiring-cache.ts";

/** The text of a login. It is read again after it was refused. */
export interface MetricLogin extends ExpiringCache<string> {
  /** Names the secret or the file, for messages. */
  readonly source: string;
}

/** With what an address is queried. */
export interface MetricProviderAccess {
  /** For this address; null if it has none. */
  readonly login: MetricLogin | null;
  readonly kubeConfig: () => Promise<KubeConfig>;
  readonly credentials: AwsCredentialIdentity | AwsCredentialIdentityProvider;
  readonly now: () => Date;
}

/** Opens the provider at an address, without a request. null is the default of the provider itself. */
export type OpenMetricProvider = (address: string | null, access: MetricProviderAccess) => Promise<MetricProvider>;

/** Returns the login in a file, which is read for each query. */
export function fileLogin(path: string): MetricLogin {
  const get = () =>
    readFile(path, "utf8").catch((error: Error) => {
      throw new SecretUnreadable(`${path} is not readable: ${error.message}`, { cause: error });
    });
  return { source: path, get, forget: () => undefined };
}
