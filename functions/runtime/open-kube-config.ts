import { KubeConfig } from "@kubernetes/client-node";
import { type AwsOptions, withTimeouts } from "../adapters/aws/client.ts";
import { createCredentialProvider } from "../adapters/aws/eks/credentials.ts";
import { createEksKubeConfig } from "../adapters/aws/eks/kube-config.ts";
import type { ClusterAccess } from "./settings.ts";
import type { AdapterOptions } from "./open-aws.ts";
import { openSecret } from "./open-secret.ts";

/**
 * Opens a port in the cluster, again if its kubeconfig is in a secret that is rotated. The methods in `streams` return an async iterable.
 * Throws what reading a kubeconfig and calling EKS throw.
 */
export async function openInCluster<Port extends object>(
  { settings: { access }, aws, now }: AdapterOptions,
  open: (kubeConfig: KubeConfig) => Port,
  streams: readonly (keyof Port)[] = [],
): Promise<Port> {
  if (access.kind !== "secret") return open(await openKubeConfig(access, aws, now));
  const { parseKubeConfig } = await import("../adapters/aws/secrets-manager/kube-config.ts");
  const { openReconnecting } = await import("../adapters/aws/secrets-manager/reconnecting.ts");
  const secret = await openSecret(access.secretArn, { aws, now });
  const reopen = (text: string) => open(parseKubeConfig(text, access.context, access.secretArn));
  return openReconnecting({ secret, open: reopen }, streams);
}

/** Returns the kubeconfig for other requests to the cluster. One in a secret is read each time. */
export async function openKubeConfig(access: ClusterAccess, aws: AwsOptions, now: () => Date): Promise<KubeConfig> {
  if (access.kind === "file") return fromFile(access);
  if (access.kind === "eks") return fromEks(access, aws, now);
  const { parseKubeConfig } = await import("../adapters/aws/secrets-manager/kube-config.ts");
  const secret = await openSecret(access.secretArn, { aws, now });
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
  const { clusterName, region, assumeRoleArn, externalId } = access;
  const credentials = createCredentialProvider(assumeRoleArn, { ...aws, region }, externalId);
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
