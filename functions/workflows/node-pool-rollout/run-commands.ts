import type { CommandInFlight, Member, PoolNode } from "../../domain/node-pool/node/bootc-node.ts";
import { onOutcome, onSendFailure } from "../../domain/node-pool/agent/handle-outcome.ts";
import { type AgentStep, planAgentStep, type CommandContext } from "../../domain/node-pool/agent/next-command.ts";
import type { NodePool } from "../../domain/node-pool/pool/node-pool.ts";
import type { PoolState } from "../../domain/node-pool/pool/pool-state.ts";
import type { Ports } from "../../contract/ports.ts";
import { mapConcurrent } from "../map-concurrent.ts";
import { skipReason } from "./skip-reason.ts";

export type CommandPorts = Pick<Ports, "nodePools" | "commands" | "now">;

/** A node needs no more reports between two commands: the result, and that it reboots. */
const maxReports = 3;

/**
 * Acts as the daemon of one node: fetches the result of the command in flight, reports it, and sends the next command.
 * Describes what was done; null if nothing was. Throws the errors of the ports, except `Forbidden` of a command, which
 * is reported on the node.
 */
export async function runNodeCommands(ports: CommandPorts, pool: NodePool, member: Member): Promise<string | null> {
  let done: string | null = null;
  let node: PoolNode | Member = member;
  for (let reports = 0; reports < maxReports && isMember(node); reports += 1) {
    const context: CommandContext = { now: ports.now(), rebootPolicy: pool.spec.rebootPolicy, images: null };
    const step = await checkPendingCommand(ports, node, planAgentStep(node.bootcNode, context), context);
    if (step.kind === "none" || step.kind === "check-result") return done;
    if (step.kind === "send") return sendAndReport(ports, node, step, context);
    node = await ports.nodePools.writeAgentReport(node, step.report);
    done = step.report.error ?? `is ${step.report.activity ?? "Idle"}`;
  }
  return done;
}

function isMember(node: PoolNode): node is Member {
  return node.node !== null && node.bootcNode !== null;
}

async function checkPendingCommand(
  { commands }: CommandPorts,
  member: Member,
  step: AgentStep,
  context: CommandContext,
): Promise<AgentStep> {
  if (step.kind !== "check-result") return step;
  return withInstance(member, step.command, context, async (instance) => {
    const outcome = await commands.result(instance, step.id);
    return onOutcome(member.bootcNode, step.command, outcome, context);
  });
}

type SendStep = Extract<AgentStep, { readonly kind: "send" }>;

async function sendAndReport(
  { nodePools, commands }: CommandPorts,
  member: Member,
  { command, report }: SendStep,
  context: CommandContext,
): Promise<string> {
  const step = await withInstance(member, report.command, context, async (instance): Promise<AgentStep> => {
    const result = await commands.send(instance, command);
    if (result.kind === "unreachable") return onSendFailure(member.bootcNode, report.command, result.reason, context);
    return { kind: "report", report: { ...report, command: { ...report.command, id: result.id } } };
  });
  if (step.kind !== "report") return "does not answer";
  await nodePools.writeAgentReport(member, step.report);
  return step.report.error ?? `${command.action} sent`;
}

async function withInstance(
  { node, bootcNode }: Member,
  command: CommandInFlight,
  context: CommandContext,
  attempt: (instance: string) => Promise<AgentStep>,
): Promise<AgentStep> {
  const instance = parseInstanceId(node.providerId);
  if (instance === null) {
    const reason = `its Node is not an EC2 instance (providerID ${node.providerId ?? "missing"})`;
    return onSendFailure(bootcNode, command, reason, context);
  }
  try {
    return await attempt(instance);
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "Forbidden") throw error;
    return onSendFailure(bootcNode, command, error.message, context);
  }
}

/** Returns the EC2 instance id in a providerID (`aws:///eu-west-1a/i-0123456789abcdef0`); null if it is none. */
export function parseInstanceId(providerId: string | null): string | null {
  return /^aws:\/\/\/[^/]+\/(?<instance>i-[0-9a-f]{8,17})$/.exec(providerId ?? "")?.groups?.["instance"] ?? null;
}

/** SSM throttles an account that sends too many requests. */
const maxConcurrentRequests = 8;

/** Nodes per step: a larger pool stages in batches, which also spares the registry. */
const maxNodes = 100;

/** Runs the commands of every node that has one in flight or needs one. Describes what was done, by node. */
export async function runPoolCommands(
  ports: CommandPorts,
  poolState: PoolState,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  async function runCommands(member: Member): Promise<readonly string[]> {
    if (signal?.aborted) return [];
    const done = await runNodeCommands(ports, poolState.pool, member).catch(skipReason);
    return done === null ? [] : [`${member.name}: ${done}`];
  }

  return (await mapConcurrent(selectNodes(poolState), maxConcurrentRequests, runCommands)).flat();
}

/** Slot holders first, then commands in flight: staging must not delay a reboot. */
function selectNodes({ pool, membership, now }: PoolState): readonly Member[] {
  const context = { now, rebootPolicy: pool.spec.rebootPolicy, images: null };
  const ranked = membership.members.flatMap((member) => {
    const { kind } = planAgentStep(member.bootcNode, context);
    const rank = member.bootcNode.slot !== null ? 0 : kind === "check-result" ? 1 : 2;
    return kind === "none" ? [] : [{ member, rank }];
  });
  return ranked
    .sort((one, other) => one.rank - other.rank)
    .slice(0, maxNodes)
    .map(({ member }) => member);
}
