import { isConflict } from "../conflict.ts";
import type { NodeStep } from "../domain/node-pool/step.ts";
import { stepsOf } from "../domain/node-pool/settled.ts";
import { type Tick, tickOf } from "../domain/node-pool/tick.ts";
import type { PoolNode } from "../domain/node-pool/types.ts";
import type { NodeWrite } from "../ports/node-pools.ts";
import type { Ports } from "../task.ts";
import { forEach } from "./for-each.ts";
import type { Look, Read } from "./look.ts";
import { tellOfStep } from "./tell.ts";

/** As many as a cluster's API server bears from one function. */
const writesAtOnce = 16;

/** A node needs fewer from its first step to the next thing that it waits for. */
const mostRounds = 12;

/**
 * Does all that can be done of a pool's nodes now, but for what needs their pods: round after round, each on what the one
 * before has made, until every node waits. Returns where the pool stands then. A node that has changed since it was read is left to
 * the next tick, and so is what time does not suffice for.
 */
export async function takeSteps(ports: Ports, look: Look, read: Read, outOfTime?: AbortSignal): Promise<Tick> {
  const nodes = new Map(read.nodes.map((node) => [node.name, node]));
  const stale = new Set<string>();
  let tick = look.tick;

  async function take({ name, write }: { readonly name: string; readonly write: NodeWrite }): Promise<void> {
    const node = nodes.get(name);
    if (node === undefined || outOfTime?.aborted) return void stale.add(name);
    try {
      await tellOfStep(ports, look.pool, node, write);
      nodes.set(name, await ports.nodePools.write(look.pool, node, write));
    } catch (error) {
      if (!isConflict(error)) throw error;
      stale.add(name);
    }
  }

  for (let round = 0; round < mostRounds; round += 1) {
    const writes = stepsOf(tick).flatMap(({ name, step }) =>
      isWrite(step) && !stale.has(name) ? [{ name, write: step }] : [],
    );
    if (writes.length === 0) break;
    await forEach(writes, writesAtOnce, take);
    tick = again(tick, read, nodes, ports.now());
  }
  return tick;
}

function again({ pool, asks }: Tick, { pools }: Read, nodes: ReadonlyMap<string, PoolNode>, now: Date): Tick {
  return tickOf({ pool, pools, nodes: [...nodes.values()], pullSecretHash: asks?.pullSecretHash ?? null, now });
}

function isWrite(step: NodeStep): step is NodeWrite {
  return step.kind !== "wait" && step.kind !== "none" && step.kind !== "evict";
}
