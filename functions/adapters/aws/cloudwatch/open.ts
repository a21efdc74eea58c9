import { CloudWatchClient } from "@aws-sdk/client-cloudwatch";
import type { MetricProvider } from "../../../ports/metric-provider.ts";
import type { MetricProviderAccess } from "../../metric-provider-access.ts";
import { withTimeouts } from "../client.ts";
import { createCloudWatch } from "./metric-data.ts";

/**
 * Opens CloudWatch in a region, without a request. null is the default region of the process. The analysis repeats what fails, so the
 * client does not. Kept-alive connections do not survive a frozen Lambda, and a query a minute needs none.
 */
export async function openCloudWatch(
  region: string | null,
  { credentials, now }: MetricProviderAccess,
): Promise<MetricProvider> {
  const { requestHandler, ...options } = withTimeouts(region === null ? { credentials } : { credentials, region });
  const client = new CloudWatchClient({
    ...options,
    maxAttempts: 1,
    requestHandler: { ...requestHandler, httpAgent: { keepAlive: false }, httpsAgent: { keepAlive: false } },
  });
  return createCloudWatch({ client, name: region === null ? "CloudWatch" : `CloudWatch in ${region}`, now });
}
