import { KubeConfig } from "@kubernetes/client-node";
import type { AwsCredentialIdentity } from "@smithy/types";
import { awsFailure } from "../aws-failure.ts";
import { renewed } from "../renewed.ts";
import type { ClusterAddress } from "./cluster-address.ts";
import { eksToken } from "./token.ts";

export interface EksCluster {
  readonly clusterName: string;
  readonly region: string;
  readonly address: ClusterAddress;
  /** Asked anew for each token: those of a role end before those of a user. */
  readonly credentials: () => Promise<AwsCredentialIdentity>;
  readonly now: () => Date;
}

const authProvider = "pawl-eks";

/**
 * A kubeconfig in memory for an EKS cluster. Each request carries a token that is at most 14 minutes old. A request may
 * throw `Throttled` or `Unreachable` where the credentials for the token cannot be had.
 */
export function eksKubeConfig({ clusterName, region, address, credentials, now }: EksCluster): KubeConfig {
  const token = renewed(
    async () => eksToken({ clusterName, region, credentials: await obtained(credentials), now: now() }),
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
  // A `token` of the user's own would win over the authenticator's.
  kubeConfig.loadFromClusterAndUser(
    { name: clusterName, server: endpoint, caData: certificateAuthority, skipTLSVerify: false },
    { name: clusterName, authProvider: { name: authProvider, config: {} } },
  );
  return kubeConfig;
}

async function obtained(credentials: () => Promise<AwsCredentialIdentity>): Promise<AwsCredentialIdentity> {
  try {
    return await credentials();
  } catch (error) {
    throw awsFailure(error, "credentials for the cluster's token");
  }
}
