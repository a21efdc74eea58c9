import { Sha256 } from "@aws-crypto/sha256-js";
import { SignatureV4 } from "@smithy/signature-v4";
import type { AwsCredentialIdentity, AwsCredentialIdentityProvider } from "@smithy/types";
import type { PrometheusAddress } from "../../domain/analysis/providers/prometheus-address.ts";
import { QueryRejected } from "../../ports/errors.ts";
import { dnsSuffix } from "../aws/dns-suffix.ts";
import { type Bounds, get } from "./get.ts";
import type { SendQuery } from "./client.ts";

interface Options {
  readonly credentials: AwsCredentialIdentity | AwsCredentialIdentityProvider;
  readonly now: () => Date;
  readonly bounds: Bounds;
  /** Replaces the region's endpoint in tests. */
  readonly endpoint?: string;
}

/** Creates a client of an Amazon Managed Service for Prometheus workspace, signed by SigV4; requires only aps:QueryMetrics. */
export function createAmpClient(
  { region, workspace }: Extract<PrometheusAddress, { kind: "amp" }>,
  { credentials, now, bounds, endpoint = ampEndpoint(region) }: Options,
): SendQuery {
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
    const { headers } = await signer.sign(request, { signingDate: now() }).catch((error: Error) => {
      // A matter of the owner of the workspace, as a login that is refused.
      throw new QueryRejected(`${url.host} cannot be queried: ${error.message}`, null, { cause: error });
    });
    return get(url, { headers }, bounds);
  };
}

/** Returns a region's endpoint. */
export function ampEndpoint(region: string): string {
  return `https://aps-workspaces.${region}.${dnsSuffix(region)}`;
}
