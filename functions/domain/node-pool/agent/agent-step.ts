import { digestOf } from "../classify.ts";
import type { AgentReport, CommandInFlight, HostImages } from "../report.ts";
import type { Activity, BootcNode, RebootPolicy } from "../types.ts";
import { formatCommand } from "./command-record.ts";
import type { Action, NodeCommand } from "./outcome.ts";
import { attemptsOf, isResting } from "./retry.ts";

/** The next thing that is done for a node without a daemon. */
export type AgentStep =
  | { readonly kind: "none" }
  /** What became of the command in flight is to be found out. */
  | { readonly kind: "ask"; readonly id: string; readonly command: CommandInFlight }
  /** Sent first and reported then, with the id that it got: a crash in between sends it once more, which does no harm. */
  | { readonly kind: "send"; readonly command: NodeCommand; readonly report: ReportOfSent }
  | { readonly kind: "report"; readonly report: AgentReport };

/** Its command is the one that is sent. */
export type ReportOfSent = AgentReport & { readonly command: CommandInFlight };

export interface Turn {
  readonly now: Date;
  readonly rebootPolicy: RebootPolicy;
  /** What the node has just said of itself and is to be reported; null where it said nothing. */
  readonly images: HostImages | null;
}

/** What bootc-operator's daemon would do next, told by what it would see. A settled node needs no command. */
export function agentStep(bootcNode: BootcNode, turn: Turn): AgentStep {
  const { command, bootedDigest, desiredImage } = bootcNode;
  if (command !== null && command.id !== null && !isOutdated(command, desiredImage)) {
    return { kind: "ask", id: command.id, command };
  }
  const desired = digestOf(desiredImage);
  if (desired === null || isResting(bootcNode, turn.now)) return { kind: "none" };
  if (bootedDigest === null) return send(bootcNode, turn, "status", bootcNode.idle?.activity ?? null);
  return stepTowards(desired, bootcNode, turn);
}

/** The new image's staging ends that of the one before on the node itself: nobody has to wait for it. */
function isOutdated({ kind, image }: CommandInFlight, desiredImage: string): boolean {
  return kind === "stage" && image !== desiredImage;
}

function stepTowards(desired: string, bootcNode: BootcNode, turn: Turn): AgentStep {
  const { bootedDigest, stagedDigest, desiredImage, desiredImageState } = bootcNode;
  if (bootedDigest === desired) return settle(bootcNode, turn, null, null);
  if (stagedDigest !== desired) return send(bootcNode, turn, "stage", "Staging");
  if (desiredImageState === "Staged") return settle(bootcNode, turn, "Staged", failuresOf(bootcNode));
  if (isToldToReboot(bootcNode)) {
    return send(bootcNode, turn, turn.rebootPolicy === "AllowSoftReboot" ? "apply-soft" : "apply", "Rebooting");
  }
  const attempts = attemptsOf(bootcNode);
  return settle(bootcNode, turn, "Rebooting", { id: null, kind: "apply", image: desiredImage, at: turn.now, attempts });
}

/** Whether it was written down that the node reboots, which has to be before it does. */
function isToldToReboot({ idle, command, desiredImage, error }: BootcNode): boolean {
  return (
    idle?.activity === "Rebooting" && error === null && command?.kind === "apply" && command.image === desiredImage
  );
}

/** A node that fails on every boot is tried more and more rarely, though each time it stages well. */
function failuresOf(bootcNode: BootcNode): CommandInFlight | null {
  const { command } = bootcNode;
  return command === null || attemptsOf(bootcNode) === 0 ? null : { ...command, id: null, kind: "stage" };
}

function settle(b: BootcNode, turn: Turn, activity: Activity | null, command: CommandInFlight | null): AgentStep {
  const says = b.error === null && b.isObserved && b.idle !== null && b.idle.activity === activity;
  if (says && turn.images === null && isSame(b.command, command)) return { kind: "none" };
  return { kind: "report", report: reportOf(b, turn, activity, command) };
}

function isSame(one: CommandInFlight | null, other: CommandInFlight | null): boolean {
  if (one === null || other === null) return one === other;
  return formatCommand(one) === formatCommand(other);
}

function send(b: BootcNode, turn: Turn, action: Action, activity: Activity | null): AgentStep {
  const image = action === "status" ? "" : b.desiredImage;
  const kind = action === "apply-soft" ? "apply" : action;
  const command = { id: null, kind, image, at: turn.now, attempts: attemptsOf(b) } as const;
  return { kind: "send", command: { action, image }, report: reportOf(b, turn, activity, command) };
}

/** What goes on as it should: whatever was wrong is tried again. */
export function reportOf<const Command extends CommandInFlight | null>(
  { generation }: BootcNode,
  { images }: Pick<Turn, "images">,
  activity: Activity | null,
  command: Command,
): AgentReport & { readonly command: Command } {
  return { images, activity, error: null, observedGeneration: generation, command };
}
