import { GetCommandInvocationCommand, InvalidInstanceId, InvocationDoesNotExist } from "@aws-sdk/client-ssm";
import { SendCommandCommand, type SSMClient } from "@aws-sdk/client-ssm";
import type { NodeCommand } from "../../domain/node-pool/agent/outcome.ts";
import type { Commands } from "../../ports/commands.ts";
import { awsFailure } from "../aws-failure.ts";
import { Forbidden } from "../errors.ts";
import { outcomeOf } from "./outcome.ts";

interface Options {
  readonly client: SSMClient;
  /** Name or ARN of the document that knows the commands: infra/ssm/bootc-node.yaml. */
  readonly documentName: string;
}

/** How long SSM tries to deliver a command: a node that reboots is asked again, and told nothing that has become old. */
const deliverySeconds = 60;

/**
 * Commands through SSM Run Command, by one document that takes nothing but an action and an image. The caller needs
 * `ssm:SendCommand` on the document and on the instances, and `ssm:GetCommandInvocation`.
 */
export function ssmCommands({ client, documentName }: Options): Commands {
  return {
    async send(instance, command) {
      const request = new SendCommandCommand({
        DocumentName: documentName,
        InstanceIds: [instance],
        Parameters: parametersOf(command),
        TimeoutSeconds: deliverySeconds,
        Comment: `pawl: ${command.action}`,
      });
      try {
        const { Command } = await client.send(request);
        return { kind: "sent", id: Command?.CommandId ?? "" };
      } catch (error) {
        // Not there, not running, or its agent has never been in touch with SSM, or not for long.
        if (error instanceof InvalidInstanceId)
          return { kind: "unreachable", reason: `SSM does not reach ${instance}` };
        throw failureOf(error, `SendCommand ${command.action} to ${instance}`);
      }
    },

    async result(instance, id) {
      try {
        return outcomeOf(await client.send(new GetCommandInvocationCommand({ CommandId: id, InstanceId: instance })));
      } catch (error) {
        if (error instanceof InvocationDoesNotExist) return { kind: "unknown" };
        throw failureOf(error, `GetCommandInvocation ${id} of ${instance}`);
      }
    },
  };
}

/** What is "" is left out: the document's own default for it is "". */
function parametersOf({ action, image }: NodeCommand): Record<string, string[]> {
  return { action: [action], ...(image === "" ? {} : { image: [image] }) };
}

function failureOf(error: unknown, attempted: string): unknown {
  const isDenied = error instanceof Error && error.name === "AccessDeniedException";
  return isDenied ? new Forbidden(`${attempted}: ${error.message}`, { cause: error }) : awsFailure(error, attempted);
}
