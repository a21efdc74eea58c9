import * as v from "valibot";
import { closedObject } from "../../functions/domain/text/schema.ts";
import { clusters } from "./clusters.ts";
import { digests, proxy, registries } from "./images.ts";
import { alarms, notifications, retentionDays } from "./notifications-and-alarms.ts";
import { protection } from "./protection.ts";

/** The schema of the CDK context `pawl`. `pawl.schema.json` is generated from it. */
export const configSchema = v.pipe(
  closedObject({
    $schema: v.optional(v.string()),
    clusters,
    registries: v.optional(registries, {}),
    digests: v.optional(digests, {}),
    proxy: v.nullish(v.pipe(proxy, v.description("Registries are requested directly if absent.")), null),
    notifications: v.optional(notifications, []),
    alarms: v.optional(alarms, {}),
    schedulesManagedBy: v.optional(
      v.pipe(
        v.picklist(["stack", "external"]),
        v.description("external: the stack creates the group and the permissions of the schedules, and no schedules."),
      ),
      "stack",
    ),
    logRetentionDays: v.optional(v.picklist(retentionDays), 30),
    ...protection,
  }),
  v.title("Pawl's configuration"),
  v.description("Value of the CDK context `pawl`. docs/configuration.md explains each setting."),
);

/** The configuration of a deployment, as `readConfig` returns it: validated, with every default. */
export type PawlConfig = DeepReadonly<v.InferOutput<typeof configSchema>>;

export type ClusterConfig = PawlConfig["clusters"][number];
export type NetworkConfig = NonNullable<ClusterConfig["network"]>;
export type PollConfig = ClusterConfig["poll"];
export type NodePoolsConfig = NonNullable<ClusterConfig["nodePools"]>;
export type RunCommandConfig = NonNullable<NodePoolsConfig["runCommand"]>;
export type EksAccess = Extract<ClusterConfig["access"], { kind: "eks" }>;
export type RegistriesConfig = PawlConfig["registries"];
export type DigestsConfig = PawlConfig["digests"];
export type ProxyConfig = NonNullable<PawlConfig["proxy"]>;
export type NotificationConfig = PawlConfig["notifications"][number];
export type RequestNotification = Exclude<NotificationConfig, { kind: "sns" }>;
export type AlarmsConfig = PawlConfig["alarms"];

type DeepReadonly<Value> = Value extends object ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> } : Value;
