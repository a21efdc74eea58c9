import type { DrainedPod } from "../../../functions/domain/node-pool/node/drain.ts";
import type { PoolNode } from "../../../functions/domain/node-pool/node/bootc-node.ts";
import type { NodePool } from "../../../functions/domain/node-pool/pool/node-pool.ts";
import type { PoolStepInput } from "../../../functions/contract/node-pool-rollout.ts";
import { imageB, pool as nodePool, unmanagedNode } from "../../domain/node-pool/pools.ts";
import { stepAgents } from "../../support/fakes/fake-agents.ts";
import type { AtMoment } from "../../support/fake-cluster.ts";
import type { DenialReason } from "../../support/fakes/fake-node-pools.ts";
import { type FakePorts, fakePorts } from "../../support/fake-ports.ts";

export const web: DrainedPod = {
  namespace: "shop",
  name: "web",
  uid: "web",
  controller: "ReplicaSet",
  controllerName: "web",
  isReady: true,
  isMirror: false,
  hasEmptyDir: false,
  phase: "Running",
  isBeingDeleted: false,
};

/** Returns the input of every Task of an execution for the pool `workers`. */
export function poolStepInput(execution: string): PoolStepInput {
  return {
    cluster: "local",
    pool: { name: "workers", uid: "pool-1" },
    previousExecution: "",
    adopting: false,
    execution,
  };
}

export interface PoolFixture {
  readonly ports: FakePorts;
  readonly names: readonly string[];
  /** Advances every agent by one step. */
  stepAgents(): void;
}

export interface PoolFixtureOptions {
  readonly count?: number;
  readonly pool?: NodePool;
  readonly otherPools?: readonly NodePool[];
  readonly atMoment?: AtMoment;
  readonly digest?: string | Error;
  readonly isBlocked?: (pod: DrainedPod) => boolean;
  readonly denialReason?: DenialReason;
  readonly mayDeletePods?: boolean;
  readonly etcdNodes?: readonly string[];
  /** The content of the ConfigMap with the freezes. */
  readonly freeze?: () => string | null;
  /** Why approvals prove nothing. */
  readonly approvalProblem?: () => string | null;
}

/** Creates a pool of nodes `w1`, `w2` … without BootcNodes, each with a pod and an agent. */
export function createPoolFixture({
  count = 3,
  pool = newPool(),
  otherPools = [],
  atMoment,
  digest,
  isBlocked,
  denialReason,
  mayDeletePods = true,
  etcdNodes = [],
  freeze = () => null,
  approvalProblem = () => null,
}: PoolFixtureOptions = {}): PoolFixture {
  const names = Array.from({ length: count }, (_, index) => `w${index + 1}`);
  const nodes: PoolNode[] = names.map((name) => unmanagedNode(name, { uid: `${name}-0` }));
  const pods = Object.fromEntries(names.map((name) => [name, [{ ...web, uid: `web-${name}` }]]));
  const ports = fakePorts({
    freeze,
    approvalProblem,
    nodePools: {
      pools: [pool, ...otherPools],
      nodes,
      pods,
      mayDeletePods,
      etcdNodes,
      ...(isBlocked && { isBlocked }),
      ...(denialReason && { denialReason }),
    },
    ...(atMoment === undefined ? {} : { atMoment }),
    ...(digest === undefined ? {} : { digests: () => (digest instanceof Error ? digest : [digest]) }),
  });
  return { ports, names, stepAgents: () => stepAgents(ports.nodePools, names) };
}

/** Returns a new pool, without a status. */
export function newPool(spec: Parameters<typeof nodePool>[0] = {}): NodePool {
  const status = {
    observedGeneration: 0,
    targetDigest: null,
    targetRef: null,
    deployedDigest: null,
    updateAvailable: false,
  };
  return nodePool({ imageRef: imageB, ...spec }, { hasFinalizer: false, status });
}
