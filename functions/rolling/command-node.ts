import { type AgentStep, agentStep, type Turn } from "../domain/node-pool/agent/agent-step.ts";
import { instanceOf } from "../domain/node-pool/agent/instance.ts";
import { stepAfter, stepUnsent } from "../domain/node-pool/agent/step-after.ts";
import type { CommandInFlight } from "../domain/node-pool/report.ts";
import type { Member, NodePool, PoolNode } from "../domain/node-pool/types.ts";
import type { Ports } from "../task.ts";

export type CommandPorts = Pick<Ports, "nodePools" | "commands" | "now">;

/** A node needs no more from what became of its last command to its next: what it says, and that it reboots. */
const mostReports = 3;

/**
 * Does for one node what its daemon would do: asks what became of the command in flight, writes that down, sends the next.
 * Says in a few words what was done; null where it was nothing. May throw what the ports throw, but for `Forbidden` of a
 * command: that is this node's trouble, and stands on it.
 */
export async function commandNode(ports: CommandPorts, pool: NodePool, member: Member): Promise<string | null> {
  let done: string | null = null;
  let node: PoolNode | Member = member;
  for (let reports = 0; reports < mostReports && isMember(node); reports += 1) {
    const turn: Turn = { now: ports.now(), rebootPolicy: pool.spec.rebootPolicy, images: null };
    const step = await withoutQuestion(ports, node, agentStep(node.bootcNode, turn), turn);
    if (step.kind === "none" || step.kind === "ask") return done;
    if (step.kind === "send") return sendAndReport(ports, node, step, turn);
    node = await ports.nodePools.report(node, step.report);
    done = step.report.error ?? `is ${step.report.activity ?? "Idle"}`;
  }
  return done;
}

function isMember(node: PoolNode): node is Member {
  return node.node !== null && node.bootcNode !== null;
}

async function withoutQuestion(
  { commands }: CommandPorts,
  member: Member,
  step: AgentStep,
  turn: Turn,
): Promise<AgentStep> {
  if (step.kind !== "ask") return step;
  return unlessForbidden(member, step.command, turn, async (instance) => {
    const outcome = await commands.result(instance, step.id);
    return stepAfter(member.bootcNode, step.command, outcome, turn);
  });
}

type Sending = Extract<AgentStep, { readonly kind: "send" }>;

async function sendAndReport(
  { nodePools, commands }: CommandPorts,
  member: Member,
  { command, report }: Sending,
  turn: Turn,
): Promise<string> {
  const step = await unlessForbidden(member, report.command, turn, async (instance): Promise<AgentStep> => {
    const sent = await commands.send(instance, command);
    if (sent.kind === "unreachable") return stepUnsent(member.bootcNode, report.command, sent.reason, turn);
    return { kind: "report", report: { ...report, command: { ...report.command, id: sent.id } } };
  });
  if (step.kind !== "report") return "does not answer";
  await nodePools.report(member, step.report);
  return step.report.error ?? `${command.action} sent`;
}

async function unlessForbidden(
  { node, bootcNode }: Member,
  command: CommandInFlight,
  turn: Turn,
  attempt: (instance: string) => Promise<AgentStep>,
): Promise<AgentStep> {
  const instance = instanceOf(node.providerId);
  if (instance === null) {
    const reason = `its Node is no instance of EC2 (providerID ${node.providerId ?? "missing"})`;
    return stepUnsent(bootcNode, command, reason, turn);
  }
  try {
    return await attempt(instance);
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "Forbidden") throw error;
    return stepUnsent(bootcNode, command, error.message, turn);
  }
}
