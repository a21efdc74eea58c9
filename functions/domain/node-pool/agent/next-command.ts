import { parseDigest } from "../node/node-state.ts";
import type { Activity, BootcNode, CommandInFlight } from "../node/bootc-node.ts";
import type { AgentReport, HostImages } from "./agent-report.ts";
import type { RebootPolicy } from "../pool/node-pool.ts";
import { formatCommand } from "./command-annotation.ts";
import type { CommandAction, NodeCommand } from "./outcome.ts";
import { commandAttempts, isCommandBackingOff } from "./retry.ts";

/** The next step for a node without a daemon. */
export type AgentStep =
  | { readonly kind: "none" }
  /** Fetch the result of the command in flight. */
  | { readonly kind: "check-result"; readonly id: string; readonly command: CommandInFlight }
  /** Send the command, then report it with its id. A crash in between sends it again, which does no harm. */
  | { readonly kind: "send"; readonly command: NodeCommand; readonly report: SentCommandReport }
  | { readonly kind: "report"; readonly report: AgentReport };

/** The report of a command that is sent. */
export type SentCommandReport = AgentReport & { readonly command: CommandInFlight };

export interface CommandContext {
  readonly now: Date;
  readonly rebootPolicy: RebootPolicy;
  /** What the node has just reported; null if it reported nothing. */
  readonly images: HostImages | null;
}

/** Plans what the daemon of bootc-operator would do next. A node that runs its desired image needs no command. */
export function planAgentStep(bootcNode: BootcNode, context: CommandContext): AgentStep {
  const { command, bootedDigest, desiredImage } = bootcNode;
  if (command !== null && command.id !== null && !isOutdated(command, desiredImage)) {
    return { kind: "check-result", id: command.id, command };
  }
  const desired = parseDigest(desiredImage);
  if (desired === null || isCommandBackingOff(bootcNode, context.now)) return { kind: "none" };
  if (bootedDigest === null) return planSend(bootcNode, context, "status", bootcNode.idle?.activity ?? null);
  return planStepForImage(desired, bootcNode, context);
}

/** Staging a new image cancels that of the previous one on the node, so its result does not matter. */
function isOutdated({ kind, image }: CommandInFlight, desiredImage: string): boolean {
  return kind === "stage" && image !== desiredImage;
}

function planStepForImage(desired: string, bootcNode: BootcNode, context: CommandContext): AgentStep {
  const { bootedDigest, stagedDigest, desiredImage, desiredImageState } = bootcNode;
  if (bootedDigest === desired) return reportUnlessKnown(bootcNode, context, null, null);
  if (stagedDigest !== desired) return planSend(bootcNode, context, "stage", "Staging");
  // Without its failures: those that are counted after the approval are of the reboot.
  if (desiredImageState === "Staged") return reportUnlessKnown(bootcNode, context, "Staged", null);
  if (isRebootReported(bootcNode)) {
    return planSend(
      bootcNode,
      context,
      context.rebootPolicy === "AllowSoftReboot" ? "apply-soft" : "apply",
      "Rebooting",
    );
  }
  const attempts = commandAttempts(bootcNode);
  return reportUnlessKnown(bootcNode, context, "Rebooting", {
    id: null,
    kind: "apply",
    image: desiredImage,
    at: context.now,
    attempts,
  });
}

/** Reports whether the status already says that the node reboots, which must be written before the reboot. */
function isRebootReported({ idle, command, desiredImage, error }: BootcNode): boolean {
  return (
    idle?.activity === "Rebooting" && error === null && command?.kind === "apply" && command.image === desiredImage
  );
}

function reportUnlessKnown(
  b: BootcNode,
  context: CommandContext,
  activity: Activity | null,
  command: CommandInFlight | null,
): AgentStep {
  const isReported = b.error === null && b.isObserved && b.idle !== null && b.idle.activity === activity;
  if (isReported && context.images === null && isSameCommand(b.command, command)) return { kind: "none" };
  return { kind: "report", report: createReport(b, context, activity, command) };
}

function isSameCommand(one: CommandInFlight | null, other: CommandInFlight | null): boolean {
  if (one === null || other === null) return one === other;
  return formatCommand(one) === formatCommand(other);
}

function planSend(b: BootcNode, context: CommandContext, action: CommandAction, activity: Activity | null): AgentStep {
  const image = action === "status" ? "" : b.desiredImage;
  const kind = action === "apply-soft" ? "apply" : action;
  const command = { id: null, kind, image, at: context.now, attempts: commandAttempts(b) } as const;
  return { kind: "send", command: { action, image }, report: createReport(b, context, activity, command) };
}

/** Creates a report without an error: whatever failed before is retried. */
export function createReport<const Command extends CommandInFlight | null>(
  { generation }: BootcNode,
  { images }: Pick<CommandContext, "images">,
  activity: Activity | null,
  command: Command,
): AgentReport & { readonly command: Command } {
  return { images, activity, error: null, observedGeneration: generation, command };
}
