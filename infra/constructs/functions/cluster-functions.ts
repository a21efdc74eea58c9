import { readFileSync } from "node:fs";
import { Validations } from "aws-cdk-lib";
import type { LogGroup } from "aws-cdk-lib/aws-logs";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { RegistriesConfig } from "../../config/schema.ts";
import type { Grantee } from "../access/cluster-access.ts";
import { capabilitiesOf, groupsOf, handlersFor } from "./function-specs.ts";
import { buildEnvironment, type EnvironmentContext } from "./environment.ts";
import type { FunctionSpec, Feature } from "./function-spec.ts";
import { functionSpecs, type HandlerName } from "./function-specs.ts";
import type { LogSettings } from "./log-group.ts";
import { reservedConcurrencyFor } from "./reserved-concurrency.ts";
import { compileRules } from "../../config/compile-verify.ts";
import { busArn, certificatesFile, machineArn, verifyFile } from "../resource-names.ts";
import { importNetwork, type FunctionNetwork } from "../access/network.ts";
import { HandlerFunction } from "./handler-function.ts";
import { createPermissions, acknowledgedWildcards } from "../permissions/function-permissions.ts";

type Recorders = Pick<EnvironmentContext, "recordCheckArn" | "recordPoolArn" | "verifyArn">;

export interface ClusterFunctionsProps extends Omit<EnvironmentContext, keyof Recorders | "machineArns" | "busName"> {
  readonly deadLetters: IQueue;
  /** Of pushes to ECR. */
  readonly pushes: IQueue;
  readonly logs: LogSettings;
  readonly codeSigningConfigArn: string | null;
}

/** The functions of one cluster, as `functionSpecs` defines them. */
export class ClusterFunctions extends Construct {
  readonly poll: HandlerFunction;
  readonly pollBatch: HandlerFunction;
  /** The functions with access to the cluster, with their Kubernetes groups. */
  readonly grantees: readonly Grantee[];
  /** The functions that read workloads of the peers. */
  readonly peerGrantees: readonly Grantee[];

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
    const verifyImage = cluster.verify.length === 0 ? null : this.#createFunction("verify-image");
    const recorders = {
      recordCheckArn: recordCheck.alias.functionArn,
      recordPoolArn: recordPool?.alias.functionArn ?? null,
      verifyArn: verifyImage?.alias.functionArn ?? null,
    };
    this.poll = this.#createFunction("poll", recorders);
    this.pollBatch = this.#createFunction("poll-batch", recorders);
    const existing = new Map<HandlerName, HandlerFunction | null>([
      ["record-check", recordCheck],
      ["record-pool", recordPool],
      ["verify-image", verifyImage],
      ["poll", this.poll],
      ["poll-batch", this.pollBatch],
    ]);
    this.#functions = new Map(
      handlersFor(cluster).map((name) => [name, existing.get(name) ?? this.#createFunction(name, recorders)]),
    );
    this.grantees = [...this.#functions].flatMap(([handler, { role }]) => {
      const groups = groupsOf(handler, cluster);
      return groups.length === 0 ? [] : [{ handler, role, groups }];
    });
    this.peerGrantees = [...this.#functions].flatMap(([handler, { role }]) =>
      capabilitiesOf(handler, cluster).includes("peers") ? [{ handler, role, groups: ["pawl:peers"] as const }] : [],
    );
  }

  /** Returns the function that each Task of a feature's machine invokes, by state name. */
  tasksOf(feature: Feature): Readonly<Record<string, HandlerFunction>> {
    const tasks = [...this.#functions].flatMap(([handler, created]) => {
      const { state, feature: ownFeature }: FunctionSpec = functionSpecs[handler];
      return state === null || ownFeature !== feature ? [] : [[state, created] as const];
    });
    return Object.fromEntries(tasks);
  }

  get logGroups(): readonly LogGroup[] {
    return [...this.#functions.values()].map(({ logGroup }) => logGroup);
  }

  #createFunction(
    handler: HandlerName,
    recorders: Recorders = { recordCheckArn: null, recordPoolArn: null, verifyArn: null },
  ): HandlerFunction {
    const { cluster, registries, digests, notifications, proxy, workBucket, logs, codeSigningConfigArn } = this.#props;
    const { deadLetters, pushes } = this.#props;
    const { group, capabilities }: FunctionSpec = functionSpecs[handler];
    const machineArns = {
      "workload-update": machineArn(this, cluster, "workload-update"),
      "node-pool-rollout": machineArn(this, cluster, "node-pool-rollout"),
      "poll-fanout": machineArn(this, cluster, "poll-fanout"),
    };
    const { namespaceMetrics, limits, gates } = this.#props;
    const common = { cluster, registries, workBucket, gates, ...recorders };
    const busName = cluster.prefix;
    const settings = { ...common, digests, notifications, proxy, namespaceMetrics, limits, machineArns, busName };
    const created = new HandlerFunction(this, handler, {
      cluster,
      handler,
      environment: buildEnvironment(handler, settings),
      files: {
        ...(capabilities.includes("registries") ? certificateFiles(registries) : {}),
        ...(capabilities.includes("verify-rules")
          ? { [verifyFile]: JSON.stringify(compileRules(cluster.verify)) }
          : {}),
      },
      permissions: createPermissions(this, handler, {
        ...common,
        busArn: busArn(this, cluster.prefix),
        deadLetters,
        pushes,
      }),
      // A function without access to the cluster does not need its network, unless a registry is there.
      network: group === null && !capabilities.includes("registries") ? null : this.#network,
      size: { poll: cluster.poll, "poll-batch": cluster.pollBatch }[handler as string],
      reservedConcurrency: reservedConcurrencyFor(handler, cluster),
      logs,
      codeSigningConfigArn,
    });
    Validations.of(created.role).acknowledge(...acknowledgedWildcards(this, handler, common));
    return created;
  }
}

function certificateFiles({ certificateAuthority }: RegistriesConfig): Readonly<Record<string, string>> {
  return certificateAuthority === null ? {} : { [certificatesFile]: readFileSync(certificateAuthority, "utf8") };
}
