import { randomUUID } from "node:crypto";
import { statusOutput } from "../../domain/node-pool/agent/hosts.ts";
import { imageA } from "../../domain/node-pool/pools.ts";
import { type AwsAnswer, type AwsCall, refusalOf } from "./aws-services.ts";

/** The outcome of the commands of an instance. */
export type CommandOutcome = "Success" | "Failed" | "DeliveryTimedOut";

interface SsmEndpoint {
  readonly answer: (call: AwsCall) => AwsAnswer;
  /** Completes every command. */
  complete(): void;
}

interface Invocation {
  readonly InstanceId: string;
  readonly DocumentName: string;
  isComplete: boolean;
}

/** Simulates SSM Run Command: SendCommand and GetCommandInvocation of one document, with the responses of the real API. */
export function ssmEndpoint(outcomes: Readonly<Record<string, CommandOutcome>>): SsmEndpoint {
  const invocations = new Map<string, Invocation>();

  function send({ InstanceIds: [InstanceId], DocumentName, ...rest }: SendCommandRequest): AwsAnswer {
    if (!Object.hasOwn(outcomes, InstanceId)) return refusalOf("InvalidInstanceId");
    const CommandId = randomUUID();
    invocations.set(CommandId, { InstanceId, DocumentName, isComplete: false });
    const counts = { TargetCount: 1, CompletedCount: 0, ErrorCount: 0, DeliveryTimedOutCount: 0 };
    const state = { Status: "Pending", StatusDetails: "Pending", RequestedDateTime: 1763726400.123, ...counts };
    return { body: { Command: { CommandId, DocumentName, InstanceIds: [InstanceId], ...rest, ...state } } };
  }

  function invocation({ CommandId, InstanceId }: GetInvocationRequest): AwsAnswer {
    const found = invocations.get(CommandId);
    if (found?.InstanceId !== InstanceId) return refusalOf("InvocationDoesNotExist");
    const about = { CommandId, InstanceId, DocumentName: found.DocumentName, DocumentVersion: "$DEFAULT" };
    const outcome = outcomes[InstanceId] ?? "Success";
    return {
      body: { ...about, PluginName: "bootc", ...(found.isComplete ? endedResults[outcome] : runningResults[outcome]) },
    };
  }

  return {
    answer: ({ operation, body }) =>
      operation === "SendCommand" ? send(JSON.parse(body)) : invocation(JSON.parse(body)),
    complete: () => invocations.forEach((one) => void (one.isComplete = true)),
  };
}

interface SendCommandRequest {
  readonly InstanceIds: readonly [string];
  readonly DocumentName: string;
}

interface GetInvocationRequest {
  readonly CommandId: string;
  readonly InstanceId: string;
}

const noOutput = { ResponseCode: -1, StandardOutputContent: "", StandardErrorContent: "" };
const times = { ExecutionStartDateTime: "2026-11-20T12:00:01.9Z", ExecutionEndDateTime: "2026-11-20T12:00:03.9Z" };

const runningResults = {
  Success: { ...noOutput, Status: "InProgress", StatusDetails: "InProgress" },
  Failed: { ...noOutput, Status: "Pending", StatusDetails: "Pending" },
  DeliveryTimedOut: { ...noOutput, Status: "Delayed", StatusDetails: "Delayed" },
} satisfies Record<CommandOutcome, object>;

const endedResults = {
  Success: {
    ...times,
    Status: "Success",
    StatusDetails: "Success",
    ResponseCode: 0,
    StandardOutputContent: `${statusOutput(imageA)}\n`,
    StandardErrorContent: "",
  },
  Failed: {
    ...times,
    Status: "Failed",
    StatusDetails: "Failed",
    ResponseCode: 1,
    StandardOutputContent: `${statusOutput(imageA)}\n`,
    StandardErrorContent: "layers needed: 7\nerror: Switching: no such manifest\nfailed to run commands: exit status 1",
  },
  DeliveryTimedOut: { ...noOutput, Status: "TimedOut", StatusDetails: "DeliveryTimedOut" },
} satisfies Record<CommandOutcome, object>;
