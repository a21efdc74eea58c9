import { randomUUID } from "node:crypto";
import { statusOutput } from "../domain/node-pool/agent/hosts.ts";
import { imageA } from "../domain/node-pool/pools.ts";
import { type AwsAnswer, type AwsCall, refusalOf } from "./aws-services.ts";

/** How an instance fares with its commands; null is one that SSM does not know. */
export type Fate = "Success" | "Failed" | "DeliveryTimedOut";

export interface SsmEndpoint {
  readonly answer: (call: AwsCall) => AwsAnswer;
  /** Lets every command come to its end. */
  pass(): void;
}

interface Invocation {
  readonly InstanceId: string;
  readonly DocumentName: string;
  isOver: boolean;
}

/** SSM's Run Command, in the words that it answers with: SendCommand and GetCommandInvocation of one document. */
export function ssmEndpoint(fates: Readonly<Record<string, Fate>>): SsmEndpoint {
  const invocations = new Map<string, Invocation>();

  function send({ InstanceIds: [InstanceId], DocumentName, ...rest }: Sending): AwsAnswer {
    if (!Object.hasOwn(fates, InstanceId)) return refusalOf("InvalidInstanceId");
    const CommandId = randomUUID();
    invocations.set(CommandId, { InstanceId, DocumentName, isOver: false });
    const counts = { TargetCount: 1, CompletedCount: 0, ErrorCount: 0, DeliveryTimedOutCount: 0 };
    const state = { Status: "Pending", StatusDetails: "Pending", RequestedDateTime: 1763726400.123, ...counts };
    return { body: { Command: { CommandId, DocumentName, InstanceIds: [InstanceId], ...rest, ...state } } };
  }

  function invocation({ CommandId, InstanceId }: Asking): AwsAnswer {
    const found = invocations.get(CommandId);
    if (found?.InstanceId !== InstanceId) return refusalOf("InvocationDoesNotExist");
    const about = { CommandId, InstanceId, DocumentName: found.DocumentName, DocumentVersion: "$DEFAULT" };
    const fate = fates[InstanceId] ?? "Success";
    return { body: { ...about, PluginName: "bootc", ...(found.isOver ? ends[fate] : atIt[fate]) } };
  }

  return {
    answer: ({ operation, body }) =>
      operation === "SendCommand" ? send(JSON.parse(body)) : invocation(JSON.parse(body)),
    pass: () => invocations.forEach((one) => void (one.isOver = true)),
  };
}

interface Sending {
  readonly InstanceIds: readonly [string];
  readonly DocumentName: string;
}

interface Asking {
  readonly CommandId: string;
  readonly InstanceId: string;
}

const nothing = { ResponseCode: -1, StandardOutputContent: "", StandardErrorContent: "" };
const times = { ExecutionStartDateTime: "2026-11-20T12:00:01.9Z", ExecutionEndDateTime: "2026-11-20T12:00:03.9Z" };

const atIt = {
  Success: { ...nothing, Status: "InProgress", StatusDetails: "InProgress" },
  Failed: { ...nothing, Status: "Pending", StatusDetails: "Pending" },
  DeliveryTimedOut: { ...nothing, Status: "Delayed", StatusDetails: "Delayed" },
} satisfies Record<Fate, object>;

const ends = {
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
  DeliveryTimedOut: { ...nothing, Status: "TimedOut", StatusDetails: "DeliveryTimedOut" },
} satisfies Record<Fate, object>;
