import type { DrainedPod } from "../../functions/domain/node-pool/drain.ts";
import type { NodePool, PoolNode } from "../../functions/domain/node-pool/types.ts";
import type { PoolStepInput } from "../../functions/pool-contract.ts";
import { fresh, imageB, pool } from "../domain/node-pool/pools.ts";
import { turnAgents } from "../support/fake-agents.ts";
import type { AtMoment } from "../support/fake-cluster.ts";
import type { Refuses } from "../support/fake-node-pools.ts";
import { type FakePorts, fakePorts } from "../support/fake-ports.ts";

export const web: DrainedPod = {
  namespace: "shop",
  name: "web",
  uid: "web",
  controller: "ReplicaSet",
  isMirror: false,
  phase: "Running",
  isBeingDeleted: false,
};

/** What every Task is given by an execution that rolls out `workers`. */
export function poolStep(execution: string): PoolStepInput {
  return { cluster: "local", pool: { name: "workers", uid: "pool-1" }, after: "", recovering: false, execution };
}

export interface PoolWorld {
  readonly ports: FakePorts;
  readonly names: readonly string[];
  /** Lets every agent take its next step. */
  turn(): void;
}

export interface PoolWorldOptions {
  readonly count?: number;
  readonly of?: NodePool;
  readonly others?: readonly NodePool[];
  readonly atMoment?: AtMoment;
  readonly digest?: string | Error;
  readonly isKept?: (pod: DrainedPod) => boolean;
  readonly refuses?: Refuses;
}

/** A pool of nodes `w1`, `w2` … that nobody manages yet, each with a pod, and an agent that does what it is asked. */
export function poolWorld({
  count = 3,
  of = newPool(),
  others = [],
  atMoment,
  digest,
  isKept,
  refuses,
}: PoolWorldOptions = {}): PoolWorld {
  const names = Array.from({ length: count }, (_, index) => `w${index + 1}`);
  const nodes: PoolNode[] = names.map((name) => fresh(name, { uid: `${name}-0` }));
  const pods = Object.fromEntries(names.map((name) => [name, [{ ...web, uid: `web-${name}` }]]));
  const ports = fakePorts({
    nodePools: { pools: [of, ...others], nodes, pods, ...(isKept && { isKept }), ...(refuses && { refuses }) },
    ...(atMoment === undefined ? {} : { atMoment }),
    ...(digest === undefined ? {} : { digests: () => (digest instanceof Error ? digest : [digest]) }),
  });
  return { ports, names, turn: () => turnAgents(ports.nodePools, names) };
}

/** As somebody has just made it: nothing is known of it yet. */
export function newPool(spec: Parameters<typeof pool>[0] = {}): NodePool {
  const nothing = {
    observedGeneration: 0,
    targetDigest: null,
    targetRef: null,
    deployedDigest: null,
    updateAvailable: false,
  };
  return pool({ imageRef: imageB, ...spec }, { hasFinalizer: false, status: nothing });
}
