import * as v from "valibot";
import { writtenFreezes } from "../../functions/domain/gates/parse-freezes.ts";
import { writtenDefaults } from "../../functions/domain/workload/policy/written-defaults.ts";
import { closedObject, crossCheck, nullSetting, setting, unique } from "../../functions/domain/text/schema.ts";
import { summarizeList } from "../../functions/domain/text/summarize-list.ts";
import { clusters } from "./clusters.ts";
import * as grammar from "./grammar.ts";
import { git } from "./git.ts";
import { digests, proxy, registries } from "./images.ts";
import { limits } from "./limits.ts";
import { alarms, notifications, retentionDays } from "./notifications-and-alarms.ts";
import { protection } from "./protection.ts";
import { verify } from "./verify.ts";

/** What all clusters of a deployment have in common. */
const sharedFields = {
  prefix: setting(
    grammar.prefix,
    "The start of the names of all resources. Unique in an account and region.",
    grammar.defaultPrefix,
  ),
  registries: v.optional(registries, {}),
  digests: v.optional(digests, {}),
  proxy: nullSetting(proxy, "Registries are requested directly if absent."),
  notifications: v.optional(notifications, []),
  alarms: v.optional(alarms, {}),
  schedulesManagedBy: setting(
    v.picklist(["stack", "external"]),
    "external: the stack creates the group and the permissions of the schedules, and no schedules.",
    "stack",
  ),
  deployments: setting(
    v.picklist(["gradual", "immediate"]),
    "gradual: an alarm rolls back a new version in its first minutes. immediate: no alarm does, to deploy a fix.",
    "gradual",
  ),
  logRetentionDays: v.optional(v.picklist(retentionDays), 30),
  tracing: setting(v.boolean(), "true: functions and state machines write traces to X-Ray.", false),
  namespaceMetrics: setting(
    v.boolean(),
    "true: the number of workloads that are checked is also a metric of each namespace.",
    false,
  ),
  freeze: setting(
    writtenFreezes,
    "When no update starts, in all clusters of the deployment. In one cluster: pawl freeze.",
    [],
  ),
  changeCalendars: setting(
    v.pipe(v.array(grammar.changeCalendar), v.maxLength(10), unique<string>()),
    "Calendars of AWS Systems Manager Change Calendar, by name or ARN: no update starts while one of them is closed.",
    [],
  ),
  defaults: setting(
    writtenDefaults,
    "What policies of workloads have if their owners do not say it, or, if enforced, at least.",
    [],
  ),
  limits: setting(
    limits,
    "What a namespace may use in a poll while others wait: a large one alone is not limited.",
    {},
  ),
  verify: v.optional(verify, []),
  git: v.optional(git, []),
  ...protection,
};

/** The schema of the properties of `Pawl`. */
export const sharedSchema = closedObject(sharedFields);

/** The schema of the CDK context `pawl`. `pawl.schema.json` is generated from it. */
export const configSchema = v.pipe(
  closedObject({ $schema: v.optional(v.string()), clusters, ...sharedFields }),
  crossCheck(
    ["clusters", "encryptionKeyArn", "codeSigningConfigArn", "alarms"],
    ({ clusters: all, encryptionKeyArn, codeSigningConfigArn, alarms: { topicArn } }) => [
      ...foreignRegion(all, encryptionKeyArn, ["encryptionKeyArn"]),
      ...foreignRegion(all, codeSigningConfigArn, ["codeSigningConfigArn"]),
      ...foreignRegion(all, topicArn, ["alarms", "topicArn"]),
    ],
  ),
  crossCheck(["clusters", "git"], ({ clusters: all, git: repositories }) => {
    const names = all.map(({ name }) => name);
    const reason = `is no cluster of the configuration; use ${summarizeList(names).join(" or ")}`;
    return repositories.flatMap(({ cluster }, index) =>
      names.includes(cluster) ? [] : [{ path: ["git", index, "cluster"], reason: `"${cluster}" ${reason}` }],
    );
  }),
  v.title("Pawl's configuration"),
  v.description("Value of the CDK context `pawl`. docs/reference/configuration.md explains each setting."),
);

/** Returns the repositories of a cluster: it neither reads nor writes those of another one. */
export function gitOf<Repository extends { readonly cluster: string }>(
  name: string,
  all: readonly Repository[] = [],
): readonly Repository[] {
  return all.filter(({ cluster }) => cluster === name);
}

/** A stack can use such a resource only in its own region. */
function foreignRegion(
  all: readonly { readonly name: string; readonly region?: string | undefined }[],
  arn: string | null,
  path: string[],
) {
  const [, , , home = ""] = arn?.split(":") ?? [];
  const away = all.filter(({ region = home }) => home !== "" && region !== home).map(({ name }) => name);
  if (away.length === 0) return [];
  const names = summarizeList(away).join(", ");
  return [
    { path, reason: `is in ${home}, and other regions have clusters (${names}); give them another configuration` },
  ];
}

/** The configuration of a deployment, as `readConfig` returns it: validated, with every default. */
export type PawlConfig = DeepReadonly<v.InferOutput<typeof configSchema>>;

/** The configuration as people write it. */
export type PawlConfigInput = DeepReadonly<v.InferInput<typeof configSchema>>;

/** What all clusters have in common. */
export type SharedConfig = DeepReadonly<v.InferOutput<typeof sharedSchema>>;

/** A cluster, and of the deployment that it belongs to the prefix, the rules of signatures and the repositories. */
export type ClusterConfig = PawlConfig["clusters"][number] & Pick<SharedConfig, "prefix" | "verify" | "git">;
export type NetworkConfig = NonNullable<ClusterConfig["network"]>;
/** When a cluster is polled. */
export type PollConfig = Omit<ClusterConfig["poll"], "pushBatchSeconds" | "memory" | "timeout">;
export type NodePoolsConfig = NonNullable<ClusterConfig["nodePools"]>;
export type RunCommandConfig = NonNullable<NodePoolsConfig["runCommand"]>;
export type EksAccess = Extract<ClusterConfig["access"], { kind: "eks" }>;
export type RegistriesConfig = PawlConfig["registries"];
export type VerifyConfig = PawlConfig["verify"];
export type LimitsConfig = PawlConfig["limits"];
export type GatesConfig = Pick<SharedConfig, "freeze" | "changeCalendars" | "defaults">;
export type DigestsConfig = PawlConfig["digests"];
export type ProxyConfig = NonNullable<PawlConfig["proxy"]>;
export type NotificationConfig = PawlConfig["notifications"][number];
export type RequestNotification = Exclude<NotificationConfig, { kind: "sns" }>;
export type AlarmsConfig = PawlConfig["alarms"];

type DeepReadonly<Value> = Value extends object ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> } : Value;
