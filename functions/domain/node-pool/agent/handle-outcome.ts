import { secondsBetween } from "../../text/rfc3339.ts";
import type { BootcNode, CommandInFlight } from "../node/bootc-node.ts";
import type { HostImages } from "./agent-report.ts";
import { type AgentStep, planAgentStep, createReport, type CommandContext } from "./next-command.ts";
import { parseBootcStatus } from "./bootc-status.ts";
import { matchDigest, isSameNodeImage } from "./match-digest.ts";
import type { CommandOutcome } from "./outcome.ts";

/** SSM is eventually consistent: it may report a new command as unknown for this long. */
const eventualConsistencySeconds = 60;

/** The end of a command that reboots its node may never be observed. After this time the node itself is queried. */
const applyTimeoutSeconds = 90;

/**
 * How long a node may take to shut down: kubelets give pods their grace periods, and a reboot in progress cannot be
 * cancelled.
 */
const shutdownTimeoutSeconds = 600;

type OutcomeContext = Omit<CommandContext, "images">;

/** Plans the next step from the outcome of `command`, the one in flight. */
export function onOutcome(
  bootcNode: BootcNode,
  command: CommandInFlight,
  outcome: CommandOutcome,
  context: OutcomeContext,
): AgentStep {
  const ageSeconds = secondsBetween(command.at, context.now);
  if (outcome.kind === "running") {
    const isOverdue = command.kind === "apply" && ageSeconds > applyTimeoutSeconds;
    return isOverdue ? requestStatus(bootcNode, command, command.image) : { kind: "none" };
  }
  if (outcome.kind === "unknown") {
    if (ageSeconds < eventualConsistencySeconds) return { kind: "none" };
    return isGoingDown(bootcNode, command)
      ? requestStatus(bootcNode, command, command.image)
      : reportFailure(bootcNode, command, `SSM does not know its command ${command.id}`, null, context);
  }
  if (outcome.kind === "unreachable") {
    // An "apply" that never reached the node is sent again as soon as the node answers.
    return isGoingDown(bootcNode, command)
      ? requestStatus(bootcNode, command, command.kind === "apply" ? "" : command.image)
      : reportFailure(bootcNode, command, outcome.reason, null, context);
  }
  return onEnded(bootcNode, command, outcome, context);
}

/** Plans the next step after a command could not be sent. A node that reboots cannot receive one. */
export function onSendFailure(
  bootcNode: BootcNode,
  command: CommandInFlight,
  reason: string,
  context: OutcomeContext,
): AgentStep {
  return isGoingDown(bootcNode, command) ? { kind: "none" } : reportFailure(bootcNode, command, reason, null, context);
}

function isGoingDown({ idle }: BootcNode, { kind, image }: CommandInFlight): boolean {
  return kind === "apply" || (kind === "status" && (image !== "" || idle?.activity === "Rebooting"));
}

/** Queries the booted image. `applied` is the image that an "apply" has booted; "" if none. */
function requestStatus(bootcNode: BootcNode, { at, attempts }: CommandInFlight, applied: string): AgentStep {
  const next = { id: null, kind: "status", image: applied, at, attempts } as const;
  const report = createReport(bootcNode, { images: null }, "Rebooting", next);
  return { kind: "send", command: { action: "status", image: "" }, report };
}

type Ended = Extract<CommandOutcome, { readonly kind: "ended" }>;

function onEnded(
  bootcNode: BootcNode,
  command: CommandInFlight,
  { output, problem }: Ended,
  context: OutcomeContext,
): AgentStep {
  const parsed = parseBootcStatus(output);
  if (parsed.kind === "invalid") {
    if (command.kind === "apply") return requestStatus(bootcNode, command, command.image);
    return reportFailure(bootcNode, command, describeFailure(command, problem ?? parsed.reason), null, context);
  }
  const { images } = parsed;
  if (command.kind !== "stage" && command.image !== "") {
    return onReboot(bootcNode, command, images, problem, context);
  }
  if (problem !== null) return reportFailure(bootcNode, command, describeFailure(command, problem), images, context);
  const isMissing =
    command.kind === "stage" &&
    !isSameNodeImage(images.staged, command.image) &&
    !isSameNodeImage(images.booted, command.image);
  if (isMissing)
    return reportFailure(
      bootcNode,
      command,
      describeFailure(command, "bootc has staged another image"),
      images,
      context,
    );
  return planNextStep(bootcNode, command, images, context);
}

/**
 * SSM runs a command that rebooted its node once more after the reboot; it finds nothing staged and fails. The booted
 * image decides.
 */
function onReboot(
  bootcNode: BootcNode,
  command: CommandInFlight,
  images: HostImages,
  problem: string | null,
  context: OutcomeContext,
): AgentStep {
  const { image } = command;
  if (isSameNodeImage(images.booted, image)) return planNextStep(bootcNode, command, images, context);
  const isStaged = isSameNodeImage(images.staged, image);
  if (isStaged && problem === null && secondsBetween(command.at, context.now) < shutdownTimeoutSeconds) {
    return requestStatus(bootcNode, command, image);
  }
  if (image !== bootcNode.desiredImage) return planNextStep(bootcNode, command, images, context);
  const reason = isStaged
    ? (problem ?? `not down after ${shutdownTimeoutSeconds} s`)
    : `it runs ${images.booted.imageDigest}`;
  return reportFailure(bootcNode, command, describeFailure({ kind: "apply" }, reason), images, context);
}

function planNextStep(
  bootcNode: BootcNode,
  command: CommandInFlight,
  images: HostImages,
  context: OutcomeContext,
): AgentStep {
  const { desiredImage } = bootcNode;
  const reported = {
    bootedDigest: matchDigest(images.booted, desiredImage),
    stagedDigest: matchDigest(images.staged, desiredImage),
    error: null,
    command: { ...command, id: null },
  };
  return planAgentStep({ ...bootcNode, ...reported }, { ...context, images });
}

function describeFailure({ kind }: Pick<CommandInFlight, "kind">, problem: string): string {
  return `bootc ${kind} failed: ${problem}`;
}

/** Reports Idle and Degraded, as the daemon does. */
function reportFailure(
  bootcNode: BootcNode,
  { kind, attempts }: CommandInFlight,
  error: string,
  images: HostImages | null,
  { now }: OutcomeContext,
): AgentStep {
  const command = { id: null, kind, image: bootcNode.desiredImage, at: now, attempts: attempts + 1 };
  return { kind: "report", report: { ...createReport(bootcNode, { images }, null, command), error } };
}
