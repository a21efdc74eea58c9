import type { GetCommandInvocationResult } from "@aws-sdk/client-ssm";
import type { Outcome } from "../../domain/node-pool/agent/outcome.ts";

const undelivered = new Set(["DeliveryTimedOut", "Undeliverable", "Terminated"]);

const running = new Set(["Pending", "InProgress", "Delayed", "Cancelling"]);

/** SSM's own last words, which say nothing that the exit status does not. */
const trailer = /^failed to run commands: |^-+(Output|Error) truncated-+$/iu;

const mostCharacters = 1_024;

/** What an invocation says of its command. `StatusDetails` tells what `Status` does not: whether the node ever took it up. */
export function outcomeOf(invocation: GetCommandInvocationResult): Outcome {
  const { Status = "Pending", StatusDetails = Status, InstanceId, StandardOutputContent: output = "" } = invocation;
  const details = StatusDetails.replaceAll(" ", "");
  if (undelivered.has(details)) return { kind: "unreachable", reason: `SSM does not reach ${InstanceId}: ${details}` };
  if (running.has(Status)) return { kind: "running" };
  return { kind: "ended", output, problem: Status === "Success" ? null : problemOf(invocation, details) };
}

/** The last line that the command wrote to its standard error, where it failed by itself. */
function problemOf({ StandardErrorContent = "", ResponseCode }: GetCommandInvocationResult, details: string): string {
  if (details !== "Failed") return `SSM says ${details}`;
  const lines = StandardErrorContent.split("\n").map((line) => line.trim());
  const last = lines.findLast((line) => line !== "" && !trailer.test(line));
  return last?.slice(0, mostCharacters) ?? `exit status ${ResponseCode}`;
}
