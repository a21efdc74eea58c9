import { ArnFormat, Stack } from "aws-cdk-lib";
import type { Construct } from "constructs";

/** The one alias of every function and machine: what is invoked, while the versions behind it come and go. */
export const live = "live";

/** Resources are named after their cluster, so that the console and the command line find them without looking. */
export function nameOf(cluster: string, what: string): string {
  return `pawl-${cluster}-${what}`;
}

export function machineName(cluster: string): string {
  return nameOf(cluster, "workload-update");
}

/** Built from the name: the functions that start executions are made before the machine that invokes them. */
export function machineArn(scope: Construct, cluster: string): string {
  const arnFormat = ArnFormat.COLON_RESOURCE_NAME;
  return Stack.of(scope).formatArn({
    service: "states",
    resource: "stateMachine",
    resourceName: machineName(cluster),
    arnFormat,
  });
}

/** Every execution of the machine. An execution's ARN never names the alias that it was started by. */
export function executionArns(scope: Construct, cluster: string): string {
  const resourceName = `${machineName(cluster)}:*`;
  const arnFormat = ArnFormat.COLON_RESOURCE_NAME;
  return Stack.of(scope).formatArn({ service: "states", resource: "execution", resourceName, arnFormat });
}
