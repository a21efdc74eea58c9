import { KubeConfig } from "@kubernetes/client-node";
import { type AwsOptions, withArnRegion, withTimeouts } from "../adapters/aws/client.ts";
import { createCredentialProvider } from "../adapters/aws/eks/credentials.ts";
import { createEksKubeConfig } from "../adapters/aws/eks/kube-config.ts";
import type { ConnectionSource } from "../adapters/aws/secrets-manager/reconnecting.ts";
import type { ClusterAccess } from "./settings.ts";
import type { AdapterOptions } from "./open-aws.ts";

/**
 * Opens a port in the cluster. If the kubeconfig is in a secret, `reconnect` opens it, which reads a rotated secret again. Throws
 * what reading a kubeconfig and calling EKS throw.
 */
export async function openInCluster<Port>(
  { settings: { access }, aws, now }: AdapterOptions,
  open: (kubeConfig: KubeConfig) => Port,
  reconnect: (source: ConnectionSource<Port>) => Promise<Port>,
): Promise<Port> {
  if (access.kind !== "secret") return open(await openKubeConfig(access, aws, now));
  const { parseKubeConfig } = await import("../adapters/aws/secrets-manager/kube-config.ts");
  const secret = await openSecret(access, aws, now);
  return reconnect({ secret, open: (text) => open(parseKubeConfig(text, access.context, access.secretArn)) });
}

/** Returns the kubeconfig for other requests to the cluster. One in a secret is read each time. */
export async function openKubeConfig(access: ClusterAccess, aws: AwsOptions, now: () => Date): Promise<KubeConfig> {
  if (access.kind === "file") return fromFile(access);
  if (access.kind === "eks") return fromEks(access, aws, now);
  const { parseKubeConfig } = await import("../adapters/aws/secrets-manager/kube-config.ts");
  const secret = await openSecret(access, aws, now);
  return parseKubeConfig(await secret.get(), access.context, access.secretArn);
}

function fromFile({ path, context }: Extract<ClusterAccess, { kind: "file" }>): KubeConfig {
  const kubeConfig = new KubeConfig();
  if (path === null) kubeConfig.loadFromDefault();
  else kubeConfig.loadFromFile(path);
  if (context !== null) kubeConfig.setCurrentContext(context);
  return kubeConfig;
}

async function fromEks(access: Extract<ClusterAccess, { kind: "eks" }>, aws: AwsOptions, now: () => Date) {
  const { clusterName, region, assumeRoleArn } = access;
  const credentials = createCredentialProvider(assumeRoleArn, { ...aws, region });
  const address = await resolveAddress(access, { ...aws, region, credentials });
  return createEksKubeConfig({ clusterName, region, address, credentials, now });
}

/** Calls EKS only for what the settings do not contain. */
async function resolveAddress(access: Extract<ClusterAccess, { kind: "eks" }>, aws: AwsOptions) {
  const { clusterName, endpoint, certificateAuthority } = access;
  if (endpoint !== null && certificateAuthority !== null) return { endpoint, certificateAuthority };
  const { EKSClient } = await import("@aws-sdk/client-eks");
  const { describeAddress } = await import("../adapters/aws/eks/cluster-address.ts");
  const described = await describeAddress(new EKSClient(withTimeouts(aws)), clusterName);
  return {
    endpoint: endpoint ?? described.endpoint,
    certificateAuthority: certificateAuthority ?? described.certificateAuthority,
  };
}

type SecretAccess = Extract<ClusterAccess, { kind: "secret" }>;

async function openSecret({ secretArn }: SecretAccess, aws: AwsOptions, now: () => Date) {
  const { SecretsManagerClient } = await import("@aws-sdk/client-secrets-manager");
  const { createSecretCache } = await import("../adapters/aws/secrets-manager/secret.ts");
  const client = new SecretsManagerClient(withTimeouts(withArnRegion(secretArn, aws)));
  return createSecretCache({ client, secretArn, now });
}
