import { Validations } from "aws-cdk-lib";
import type { IEventBus } from "aws-cdk-lib/aws-events";
import type { IAlias } from "aws-cdk-lib/aws-lambda";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { ClusterConfig, DigestsConfig, ProxyConfig, RegistriesConfig } from "../config-shape.ts";
import type { Grantee } from "./cluster-access.ts";
import { handlersOf } from "./deployed.ts";
import { environmentOf } from "./environment.ts";
import { functionSpecs, type FunctionSpec, type HandlerName, type Part } from "./functions.ts";
import { functionAliasArn, machineArn } from "./names.ts";
import { networkOf, type FunctionNetwork } from "./network.ts";
import { PawlFunction } from "./pawl-function.ts";
import { permissionsOf, wildcardsOf } from "./permissions/of-function.ts";

export interface ClusterFunctionsProps {
  readonly cluster: ClusterConfig;
  readonly registries: RegistriesConfig;
  readonly digests: DigestsConfig;
  readonly proxy: ProxyConfig | null;
  readonly bus: IEventBus;
  readonly deadLetters: IQueue;
  readonly logRetentionDays: number;
}

/** The aliases of those that write down what a poll found; null where there is none. */
interface Recorders {
  readonly recordCheckArn: string | null;
  readonly recordPoolArn: string | null;
}

/** The functions of one cluster, each with what its row in `functionSpecs` comes to. */
export class ClusterFunctions extends Construct {
  readonly poll: PawlFunction;
  /** Those that speak to the cluster, and as whom. */
  readonly grantees: readonly Grantee[];

  readonly #props: ClusterFunctionsProps;
  readonly #network: FunctionNetwork | null;
  readonly #made: ReadonlyMap<HandlerName, PawlFunction>;

  constructor(scope: Construct, id: string, props: ClusterFunctionsProps) {
    super(scope, id);
    this.#props = props;
    const { cluster } = props;
    this.#network = cluster.network === null ? null : networkOf(this, "Network", cluster.network);
    const recordCheck = this.#make("record-check");
    const recordPool = cluster.nodePools === null ? null : this.#make("record-pool");
    const recorders = {
      recordCheckArn: recordCheck.alias.functionArn,
      recordPoolArn: recordPool?.alias.functionArn ?? null,
    };
    this.poll = this.#make("poll", recorders);
    const first = new Map<HandlerName, PawlFunction | null>([
      ["record-check", recordCheck],
      ["record-pool", recordPool],
      ["poll", this.poll],
    ]);
    this.#made = new Map(handlersOf(cluster).map((name) => [name, first.get(name) ?? this.#make(name)]));
    this.grantees = [...this.#made].flatMap(([handler, { role }]) => {
      const { group }: FunctionSpec = functionSpecs[handler];
      return group === null ? [] : [{ handler, role, group }];
    });
  }

  /** What each Task of a part's machine invokes, by its state's name. */
  tasksOf(part: Part): Readonly<Record<string, IAlias>> {
    const tasks = [...this.#made].flatMap(([handler, { alias }]) => {
      const { state, part: own }: FunctionSpec = functionSpecs[handler];
      return state === null || own !== part ? [] : [[state, alias] as const];
    });
    return Object.fromEntries(tasks);
  }

  #make(handler: HandlerName, recorders: Recorders = { recordCheckArn: null, recordPoolArn: null }): PawlFunction {
    const { cluster, registries, digests, proxy, bus, deadLetters, logRetentionDays } = this.#props;
    const { group, uses }: FunctionSpec = functionSpecs[handler];
    const pollArn = functionAliasArn(this, cluster.name, "poll");
    const machineArns = {
      "workload-update": machineArn(this, cluster.name, "workload-update"),
      "node-pool-rollout": machineArn(this, cluster.name, "node-pool-rollout"),
    };
    const common = { cluster, registries, pollArn, ...recorders };
    const busName = bus.eventBusName;
    const arns = { busArn: bus.eventBusArn, deadLettersArn: deadLetters.queueArn };
    const made = new PawlFunction(this, handler, {
      cluster: cluster.name,
      handler,
      environment: environmentOf(handler, { ...common, digests, proxy, machineArns, busName }),
      certificates: uses.includes("registries") ? registries.certificateAuthority : null,
      permissions: permissionsOf(this, handler, { ...common, ...arns }),
      // What never speaks to the cluster has no business in its network.
      network: group === null ? null : this.#network,
      reservedConcurrency: reservedFor(handler, cluster),
      logRetentionDays,
    });
    Validations.of(made.role).acknowledge(...wildcardsOf(handler, { cluster, registries }));
    return made;
  }
}

/** One poll at a time, and so many writers as the API server is to bear; readers are held by the machine's waits. */
function reservedFor(handler: HandlerName, { writesAtOnce }: ClusterConfig): number | null {
  const { group }: FunctionSpec = functionSpecs[handler];
  if (writesAtOnce === null) return null;
  if (handler === "poll") return 1;
  return group === null || group === "pawl:pollers" ? null : writesAtOnce;
}
