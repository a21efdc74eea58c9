import { CloudWatchClient } from "@aws-sdk/client-cloudwatch";
import type { MetricProvider } from "../../../ports/metric-provider.ts";
import { withTimeouts } from "../client.ts";
import { createCloudWatch } from "./metric-data.ts";

/**
 * Opens CloudWatch in a region, without a request, with the credentials of the process. null is its default region. The analysis
 * repeats what fails, so the client does not. Kept-alive connections do not survive a frozen Lambda, and a query a minute needs none.
 */
export function openCloudWatch(region: string | null, now: () => Date): MetricProvider {
  const { requestHandler, ...options } = withTimeouts(region === null ? {} : { region });
  const client = new CloudWatchClient({
    ...options,
    maxAttempts: 1,
    requestHandler: { ...requestHandler, httpAgent: { keepAlive: false }, httpsAgent: { keepAlive: false } },
  });
  return createCloudWatch({ client, name: region === null ? "CloudWatch" : `CloudWatch in ${region}`, now });
}
