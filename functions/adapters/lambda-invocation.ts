import type { InvokeCommandOutput, LambdaClient } from "@aws-sdk/client-lambda";
import pLimit from "p-limit";
import { awsFailure } from "./aws-failure.ts";
import { Conflict } from "./errors.ts";
import { lambdaFailure } from "./lambda-failure.ts";

export interface Recorder {
  readonly client: LambdaClient;
  /** A name or an ARN, also one that ends in an alias. */
  readonly functionName: string;
}

/** A first poll has something to write about everything, and the function's reserved concurrency is small. */
const invocationsAtOnce = 4;

/**
 * Invokes a function that writes down what a poll decided, a few at a time, and waits for it. Throws `Conflict` where what
 * was decided about has changed, what the function threw by its name, and `Throttled` or `Unreachable` of Lambda itself.
 */
export function recorder({ client, functionName }: Recorder): (input: object) => Promise<"recorded" | "none"> {
  const inTurn = pLimit(invocationsAtOnce);

  async function invoke(input: object): Promise<InvokeCommandOutput> {
    const { InvokeCommand } = await import("@aws-sdk/client-lambda");
    const command = new InvokeCommand({ FunctionName: functionName, Payload: JSON.stringify(input) });
    return client.send(command).catch((error: unknown) => {
      throw awsFailure(error, `Invoke ${functionName}`);
    });
  }

  return async (input) => {
    const { FunctionError, Payload } = await inTurn(() => invoke(input));
    const answer: unknown = JSON.parse(Buffer.from(Payload ?? []).toString("utf8") || "null");
    if (FunctionError !== undefined) throw lambdaFailure(functionName, answer);
    return outcomeOf(answer, functionName);
  };
}

function outcomeOf(answer: unknown, functionName: string): "recorded" | "none" {
  const { kind, reason }: { readonly kind?: unknown; readonly reason?: unknown } =
    typeof answer === "object" && answer !== null ? answer : {};
  if (kind === "written") return "recorded";
  if (kind === "nothing-new") return "none";
  if (kind === "changed") throw new Conflict(String(reason));
  throw lambdaFailure(functionName, { errorType: "Unknown", errorMessage: "it answered with something else" });
}
