import { KubeConfig } from "@kubernetes/client-node";
import type { AwsCredentialIdentity } from "@smithy/types";
import { mapAwsError } from "../map-error.ts";
import { createExpiringCache } from "../../expiring-cache.ts";
import type { ClusterAddress } from "./cluster-address.ts";
import { createEksToken } from "./token.ts";

export interface EksCluster {
  readonly clusterName: string;
  readonly region: string;
  readonly address: ClusterAddress;
  /** Called for each token: a role's credentials expire. */
  readonly credentials: () => Promise<AwsCredentialIdentity>;
  readonly now: () => Date;
}

const authProvider = "pawl-eks";

/**
 * Creates a kubeconfig in memory for an EKS cluster. Each request carries a token that is at most 14 minutes old. A request may
 * throw `Throttled` or `Unreachable` if the credentials for the token cannot be obtained.
 */
export function createEksKubeConfig({ clusterName, region, address, credentials, now }: EksCluster): KubeConfig {
  const token = createExpiringCache(
    async () => createEksToken({ clusterName, region, credentials: await getCredentials(credentials), now: now() }),
    now,
  );
  const kubeConfig = new KubeConfig();
  kubeConfig.addAuthenticator({
    isAuthProvider: (user) => user.authProvider?.name === authProvider,
    async applyAuthentication(_user, options) {
      options.headers = { ...options.headers, Authorization: `Bearer ${await token.get()}` };
    },
  });
  const { endpoint, certificateAuthority } = address;
  // A `token` of the user would take precedence over the authenticator's.
  kubeConfig.loadFromClusterAndUser(
    { name: clusterName, server: endpoint, caData: certificateAuthority, skipTLSVerify: false },
    { name: clusterName, authProvider: { name: authProvider, config: {} } },
  );
  return kubeConfig;
}

async function getCredentials(credentials: () => Promise<AwsCredentialIdentity>): Promise<AwsCredentialIdentity> {
  try {
    return await credentials();
  } catch (error) {
    throw mapAwsError(error, "credentials for the cluster's token");
  }
}
