import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import type { ClusterConfig, RegistriesConfig } from "../../config/schema.ts";
import { commandDocumentName } from "../command-document.ts";
import { capabilitiesOf } from "../function-specs.ts";
import { functionSpecs, type FunctionSpec, type HandlerName, type Capability } from "../function-specs.ts";
import { sendStatements } from "../dead-letter-queue.ts";
import { clusterStatements } from "./cluster.ts";
import { sendCommandStatements, instanceWildcard } from "./commands.ts";
import { executionWildcard, startExecutionStatements } from "./executions.ts";
import { queryCloudWatchStatements, queryWorkspacesStatements } from "./metric-providers.ts";
import { readRegistriesStatements, repositoryWildcards } from "./registries.ts";

/** The resources of a cluster that statements refer to; null if a resource does not exist yet, or at all. */
export interface PermissionContext {
  readonly cluster: ClusterConfig;
  readonly registries: RegistriesConfig;
  readonly busArn: string;
  readonly recordCheckArn: string | null;
  readonly recordPoolArn: string | null;
  readonly pollArn: string;
  readonly deadLetters: IQueue;
}

type CreateStatements = (scope: Construct, context: PermissionContext) => readonly PolicyStatement[];

const statementsByCapability = {
  registries: (_, { registries }) => readRegistriesStatements(registries),
  executions: (scope, { cluster }) => startExecutionStatements(scope, cluster.name, "workload-update"),
  events: (_, { busArn }) => allow("Events", "events:PutEvents", busArn),
  "record-check": (_, { recordCheckArn }) => allow("RecordCheck", "lambda:InvokeFunction", recordCheckArn),
  polls: (_, { pollArn }) => allow("ContinuePoll", "lambda:InvokeFunction", pollArn),
  analyses: () => [],
  "metric-providers": (scope, { cluster }) => [
    ...queryWorkspacesStatements(scope, cluster.prometheus),
    ...queryCloudWatchStatements(cluster.cloudWatchRegions),
  ],
  pools: () => [],
  "pool-executions": (scope, { cluster }) => startExecutionStatements(scope, cluster.name, "node-pool-rollout"),
  "pool-secrets": () => [],
  "record-pool": (_, { recordPoolArn }) => allow("RecordPool", "lambda:InvokeFunction", recordPoolArn),
  commands(scope, { cluster: { name, nodePools } }) {
    const runCommand = nodePools?.runCommand ?? null;
    return runCommand === null ? [] : sendCommandStatements(scope, commandDocumentName(name), runCommand);
  },
} as const satisfies Readonly<Record<Capability, CreateStatements>>;

/** Returns the permissions of a function on this cluster, without those to write logs and traces. */
export function createPermissions(
  scope: Construct,
  handler: HandlerName,
  context: PermissionContext,
): readonly PolicyStatement[] {
  const { cluster, deadLetters } = context;
  const { group }: FunctionSpec = functionSpecs[handler];
  return [
    ...(group === null ? [] : clusterStatements(scope, cluster)),
    ...capabilitiesOf(handler, cluster).flatMap((capability) => statementsByCapability[capability](scope, context)),
    // Lambda sends failed events to the queue with the function's role.
    ...(handler === "poll" ? sendStatements(deadLetters) : []),
  ];
}

/** Returns the acknowledgements of the wildcards in the permissions for cdk-nag. */
export function acknowledgedWildcards(
  handler: HandlerName,
  { cluster, registries }: Pick<PermissionContext, "cluster" | "registries">,
): readonly { id: string; reason: string }[] {
  const capabilities = capabilitiesOf(handler, cluster);
  return [
    ...(capabilities.includes("registries") ? repositoryWildcards(registries) : []),
    ...(capabilities.includes("executions") ? [executionWildcard(cluster.name, "workload-update")] : []),
    ...(capabilities.includes("pool-executions") ? [executionWildcard(cluster.name, "node-pool-rollout")] : []),
    ...(capabilities.includes("commands") ? [instanceWildcard] : []),
  ];
}

function allow(sid: string, action: string, arn: string | null): readonly PolicyStatement[] {
  return arn === null ? [] : [new PolicyStatement({ sid, actions: [action], resources: [arn] })];
}
