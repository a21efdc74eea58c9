import { expect } from "vitest";
import type { AgentStep } from "../../../../functions/domain/node-pool/agent/next-command.ts";
import type { CommandOutcome } from "../../../../functions/domain/node-pool/agent/outcome.ts";
import { onOutcome } from "../../../../functions/domain/node-pool/agent/handle-outcome.ts";
import type { BootcNode, CommandInFlight } from "../../../../functions/domain/node-pool/node/bootc-node.ts";
import { after, noon } from "../../../support/workloads.ts";
import { desiringB, command } from "./hosts.ts";

export interface Case {
  readonly when: string;
  readonly bootcNode?: Partial<BootcNode>;
  readonly command?: Partial<CommandInFlight>;
  readonly outcome: CommandOutcome;
  readonly seconds?: number;
  readonly expected: object;
}

export const ended = (output: string, problem: string | null = null): CommandOutcome => ({
  kind: "ended",
  output,
  problem,
});
export const unreachable: CommandOutcome = { kind: "unreachable", reason: "SSM cannot reach i-1" };
export const noStep = { kind: "none" };
export const report = (fields: object) => ({ kind: "report", report: expect.objectContaining(fields) });
export const reportsActivity = (activity: string | null, fields: object = {}) =>
  report({ activity, error: null, ...fields });
export const reportsError = (error: string, fields: object = {}) =>
  report({ activity: null, images: null, error: expect.stringContaining(error), ...fields });
export const queriesStatus = (image: string, fields: object = {}) => ({
  kind: "send",
  command: { action: "status", image: "" },
  report: expect.objectContaining({ activity: "Rebooting", error: null, images: null, ...fields }),
});
export const statusCommand = (image: string) => ({
  command: { id: null, kind: "status", image, at: noon, attempts: 0 },
});

/** Returns the step that follows an outcome `seconds` after the command was sent. */
export function nextStep({
  bootcNode,
  command: own,
  outcome,
  seconds = 15,
}: Omit<Case, "when" | "expected">): AgentStep {
  const context = { now: after(seconds / 60), rebootPolicy: "RebootOnly" } as const;
  return onOutcome(desiringB(bootcNode), command(own), outcome, context);
}
