import { Validations } from "aws-cdk-lib";
import type { IEventBus } from "aws-cdk-lib/aws-events";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { IAlias } from "aws-cdk-lib/aws-lambda";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { ClusterConfig, DigestsConfig, ProxyConfig, RegistriesConfig } from "../config-shape.ts";
import type { Grantee } from "./cluster-access.ts";
import { environmentOf } from "./environment.ts";
import { functionSpecs, handlerNames, type FunctionSpec, type HandlerName } from "./functions.ts";
import { functionAliasArn, machineArn, machineName } from "./names.ts";
import { networkOf, type FunctionNetwork } from "./network.ts";
import { PawlFunction } from "./pawl-function.ts";
import { reachingCluster } from "./permissions/cluster.ts";
import { startingExecutions } from "./permissions/executions.ts";
import { queryingWorkspaces } from "./permissions/prometheus.ts";
import { readingRegistries, repositoryWildcards } from "./permissions/registries.ts";

export interface ClusterFunctionsProps {
  readonly cluster: ClusterConfig;
  readonly registries: RegistriesConfig;
  readonly digests: DigestsConfig;
  readonly proxy: ProxyConfig | null;
  readonly bus: IEventBus;
  readonly deadLetters: IQueue;
  readonly logRetentionDays: number;
}

/** The functions of one cluster, each with what its row in `functionSpecs` comes to. */
export class ClusterFunctions extends Construct {
  /** What each Task of the machine invokes, by its state's name. */
  readonly tasks: Readonly<Record<string, IAlias>>;
  readonly poll: PawlFunction;
  /** Those that speak to the cluster, and as whom. */
  readonly grantees: readonly Grantee[];

  readonly #props: ClusterFunctionsProps;
  readonly #network: FunctionNetwork | null;

  constructor(scope: Construct, id: string, props: ClusterFunctionsProps) {
    super(scope, id);
    this.#props = props;
    const { network } = props.cluster;
    this.#network = network === null ? null : networkOf(this, "Network", network);
    const recordCheck = this.#make("record-check", null);
    this.poll = this.#make("poll", recordCheck.alias);
    const others = handlerNames.filter((name) => name !== "record-check" && name !== "poll");
    const made = others.map((name) => ({ name, made: this.#make(name, null) }));
    this.tasks = Object.fromEntries(made.map(({ name, made: { alias } }) => [functionSpecs[name].state, alias]));
    const all = [{ name: "record-check", made: recordCheck }, { name: "poll", made: this.poll }, ...made] as const;
    this.grantees = all.flatMap(({ name, made: { role } }) => {
      const { group }: FunctionSpec = functionSpecs[name];
      return group === null ? [] : [{ handler: name, role, group }];
    });
  }

  #make(handler: HandlerName, recordCheck: IAlias | null): PawlFunction {
    const { cluster, registries, digests, proxy, bus, logRetentionDays } = this.#props;
    const { group, uses }: FunctionSpec = functionSpecs[handler];
    const made = new PawlFunction(this, handler, {
      cluster: cluster.name,
      handler,
      environment: environmentOf(handler, {
        cluster,
        registries,
        digests,
        proxy,
        machineArn: machineArn(this, cluster.name),
        busName: bus.eventBusName,
        recordCheckArn: recordCheck?.functionArn ?? null,
        pollArn: this.#pollArn(),
      }),
      certificates: uses.includes("registries") ? registries.certificateAuthority : null,
      permissions: this.#permissions(handler, recordCheck),
      // What never speaks to the cluster has no business in its network.
      network: group === null ? null : this.#network,
      reservedConcurrency: reservedFor(handler, cluster),
      logRetentionDays,
    });
    this.#acknowledge(handler, made);
    return made;
  }

  #permissions(handler: HandlerName, recordCheck: IAlias | null): readonly PolicyStatement[] {
    const { cluster, registries, bus, deadLetters } = this.#props;
    const { group, uses }: FunctionSpec = functionSpecs[handler];
    const allow = (sid: string, action: string, arn: string) =>
      new PolicyStatement({ sid, actions: [action], resources: [arn] });
    return [
      ...(group === null ? [] : reachingCluster(this, cluster)),
      ...(uses.includes("registries") ? readingRegistries(registries) : []),
      ...(uses.includes("prometheus") ? queryingWorkspaces(this, cluster.prometheus) : []),
      ...(uses.includes("executions") ? startingExecutions(this, cluster.name) : []),
      ...(uses.includes("events") ? [allow("Events", "events:PutEvents", bus.eventBusArn)] : []),
      ...(recordCheck === null ? [] : [allow("RecordCheck", "lambda:InvokeFunction", recordCheck.functionArn)]),
      ...(uses.includes("polls") ? [allow("GoOn", "lambda:InvokeFunction", this.#pollArn())] : []),
      // Lambda sends what failed to the queue in the name of the function's role.
      ...(handler === "poll" ? [allow("DeadLetters", "sqs:SendMessage", deadLetters.queueArn)] : []),
    ];
  }

  #pollArn(): string {
    return functionAliasArn(this, this.#props.cluster.name, "poll");
  }

  #acknowledge(handler: HandlerName, { role }: PawlFunction): void {
    const { cluster, registries } = this.#props;
    const { uses }: FunctionSpec = functionSpecs[handler];
    if (uses.includes("registries")) Validations.of(role).acknowledge(...repositoryWildcards(registries.ecrAccounts));
    if (!uses.includes("executions")) return;
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:${machineName(cluster.name)}:*]`,
      reason:
        "An execution is named after what it does: which there will be is not known. They are this machine's only.",
    });
  }
}

/** One poll at a time, and so many writers as the API server is to bear; readers are held by the machine's waits. */
function reservedFor(handler: HandlerName, { writesAtOnce }: ClusterConfig): number | null {
  const { group }: FunctionSpec = functionSpecs[handler];
  if (writesAtOnce === null) return null;
  if (handler === "poll") return 1;
  return group === null || group === "pawl:pollers" ? null : writesAtOnce;
}
