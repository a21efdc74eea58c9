import { ArnFormat, Stack } from "aws-cdk-lib";
import type { Construct } from "constructs";

/** The one alias of every function and machine: what is invoked, while the versions behind it come and go. */
export const live = "live";

/** How the certificates of registries are called beside a function's code. */
export const certificatesFile = "certificate-authority.pem";

/** Each is a file in `state-machines`. */
export type MachineName = "workload-update" | "node-pool-rollout";

/** Resources are named after their cluster, so that the console and the command line find them without looking. */
export function nameOf(cluster: string, what: string): string {
  return `pawl-${cluster}-${what}`;
}

export function machineName(cluster: string, machine: MachineName): string {
  return nameOf(cluster, machine);
}

/** Built from the name: the functions that start executions are made before the machine that invokes them. */
export function machineArn(scope: Construct, cluster: string, machine: MachineName): string {
  return arnOf(scope, "states", "stateMachine", machineName(cluster, machine));
}

/** The alias of a function. Built from the name where the function itself is to be told of it. */
export function functionAliasArn(scope: Construct, cluster: string, handler: string): string {
  return arnOf(scope, "lambda", "function", `${nameOf(cluster, handler)}:${live}`);
}

/** Every execution of the machine. An execution's ARN never names the alias that it was started by. */
export function executionArns(scope: Construct, cluster: string, machine: MachineName): string {
  return arnOf(scope, "states", "execution", `${machineName(cluster, machine)}:*`);
}

function arnOf(scope: Construct, service: string, resource: string, resourceName: string): string {
  const arnFormat = ArnFormat.COLON_RESOURCE_NAME;
  return Stack.of(scope).formatArn({ service, resource, resourceName, arnFormat });
}
