import { KubeConfig } from "@kubernetes/client-node";
import { type AwsOptions, inRegionOf, withTimeouts } from "../adapters/aws-client.ts";
import type { Source } from "../adapters/secrets/renewing.ts";
import type { ClusterAccess } from "../settings.ts";
import type { Wiring } from "./open-aws.ts";

/**
 * Opens a port into the cluster; where the kubeconfig is kept in a secret, by `renew`, which goes on with the one that stands
 * there by then. Throws what reading a kubeconfig throws, and what asking EKS for one does.
 */
export async function openInto<Port>(
  { settings: { access }, aws, now }: Wiring,
  open: (kubeConfig: KubeConfig) => Port,
  renew: (source: Source<Port>) => Promise<Port>,
): Promise<Port> {
  if (access.kind !== "secret") return open(await openKubeConfig(access, aws, now));
  const { parseKubeConfig } = await import("../adapters/secrets/kube-config.ts");
  const secret = await secretOf(access, aws, now);
  return renew({ secret, open: (text) => open(parseKubeConfig(text, access.context, access.secretArn)) });
}

/** The way into the cluster for requests that are no port's of it. One of a secret is read anew each time. */
export async function openKubeConfig(access: ClusterAccess, aws: AwsOptions, now: () => Date): Promise<KubeConfig> {
  if (access.kind === "file") return fromFile(access);
  if (access.kind === "eks") return fromEks(access, aws, now);
  const { parseKubeConfig } = await import("../adapters/secrets/kube-config.ts");
  const secret = await secretOf(access, aws, now);
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
  const { credentialsOf } = await import("../adapters/eks/credentials.ts");
  const { eksKubeConfig } = await import("../adapters/eks/kube-config.ts");
  const credentials = credentialsOf(assumeRoleArn, { ...aws, region });
  const address = await addressOf(access, { ...aws, region, credentials });
  return eksKubeConfig({ clusterName, region, address, credentials, now });
}

/** EKS is asked only for what the deployment does not say. */
async function addressOf(access: Extract<ClusterAccess, { kind: "eks" }>, aws: AwsOptions) {
  const { clusterName, endpoint, certificateAuthority } = access;
  if (endpoint !== null && certificateAuthority !== null) return { endpoint, certificateAuthority };
  const { EKSClient } = await import("@aws-sdk/client-eks");
  const { describeAddress } = await import("../adapters/eks/cluster-address.ts");
  const found = await describeAddress(new EKSClient(withTimeouts(aws)), clusterName);
  return {
    endpoint: endpoint ?? found.endpoint,
    certificateAuthority: certificateAuthority ?? found.certificateAuthority,
  };
}

type SecretAccess = Extract<ClusterAccess, { kind: "secret" }>;

async function secretOf({ secretArn }: SecretAccess, aws: AwsOptions, now: () => Date) {
  const { SecretsManagerClient } = await import("@aws-sdk/client-secrets-manager");
  const { secretText } = await import("../adapters/secrets/secret.ts");
  const client = new SecretsManagerClient(withTimeouts(inRegionOf(secretArn, aws)));
  return secretText({ client, secretArn, now });
}
