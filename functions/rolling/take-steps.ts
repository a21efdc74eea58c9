import { isConflict } from "../conflict.ts";
import { inWords } from "../domain/node-pool/in-words.ts";
import type { NodeStep } from "../domain/node-pool/step.ts";
import { stepsOf } from "../domain/node-pool/settled.ts";
import { type Seen, type Tick, tickOf } from "../domain/node-pool/tick.ts";
import type { NodeWrite } from "../ports/node-pools.ts";
import type { Ports } from "../task.ts";
import { isRefused } from "./changed.ts";
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
 * the next tick, and so is what time does not suffice for, and one of which the cluster refuses a write: the tick says why.
 */
export async function takeSteps(ports: Ports, look: Look, read: Read, outOfTime?: AbortSignal): Promise<Tick> {
  const nodes = new Map(read.nodes.map((node) => [node.name, node]));
  const stale = new Set<string>();
  const refused = new Map<string, string>();
  let tick = look.tick;

  async function take({ name, write }: { readonly name: string; readonly write: NodeWrite }): Promise<void> {
    const node = nodes.get(name);
    if (node === undefined || outOfTime?.aborted) return void stale.add(name);
    try {
      await tellOfStep(ports, look.pool, node, write);
      nodes.set(name, await ports.nodePools.write(look.pool, node, write));
    } catch (error) {
      if (isRefused(error)) refused.set(name, `${inWords(write)}, which the cluster refuses: ${error.message}`);
      else if (isConflict(error)) stale.add(name);
      else throw error;
    }
  }

  for (let round = 0; round < mostRounds; round += 1) {
    const writes = stepsOf(tick).flatMap(({ name, step }) =>
      isWrite(step) && !stale.has(name) ? [{ name, write: step }] : [],
    );
    if (writes.length === 0) break;
    await forEach(writes, writesAtOnce, take);
    tick = again(tick, { pools: read.pools, nodes: [...nodes.values()], now: ports.now(), refused: new Map(refused) });
  }
  return tick;
}

function again({ pool, asks }: Tick, seen: Pick<Seen, "pools" | "nodes" | "now" | "refused">): Tick {
  return tickOf({ ...seen, pool, pullSecretHash: asks?.pullSecretHash ?? null });
}

function isWrite(step: NodeStep): step is NodeWrite {
  return step.kind !== "wait" && step.kind !== "none" && step.kind !== "evict";
}
