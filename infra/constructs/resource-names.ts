import { ArnFormat, Stack } from "aws-cdk-lib";
import type { Construct } from "constructs";

/** The alias of each function and machine that all callers use. */
export const live = "live";

/** The file name of the registries' certificates in a function's code. */
export const certificatesFile = "certificate-authority.pem";

/** The file name of the targets of notifications in the code of `notify`. */
export const notificationsFile = "notifications.json";

/** The machines, each named like its file in `state-machines`. */
export type MachineName = "workload-update" | "node-pool-rollout";

/** Returns the name of a resource, which starts with that of its cluster, so that users can find it; null is that of all clusters. */
export function resourceName(cluster: string | null, suffix: string): string {
  return cluster === null ? `pawl-${suffix}` : `pawl-${cluster}-${suffix}`;
}

export function machineName(cluster: string, machine: MachineName): string {
  return resourceName(cluster, machine);
}

/** Returns the ARN of a machine, built from its name, because the functions that start executions are created first. */
export function machineArn(scope: Construct, cluster: string, machine: MachineName): string {
  return arnOf(scope, "states", "stateMachine", machineName(cluster, machine));
}

/** Returns the ARN of a function, built from its name, because its role refers to it. */
export function functionArn(scope: Construct, cluster: string | null, handler: string): string {
  return arnOf(scope, "lambda", "function", resourceName(cluster, handler));
}

/** Returns the alias of a function, built from its name, because the function's own environment contains it. */
export function functionAliasArn(scope: Construct, cluster: string, handler: string): string {
  return arnOf(scope, "lambda", "function", `${resourceName(cluster, handler)}:${live}`);
}

/** Returns the ARN pattern of all executions of the machine. The ARN of an execution does not contain an alias. */
export function executionArns(scope: Construct, cluster: string, machine: MachineName): string {
  return arnOf(scope, "states", "execution", `${machineName(cluster, machine)}:*`);
}

function arnOf(scope: Construct, service: string, resource: string, name: string): string {
  const arnFormat = ArnFormat.COLON_RESOURCE_NAME;
  return Stack.of(scope).formatArn({ service, resource, resourceName: name, arnFormat });
}
