import { CloudWatchClient } from "@aws-sdk/client-cloudwatch";
import type { MetricProvider } from "../../../ports/metric-provider.ts";
import { withTimeouts } from "../client.ts";
import { createCloudWatch } from "./metric-data.ts";

/** Two attempts fit into a step. */
const requestTimeoutSeconds = 10;

/** Opens CloudWatch in a region, without a request, with the credentials of the process. null is its default region. */
export function openCloudWatch(region: string | null, now: () => Date): MetricProvider {
  const options = withTimeouts(region === null ? {} : { region }, requestTimeoutSeconds);
  const client = new CloudWatchClient({ ...options, maxAttempts: 2 });
  return createCloudWatch({ client, name: region === null ? "CloudWatch" : `CloudWatch in ${region}`, now });
}
