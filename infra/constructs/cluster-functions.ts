import { Validations } from "aws-cdk-lib";
import type { IEventBus } from "aws-cdk-lib/aws-events";
import type { IAlias } from "aws-cdk-lib/aws-lambda";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { ClusterConfig, DigestsConfig, ProxyConfig, RegistriesConfig } from "../config/schema.ts";
import type { Grantee } from "./cluster-access.ts";
import { handlersFor } from "./function-specs.ts";
import { buildEnvironment } from "./environment.ts";
import { functionSpecs, type FunctionSpec, type HandlerName, type Feature } from "./function-specs.ts";
import type { LogSettings } from "./log-group.ts";
import { functionAliasArn, machineArn } from "./resource-names.ts";
import { importNetwork, type FunctionNetwork } from "./network.ts";
import { HandlerFunction } from "./handler-function.ts";
import { createPermissions, acknowledgedWildcards } from "./permissions/function-permissions.ts";

export interface ClusterFunctionsProps {
  readonly cluster: ClusterConfig;
  readonly registries: RegistriesConfig;
  readonly digests: DigestsConfig;
  readonly proxy: ProxyConfig | null;
  readonly bus: IEventBus;
  readonly deadLetters: IQueue;
  readonly logs: LogSettings;
  readonly codeSigningConfigArn: string | null;
}

/** The aliases of the functions that record the results of a poll; null if the function does not exist. */
interface Recorders {
  readonly recordCheckArn: string | null;
  readonly recordPoolArn: string | null;
}

/** The functions of one cluster, as `functionSpecs` defines them. */
export class ClusterFunctions extends Construct {
  readonly poll: HandlerFunction;
  /** The functions with access to the cluster, with their Kubernetes groups. */
  readonly grantees: readonly Grantee[];

  readonly #props: ClusterFunctionsProps;
  readonly #network: FunctionNetwork | null;
  readonly #functions: ReadonlyMap<HandlerName, HandlerFunction>;

  constructor(scope: Construct, id: string, props: ClusterFunctionsProps) {
    super(scope, id);
    this.#props = props;
    const { cluster } = props;
    this.#network = cluster.network === null ? null : importNetwork(this, "Network", cluster.network);
    const recordCheck = this.#createFunction("record-check");
    const recordPool = cluster.nodePools === null ? null : this.#createFunction("record-pool");
    const recorders = {
      recordCheckArn: recordCheck.alias.functionArn,
      recordPoolArn: recordPool?.alias.functionArn ?? null,
    };
    this.poll = this.#createFunction("poll", recorders);
    const existing = new Map<HandlerName, HandlerFunction | null>([
      ["record-check", recordCheck],
      ["record-pool", recordPool],
      ["poll", this.poll],
    ]);
    this.#functions = new Map(
      handlersFor(cluster).map((name) => [name, existing.get(name) ?? this.#createFunction(name)]),
    );
    this.grantees = [...this.#functions].flatMap(([handler, { role }]) => {
      const { group }: FunctionSpec = functionSpecs[handler];
      return group === null ? [] : [{ handler, role, group }];
    });
  }

  /** Returns the alias that each Task of a feature's machine invokes, by state name. */
  tasksOf(feature: Feature): Readonly<Record<string, IAlias>> {
    const tasks = [...this.#functions].flatMap(([handler, { alias }]) => {
      const { state, feature: ownFeature }: FunctionSpec = functionSpecs[handler];
      return state === null || ownFeature !== feature ? [] : [[state, alias] as const];
    });
    return Object.fromEntries(tasks);
  }

  #createFunction(
    handler: HandlerName,
    recorders: Recorders = { recordCheckArn: null, recordPoolArn: null },
  ): HandlerFunction {
    const { cluster, registries, digests, proxy, bus, deadLetters, logs, codeSigningConfigArn } = this.#props;
    const { group, capabilities }: FunctionSpec = functionSpecs[handler];
    const pollArn = functionAliasArn(this, cluster.name, "poll");
    const machineArns = {
      "workload-update": machineArn(this, cluster.name, "workload-update"),
      "node-pool-rollout": machineArn(this, cluster.name, "node-pool-rollout"),
    };
    const common = { cluster, registries, pollArn, ...recorders };
    const busName = bus.eventBusName;
    const created = new HandlerFunction(this, handler, {
      cluster: cluster.name,
      handler,
      environment: buildEnvironment(handler, { ...common, digests, proxy, machineArns, busName }),
      certificates: capabilities.includes("registries") ? registries.certificateAuthority : null,
      permissions: createPermissions(this, handler, { ...common, busArn: bus.eventBusArn, deadLetters }),
      // A function without access to the cluster does not need its network.
      network: group === null ? null : this.#network,
      reservedConcurrency: reservedConcurrencyFor(handler, cluster),
      logs,
      codeSigningConfigArn,
    });
    Validations.of(created.role).acknowledge(...acknowledgedWildcards(handler, { cluster, registries }));
    return created;
  }
}

/** Limits polls to one at a time, and writers to protect the API server. The machine's waits limit readers. */
function reservedConcurrencyFor(handler: HandlerName, { writerReservedConcurrency }: ClusterConfig): number | null {
  const { group }: FunctionSpec = functionSpecs[handler];
  if (writerReservedConcurrency === null) return null;
  if (handler === "poll") return 1;
  return group === null || group === "pawl:pollers" ? null : writerReservedConcurrency;
}
