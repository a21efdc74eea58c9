import { truncate } from "../../../domain/text/summarize-list.ts";
import type { NodeCommand, CommandOutcome } from "../../../domain/node-pool/agent/outcome.ts";
import { Forbidden } from "../../../ports/errors.ts";
import type { Commands } from "../../../ports/node-commands.ts";
import { mapAwsError } from "../map-error.ts";
import {
  GetCommandInvocationCommand,
  InvalidInstanceId,
  InvocationDoesNotExist,
  SendCommandCommand,
  type SSMClient,
  type GetCommandInvocationResult,
} from "@aws-sdk/client-ssm";

interface Options {
  readonly client: SSMClient;
  /** Name or ARN of the document that defines the commands: infra/ssm/bootc-node.yaml. */
  readonly documentName: string;
}

/** How long SSM tries to deliver a command: a rebooting node must not receive an outdated one. */
const deliverySeconds = 60;

/**
 * Creates commands through SSM Run Command, by one document whose only parameters are an action and an image. Requires
 * `ssm:SendCommand` on the document and on the instances, and `ssm:GetCommandInvocation`.
 */
export function createSsmCommands({ client, documentName }: Options): Commands {
  return {
    async send(instance, command) {
      const request = new SendCommandCommand({
        DocumentName: documentName,
        InstanceIds: [instance],
        Parameters: formatParameters(command),
        TimeoutSeconds: deliverySeconds,
        Comment: `pawl: ${command.action}`,
      });
      try {
        const { Command } = await client.send(request);
        return { kind: "sent", id: Command?.CommandId ?? "" };
      } catch (error) {
        // The instance does not exist or is stopped, or its agent is not registered with SSM.
        if (error instanceof InvalidInstanceId) return { kind: "unreachable", reason: `SSM cannot reach ${instance}` };
        throw mapSsmError(error, `SendCommand ${command.action} to ${instance}`);
      }
    },

    async result(instance, id) {
      try {
        return parseOutcome(
          await client.send(new GetCommandInvocationCommand({ CommandId: id, InstanceId: instance })),
        );
      } catch (error) {
        if (error instanceof InvocationDoesNotExist) return { kind: "unknown" };
        throw mapSsmError(error, `GetCommandInvocation ${id} of ${instance}`);
      }
    },
  };
}

/** Omits an empty image: that is the document's default. */
function formatParameters({ action, image }: NodeCommand): Record<string, string[]> {
  return { action: [action], ...(image === "" ? {} : { image: [image] }) };
}

function mapSsmError(error: unknown, operation: string): unknown {
  const isDenied = error instanceof Error && error.name === "AccessDeniedException";
  return isDenied ? new Forbidden(`${operation}: ${error.message}`, { cause: error }) : mapAwsError(error, operation);
}

const undelivered = new Set(["DeliveryTimedOut", "Undeliverable", "Terminated"]);

const running = new Set(["Pending", "InProgress", "Delayed", "Cancelling"]);

/** Lines that SSM appends, which repeat the exit status. */
const trailer = /^failed to run commands: |^-+(Output|Error) truncated-+$/iu;

const maxProblemLength = 1_024;

/** Parses the outcome of an invocation. Only `StatusDetails` says whether the command was delivered. */
export function parseOutcome(invocation: GetCommandInvocationResult): CommandOutcome {
  const { Status = "Pending", StatusDetails = Status, InstanceId, StandardOutputContent: output = "" } = invocation;
  const details = StatusDetails.replaceAll(" ", "");
  if (undelivered.has(details)) return { kind: "unreachable", reason: `SSM cannot reach ${InstanceId}: ${details}` };
  if (running.has(Status)) return { kind: "running" };
  return { kind: "ended", output, problem: Status === "Success" ? null : describeProblem(invocation, details) };
}

/** Returns the last line of standard error if the command itself failed. */
function describeProblem(
  { StandardErrorContent = "", ResponseCode }: GetCommandInvocationResult,
  details: string,
): string {
  if (details !== "Failed") return `SSM reports ${details}`;
  const lines = StandardErrorContent.split("\n").map((line) => line.trim());
  const last = lines.findLast((line) => line !== "" && !trailer.test(line));
  return last === undefined ? `exit status ${ResponseCode}` : truncate(last, maxProblemLength);
}
