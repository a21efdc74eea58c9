import type { ClosedGate } from "../../domain/gates/closed-gate.ts";
import type { Gate, GateSubject } from "../../domain/gates/gate.ts";
import {
  candidateTarget,
  gateSubject,
  isBehind,
  isToBeStaged,
  judgedDigest,
  poolCandidate,
} from "../../domain/node-pool/pool/gates.ts";
import type { NodePool } from "../../domain/node-pool/pool/node-pool.ts";
import type { PoolState } from "../../domain/node-pool/pool/pool-state.ts";
import type { ImageTarget } from "../../domain/workload/target/target.ts";
import type { Cluster, FreezeText } from "../../ports/cluster.ts";
import type { Verifier } from "../../ports/verifier.ts";
import { approvalGates } from "../candidate-gates.ts";
import { readFreezeGates } from "../read-freezes.ts";
import type { ReadGates } from "./observe-pool.ts";
import { readSignatureGate } from "./read-signature-gate.ts";

interface GatePorts {
  readonly cluster: Pick<Cluster, "readFreeze" | "identityProblem">;
  readonly verifier: Verifier;
}

/** Creates a reader for all pools of a poll: the freezes are read once. */
export function createGateReader({ cluster, verifier }: GatePorts): ReadGates {
  let freeze: Promise<FreezeText> | null = null;
  const once = {
    readFreeze: () => (freeze ??= cluster.readFreeze()),
    identityProblem: (of: "approvals" | "requests") => cluster.identityProblem(of),
  };
  return (poolState) => readPoolGates({ cluster: once, verifier }, poolState);
}

/**
 * Returns the gates that keep the nodes of a pool from its target; none if no node needs it, or the pool goes back. Throws the errors of
 * the cluster, and none of the verifier.
 */
export async function readPoolGates(
  { cluster, verifier }: GatePorts,
  { pool, desired, failedDigest, membership, problems, now }: PoolState,
): Promise<readonly ClosedGate[]> {
  if (desired === null || failedDigest !== null || problems.length > 0 || !isBehind(membership, desired.image))
    return [];
  const { target, gates } = await readJudgingGates(cluster, pool, desired.image);
  const subject = gateSubject(pool);
  const closed = [...(await readFreezeGates(cluster)), ...gates].flatMap(({ name, evaluate }) => {
    const found = evaluate(subject, target, now);
    return found === null ? [] : [{ name, ...found }];
  });
  const signature = isToBeStaged(membership, desired.image)
    ? await readSignatureGate(verifier, pool, desired.image)
    : null;
  return signature === null ? closed : [...closed, signature];
}

interface Judging {
  readonly target: ImageTarget | null;
  readonly gates: readonly Gate<GateSubject>[];
}

/** Returns the gates that judge the digest of an image; none if the pool has none, or all of its nodes have run it. */
async function readJudgingGates(cluster: GatePorts["cluster"], pool: NodePool, image: string): Promise<Judging> {
  const digest = judgedDigest(pool, image);
  if (digest === null) return { target: null, gates: [] };
  const candidate = poolCandidate(pool, digest);
  const gates = await approvalGates(cluster, gateSubject(pool), [candidate]);
  return { target: candidateTarget(pool, candidate), gates };
}
