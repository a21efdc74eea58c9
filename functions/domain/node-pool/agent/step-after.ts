import { secondsBetween } from "../../time.ts";
import type { CommandInFlight, HostImages } from "../report.ts";
import type { BootcNode } from "../types.ts";
import { type AgentStep, agentStep, reportOf, type Turn } from "./agent-step.ts";
import { parseBootcStatus } from "./bootc-status.ts";
import { digestTowards, isImage } from "./digest-towards.ts";
import type { Outcome } from "./outcome.ts";

/** SSM may need so long to know of a command that it has taken. */
const settlingSeconds = 60;

/** A command that reboots its node may never be seen to end: after this long the node itself is asked what it runs. */
const applyingSeconds = 90;

/** How long a node may take to go down: kubelets give pods their time, and a reboot that is under way cannot be called off. */
const goingDownSeconds = 600;

type Now = Omit<Turn, "images">;

/** What follows from what became of `command`, the one in flight. */
export function stepAfter(bootcNode: BootcNode, command: CommandInFlight, outcome: Outcome, turn: Now): AgentStep {
  const ageSeconds = secondsBetween(command.at, turn.now);
  if (outcome.kind === "running") {
    const isOverdue = command.kind === "apply" && ageSeconds > applyingSeconds;
    return isOverdue ? askWhatRuns(bootcNode, command, command.image) : { kind: "none" };
  }
  if (outcome.kind === "unknown") {
    if (ageSeconds < settlingSeconds) return { kind: "none" };
    return isGoingDown(bootcNode, command)
      ? askWhatRuns(bootcNode, command, command.image)
      : fail(bootcNode, command, `nothing is known of its command ${command.id}`, null, turn);
  }
  if (outcome.kind === "unreachable") {
    // A reboot that its node was never told of is told once more, as soon as that node answers.
    return isGoingDown(bootcNode, command)
      ? askWhatRuns(bootcNode, command, command.kind === "apply" ? "" : command.image)
      : fail(bootcNode, command, outcome.reason, null, turn);
  }
  return afterEnd(bootcNode, command, outcome, turn);
}

/** What follows where a command could not be sent. A node that reboots is not there to receive one. */
export function stepUnsent(bootcNode: BootcNode, command: CommandInFlight, reason: string, turn: Now): AgentStep {
  return isGoingDown(bootcNode, command) ? { kind: "none" } : fail(bootcNode, command, reason, null, turn);
}

function isGoingDown({ idle }: BootcNode, { kind, image }: CommandInFlight): boolean {
  return kind === "apply" || (kind === "status" && (image !== "" || idle?.activity === "Rebooting"));
}

/** `applied` is the image that the node was told to boot; "" where it was told none. */
function askWhatRuns(bootcNode: BootcNode, { at, attempts }: CommandInFlight, applied: string): AgentStep {
  const next = { id: null, kind: "status", image: applied, at, attempts } as const;
  const report = reportOf(bootcNode, { images: null }, "Rebooting", next);
  return { kind: "send", command: { action: "status", image: "" }, report };
}

type Ended = Extract<Outcome, { readonly kind: "ended" }>;

function afterEnd(bootcNode: BootcNode, command: CommandInFlight, { output, problem }: Ended, turn: Now): AgentStep {
  const said = parseBootcStatus(output);
  if (said.kind === "invalid") {
    if (command.kind === "apply") return askWhatRuns(bootcNode, command, command.image);
    return fail(bootcNode, command, failed(command, problem ?? said.reason), null, turn);
  }
  const { images } = said;
  if (command.kind !== "stage" && command.image !== "") {
    return afterReboot(bootcNode, command, images, problem, turn);
  }
  if (problem !== null) return fail(bootcNode, command, failed(command, problem), images, turn);
  const missing =
    command.kind === "stage" && !isImage(images.staged, command.image) && !isImage(images.booted, command.image);
  if (missing) return fail(bootcNode, command, failed(command, "bootc has staged another image"), images, turn);
  return goOn(bootcNode, command, images, turn);
}

/** A command that rebooted its node is run once more after it, finds nothing staged, and fails: what the node runs has the say. */
function afterReboot(
  bootcNode: BootcNode,
  command: CommandInFlight,
  images: HostImages,
  problem: string | null,
  turn: Now,
): AgentStep {
  const { image } = command;
  if (isImage(images.booted, image)) return goOn(bootcNode, command, images, turn);
  const isStaged = isImage(images.staged, image);
  if (isStaged && problem === null && secondsBetween(command.at, turn.now) < goingDownSeconds) {
    return askWhatRuns(bootcNode, command, image);
  }
  if (image !== bootcNode.desiredImage) return goOn(bootcNode, command, images, turn);
  const why = isStaged ? (problem ?? `not down after ${goingDownSeconds} s`) : `it runs ${images.booted.imageDigest}`;
  return fail(bootcNode, command, failed({ kind: "apply" }, why), images, turn);
}

function goOn(bootcNode: BootcNode, command: CommandInFlight, images: HostImages, turn: Now): AgentStep {
  const { desiredImage } = bootcNode;
  const seen = {
    bootedDigest: digestTowards(images.booted, desiredImage),
    stagedDigest: digestTowards(images.staged, desiredImage),
    error: null,
    command: { ...command, id: null },
  };
  return agentStep({ ...bootcNode, ...seen }, { ...turn, images });
}

function failed({ kind }: Pick<CommandInFlight, "kind">, problem: string): string {
  return `bootc ${kind} failed: ${problem}`;
}

/** Idle and Degraded, as the daemon says it. */
function fail(
  bootcNode: BootcNode,
  { kind, attempts }: CommandInFlight,
  error: string,
  images: HostImages | null,
  { now }: Now,
): AgentStep {
  const command = { id: null, kind, image: bootcNode.desiredImage, at: now, attempts: attempts + 1 };
  return { kind: "report", report: { ...reportOf(bootcNode, { images }, null, command), error } };
}
