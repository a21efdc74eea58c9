import { agentStep } from "../domain/node-pool/agent/agent-step.ts";
import type { Tick } from "../domain/node-pool/tick.ts";
import type { Member } from "../domain/node-pool/types.ts";
import { whyLeft } from "./changed.ts";
import { commandNode, type CommandPorts } from "./command-node.ts";
import { forEach } from "./for-each.ts";

/** SSM throttles an account that sends faster than it answers. */
const requestsAtOnce = 8;

/** So many nodes are seen to in one step: a larger pool stages in parts, as registries like it too. */
const mostNodes = 100;

/** Sees to every node that has a command in flight or needs one. Says what was done, by node. */
export async function commandNodes(
  ports: CommandPorts,
  tick: Tick,
  outOfTime?: AbortSignal,
): Promise<readonly string[]> {
  async function see(member: Member): Promise<readonly string[]> {
    if (outOfTime?.aborted) return [];
    const done = await commandNode(ports, tick.pool, member).catch(whyLeft);
    return done === null ? [] : [`${member.name}: ${done}`];
  }

  return (await forEach(whoNeedsOne(tick), requestsAtOnce, see)).flat();
}

/** Holders of slots first, then what is in flight: whoever waits to stage is not to hold up a reboot. */
function whoNeedsOne({ pool, membership, now }: Tick): readonly Member[] {
  const turn = { now, rebootPolicy: pool.spec.rebootPolicy, images: null };
  const ranked = membership.members.flatMap((member) => {
    const { kind } = agentStep(member.bootcNode, turn);
    const rank = member.bootcNode.slot !== null ? 0 : kind === "ask" ? 1 : 2;
    return kind === "none" ? [] : [{ member, rank }];
  });
  return ranked
    .sort((one, other) => one.rank - other.rank)
    .slice(0, mostNodes)
    .map(({ member }) => member);
}
