import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import type { ClusterConfig, RegistriesConfig } from "../../config-shape.ts";
import { commandDocumentName } from "../command-document.ts";
import { usesOf } from "../deployed.ts";
import { functionSpecs, type FunctionSpec, type HandlerName, type Use } from "../functions.ts";
import { reachingCluster } from "./cluster.ts";
import { commandingNodes, instanceWildcard } from "./commands.ts";
import { executionWildcard, startingExecutions } from "./executions.ts";
import { queryingWorkspaces } from "./prometheus.ts";
import { readingRegistries, repositoryWildcards } from "./registries.ts";

/** What there is in a cluster's deployment to be used; null what is not made yet, or not at all. */
export interface Surroundings {
  readonly cluster: ClusterConfig;
  readonly registries: RegistriesConfig;
  readonly busArn: string;
  readonly recordCheckArn: string | null;
  readonly recordPoolArn: string | null;
  readonly pollArn: string;
  readonly deadLettersArn: string;
}

type Allowing = (scope: Construct, surroundings: Surroundings) => readonly PolicyStatement[];

const ofUse = {
  registries: (_, { registries }) => readingRegistries(registries),
  executions: (scope, { cluster }) => startingExecutions(scope, cluster.name, "workload-update"),
  events: (_, { busArn }) => allow("Events", "events:PutEvents", busArn),
  "record-check": (_, { recordCheckArn }) => allow("RecordCheck", "lambda:InvokeFunction", recordCheckArn),
  polls: (_, { pollArn }) => allow("GoOn", "lambda:InvokeFunction", pollArn),
  prometheus: (scope, { cluster }) => queryingWorkspaces(scope, cluster.prometheus),
  pools: () => [],
  "pool-executions": (scope, { cluster }) => startingExecutions(scope, cluster.name, "node-pool-rollout"),
  "pool-secrets": () => [],
  "record-pool": (_, { recordPoolArn }) => allow("RecordPool", "lambda:InvokeFunction", recordPoolArn),
  commands(scope, { cluster: { name, nodePools } }) {
    const runCommand = nodePools?.runCommand ?? null;
    return runCommand === null ? [] : commandingNodes(scope, commandDocumentName(name), runCommand);
  },
} as const satisfies Readonly<Record<Use, Allowing>>;

/** What a function may do besides writing its logs and traces: what its row in `functionSpecs` comes to on this cluster. */
export function permissionsOf(
  scope: Construct,
  handler: HandlerName,
  surroundings: Surroundings,
): readonly PolicyStatement[] {
  const { cluster, deadLettersArn } = surroundings;
  const { group }: FunctionSpec = functionSpecs[handler];
  return [
    ...(group === null ? [] : reachingCluster(scope, cluster)),
    ...usesOf(handler, cluster).flatMap((use) => ofUse[use](scope, surroundings)),
    // Lambda sends what failed to the queue in the name of the function's role.
    ...(handler === "poll" ? allow("DeadLetters", "sqs:SendMessage", deadLettersArn) : []),
  ];
}

/** What is said to the auditor about the wildcards among them. */
export function wildcardsOf(
  handler: HandlerName,
  { cluster, registries }: Pick<Surroundings, "cluster" | "registries">,
): readonly { id: string; reason: string }[] {
  const uses = usesOf(handler, cluster);
  return [
    ...(uses.includes("registries") ? repositoryWildcards(registries.ecrAccounts) : []),
    ...(uses.includes("executions") ? [executionWildcard(cluster.name, "workload-update")] : []),
    ...(uses.includes("pool-executions") ? [executionWildcard(cluster.name, "node-pool-rollout")] : []),
    ...(uses.includes("commands") ? [instanceWildcard] : []),
  ];
}

function allow(sid: string, action: string, arn: string | null): readonly PolicyStatement[] {
  return arn === null ? [] : [new PolicyStatement({ sid, actions: [action], resources: [arn] })];
}
