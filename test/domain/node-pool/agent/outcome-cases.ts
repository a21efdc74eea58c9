import { expect } from "vitest";
import type { AgentStep } from "../../../../functions/domain/node-pool/agent/agent-step.ts";
import type { Outcome } from "../../../../functions/domain/node-pool/agent/outcome.ts";
import { stepAfter } from "../../../../functions/domain/node-pool/agent/step-after.ts";
import type { CommandInFlight } from "../../../../functions/domain/node-pool/report.ts";
import type { BootcNode } from "../../../../functions/domain/node-pool/types.ts";
import { after, noon } from "../../../support/workloads.ts";
import { asked, command } from "./hosts.ts";

export interface Case {
  readonly when: string;
  readonly of?: Partial<BootcNode>;
  readonly command?: Partial<CommandInFlight>;
  readonly outcome: Outcome;
  readonly seconds?: number;
  readonly step: object;
}

export const ended = (output: string, problem: string | null = null): Outcome => ({ kind: "ended", output, problem });
export const unreachable: Outcome = { kind: "unreachable", reason: "SSM does not reach i-1" };
export const none = { kind: "none" };
export const report = (of: object) => ({ kind: "report", report: expect.objectContaining(of) });
export const going = (activity: string | null, of: object = {}) => report({ activity, error: null, ...of });
export const failing = (error: string, of: object = {}) =>
  report({ activity: null, images: null, error: expect.stringContaining(error), ...of });
export const asks = (image: string, of: object = {}) => ({
  kind: "send",
  command: { action: "status", image: "" },
  report: expect.objectContaining({ activity: "Rebooting", error: null, images: null, ...of }),
});
export const about = (image: string) => ({ command: { id: null, kind: "status", image, at: noon, attempts: 0 } });

/** What follows `seconds` after the command was sent. */
export function following({ of, command: own, outcome, seconds = 15 }: Omit<Case, "when" | "step">): AgentStep {
  const turn = { now: after(seconds / 60), rebootPolicy: "RebootOnly" } as const;
  return stepAfter(asked(of), command(own), outcome, turn);
}
