import { Sha256 } from "@aws-crypto/sha256-js";
import { SignatureV4 } from "@smithy/signature-v4";
import type { AwsCredentialIdentity, AwsCredentialIdentityProvider } from "@smithy/types";
import type { PrometheusAddress } from "../../domain/analysis/address.ts";
import { type Bounds, get } from "./get.ts";
import type { Ask } from "./prometheus.ts";

interface Options {
  readonly credentials: AwsCredentialIdentity | AwsCredentialIdentityProvider;
  readonly now: () => Date;
  readonly bounds: Bounds;
  /** Other than the region's own, for tests. */
  readonly endpoint?: string;
}

/** A workspace of Amazon Managed Service for Prometheus, by SigV4; needs aps:QueryMetrics and nothing more. */
export function managedPrometheus(
  { region, workspace }: Extract<PrometheusAddress, { kind: "amp" }>,
  { credentials, now, bounds, endpoint = endpointOf(region) }: Options,
): Ask {
  const signer = new SignatureV4({ service: "aps", region, credentials, sha256: Sha256 });
  return async (pathAndQuery) => {
    const url = new URL(`${endpoint}/workspaces/${workspace}${pathAndQuery}`);
    const request = {
      method: "GET",
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: { host: url.host },
    };
    const { headers } = await signer.sign(request, { signingDate: now() });
    return get(url, { headers }, bounds);
  };
}

/** China and the European Sovereign Cloud have domains of their own. */
export function endpointOf(region: string): string {
  const host = `aps-workspaces.${region}.amazonaws`;
  if (region.startsWith("cn-")) return `https://${host}.com.cn`;
  return region.startsWith("eusc-") ? `https://${host}.eu` : `https://${host}.com`;
}
