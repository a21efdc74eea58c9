import { ArnFormat, Stack } from "aws-cdk-lib";
import type { Construct } from "constructs";

/** The alias of each function and machine that all callers use. */
export const live = "live";

/** The file name of the registries' certificates in the layer of a function. */
export const certificatesFile = "certificate-authority.pem";

/** The file name of the rules of signatures in the layer of `verify-image`. */
export const verifyFile = "verify.json";

/** The file name of the targets of notifications in the layer of `notify`. */
export const notificationsFile = "notifications.json";

/** The file name of settings that are too long for the environment of a function. */
export const settingsFile = "settings.json";

/** The machines, each named like its file in `state-machines`. */
export type MachineName = "workload-update" | "node-pool-rollout" | "poll-fanout";

/** What the names of resources start with. */
export interface NameScope {
  /** Of all resources of one deployment. */
  readonly prefix: string;
  /** The cluster's name; null is for all clusters. */
  readonly name: string | null;
}

/** Returns the name of a resource, which starts with that of its cluster, so that users can find it. */
export function resourceName({ prefix, name }: NameScope, suffix: string): string {
  return name === null ? `${prefix}-${suffix}` : `${prefix}-${name}-${suffix}`;
}

/** Returns the path of the functions' roles: policies of others can name them all by it, also those of later versions. */
export function rolePath(scope: Construct, { prefix, name }: NameScope): string {
  const { region } = Stack.of(scope);
  return name === null ? `/${prefix}/${region}/` : `/${prefix}/${region}/${name}/`;
}

/** Returns the ARN of the event bus, built from its name, because stacks of clusters do not import it. */
export function busArn(scope: Construct, prefix: string): string {
  return slashArn(scope, "events", "event-bus", prefix);
}

/** Returns the ARN of the group of all schedules. */
export function scheduleGroupArn(scope: Construct, prefix: string): string {
  return slashArn(scope, "scheduler", "schedule-group", prefix);
}

export function alarmTopicName(prefix: string): string {
  return resourceName({ prefix, name: null }, "alarms");
}

/** Returns the ARN of the topic of the alarms. */
export function alarmTopicArn(scope: Construct, prefix: string): string {
  return Stack.of(scope).formatArn({ service: "sns", resource: alarmTopicName(prefix) });
}

/** Returns the ARN of a machine, built from its name, because the functions that start executions are created first. */
export function machineArn(scope: Construct, cluster: NameScope, machine: MachineName): string {
  return arnOf(scope, "states", "stateMachine", resourceName(cluster, machine));
}

/** Returns the ARN of a function, built from its name, because its role refers to it. */
export function functionArn(scope: Construct, cluster: NameScope, handler: string): string {
  return arnOf(scope, "lambda", "function", resourceName(cluster, handler));
}

/** Returns the ARN pattern of all versions of a function. */
export function versionArns(scope: Construct, functionName: string): string {
  return arnOf(scope, "lambda", "function", `${functionName}:*`);
}

/** Returns the ARN pattern of all executions of the machine. The ARN of an execution does not contain an alias. */
export function executionArns(scope: Construct, cluster: NameScope, machine: MachineName): string {
  return arnOf(scope, "states", "execution", `${resourceName(cluster, machine)}:*`);
}

export function slashArn(scope: Construct, service: string, resource: string, name: string): string {
  const arnFormat = ArnFormat.SLASH_RESOURCE_NAME;
  return Stack.of(scope).formatArn({ service, resource, resourceName: name, arnFormat });
}

function arnOf(scope: Construct, service: string, resource: string, name: string): string {
  const arnFormat = ArnFormat.COLON_RESOURCE_NAME;
  return Stack.of(scope).formatArn({ service, resource, resourceName: name, arnFormat });
}
