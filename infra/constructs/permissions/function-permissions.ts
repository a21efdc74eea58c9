import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { IBucket } from "aws-cdk-lib/aws-s3";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { usesEcrSigning } from "../../config/compile-verify.ts";
import type { ClusterConfig, GatesConfig, RegistriesConfig } from "../../config/schema.ts";
import { commandDocumentName } from "../access/command-document.ts";
import { capabilitiesOf, usesWorkLists } from "../functions/function-specs.ts";
import type { FunctionSpec, Capability } from "../functions/function-spec.ts";
import { functionSpecs, type HandlerName } from "../functions/function-specs.ts";
import { receiveStatement, sendStatements } from "../functions/dead-letter-queue.ts";
import { readCalendarsStatements } from "./calendars.ts";
import { clusterStatements, readSecretStatement } from "./cluster.ts";
import { sendCommandStatements, instanceWildcard } from "./commands.ts";
import { executionWildcard, startExecutionStatements } from "./executions.ts";
import { queryMetricsStatements } from "./metric-providers.ts";
import { readRegistriesStatements, readSignaturesStatements, repositoryWildcards } from "./registries.ts";
import { workListStatements, workListWildcard } from "./work-lists.ts";
import { machineArn } from "../resource-names.ts";

/** The resources of a cluster that statements refer to; null if a resource does not exist yet, or at all. */
export interface PermissionContext {
  readonly cluster: ClusterConfig;
  readonly registries: RegistriesConfig;
  readonly gates: GatesConfig;
  readonly busArn: string;
  readonly recordCheckArn: string | null;
  readonly recordPoolArn: string | null;
  readonly verifyArn: string | null;
  /** Of work lists. */
  readonly workBucket: IBucket;
  readonly deadLetters: IQueue;
  readonly pushes: IQueue;
}

/** `polls` says whether the function has that capability too. */
type CreateStatements = (scope: Construct, context: PermissionContext, polls: boolean) => readonly PolicyStatement[];

const statementsByCapability = {
  registries: (_, { registries }, polls) => readRegistriesStatements(registries, polls),
  executions: (scope, { cluster }, polls) => startExecutionStatements(scope, cluster, "workload-update", polls),
  events: (_, { busArn }) => allow("Events", "events:PutEvents", busArn),
  "record-check": (_, { recordCheckArn }) => allow("RecordCheck", "lambda:InvokeFunction", recordCheckArn),
  polls: () => [],
  peers: (scope, { cluster }) =>
    cluster.peers.flatMap((peer, index) => clusterStatements(scope, peer, `OfPeer${index}`)),
  calendars: (scope, { gates }) => readCalendarsStatements(scope, gates),
  "fan-out": (scope, { cluster }) =>
    allow("StartFanOut", "states:StartExecution", machineArn(scope, cluster, "poll-fanout")),
  "write-work-lists": (_, { workBucket, cluster }) => workListStatements(workBucket, cluster, "Put"),
  "read-work-lists": (_, { workBucket, cluster }) => workListStatements(workBucket, cluster, "Get"),
  "delete-work-lists": (_, { workBucket, cluster }) => workListStatements(workBucket, cluster, "Delete"),
  analyses: () => [],
  verify: (_, { verifyArn }) => allow("VerifyImage", "lambda:InvokeFunction", verifyArn),
  "verify-rules": (_, { registries, cluster }) => readSignaturesStatements(registries, usesEcrSigning(cluster.verify)),
  "metric-providers": (scope, { cluster }) => queryMetricsStatements(scope, cluster),
  git: (_, { cluster }) => [readSecretStatement("GitApps", ...new Set(cluster.git.map((one) => one.appSecretArn)))],
  pools: () => [],
  "pool-executions": (scope, { cluster }, polls) =>
    startExecutionStatements(scope, cluster, "node-pool-rollout", polls),
  "pool-secrets": () => [],
  "record-pool": (_, { recordPoolArn }) => allow("RecordPool", "lambda:InvokeFunction", recordPoolArn),
  commands(scope, { cluster }) {
    const runCommand = cluster.nodePools?.runCommand ?? null;
    return runCommand === null ? [] : sendCommandStatements(scope, commandDocumentName(cluster), runCommand);
  },
} as const satisfies Readonly<Record<Capability, CreateStatements>>;

/** Returns the permissions of a function on this cluster, without those to write logs and traces. */
export function createPermissions(
  scope: Construct,
  handler: HandlerName,
  context: PermissionContext,
): readonly PolicyStatement[] {
  const { cluster, deadLetters, pushes } = context;
  const { group }: FunctionSpec = functionSpecs[handler];
  const capabilities = capabilitiesOf(handler, cluster);
  const polls = capabilities.includes("polls");
  return [
    ...(group === null ? [] : clusterStatements(scope, cluster)),
    ...capabilities.flatMap((capability) => statementsByCapability[capability](scope, context, polls)),
    // Lambda sends failed events to the queue with the function's role.
    ...(handler === "poll" ? [...sendStatements(deadLetters), receiveStatement(pushes)] : []),
  ];
}

/** Returns the acknowledgements of the wildcards in the permissions for cdk-nag. */
export function acknowledgedWildcards(
  scope: Construct,
  handler: HandlerName,
  { cluster, registries, workBucket }: Pick<PermissionContext, "cluster" | "registries" | "workBucket">,
): readonly { id: string; reason: string }[] {
  const capabilities = capabilitiesOf(handler, cluster);
  return [
    ...(capabilities.includes("registries") ? repositoryWildcards(registries) : []),
    ...(capabilities.includes("executions") ? [executionWildcard(scope, cluster, "workload-update")] : []),
    ...(capabilities.includes("pool-executions") ? [executionWildcard(scope, cluster, "node-pool-rollout")] : []),
    ...(usesWorkLists(capabilities) ? [workListWildcard(scope, workBucket, cluster)] : []),
    ...(capabilities.includes("commands") ? [instanceWildcard(scope)] : []),
  ];
}

function allow(sid: string, action: string, arn: string | null): readonly PolicyStatement[] {
  return arn === null ? [] : [new PolicyStatement({ sid, actions: [action], resources: [arn] })];
}
