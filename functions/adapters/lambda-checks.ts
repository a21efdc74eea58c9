import type { InvokeCommandOutput, LambdaClient } from "@aws-sdk/client-lambda";
import pLimit from "p-limit";
import { consequencesOf, isNothing } from "../domain/check-consequences.ts";
import type { CheckDecision, Checks } from "../ports/checks.ts";
import type { Workload } from "../domain/workload.ts";
import { awsFailure } from "./aws-failure.ts";
import { Conflict } from "./errors.ts";
import { lambdaFailure } from "./lambda-failure.ts";

interface Options {
  readonly client: LambdaClient;
  /** A name or an ARN, also one that ends in an alias. */
  readonly functionName: string;
  /** The cluster's name. */
  readonly cluster: string;
  readonly now: () => Date;
}

/** A first poll has something to write about every workload, and the function's reserved concurrency is small. */
const invocationsAtOnce = 4;

/**
 * Has the function `record-check` write and tell, and waits for it. Nothing is invoked where there is nothing to write or
 * tell, as it is for most workloads at most polls. Besides what the port names, `record` may throw `RecordCheckFailed`.
 */
export function lambdaChecks({ client, functionName, cluster, now }: Options): Checks {
  const inTurn = pLimit(invocationsAtOnce);

  async function invoke({ ref, resourceVersion }: Workload, decision: CheckDecision): Promise<InvokeCommandOutput> {
    const { InvokeCommand } = await import("@aws-sdk/client-lambda");
    const Payload = JSON.stringify({ cluster, workload: ref, resourceVersion, decision });
    return client.send(new InvokeCommand({ FunctionName: functionName, Payload })).catch((error: unknown) => {
      throw awsFailure(error, `Invoke ${functionName}`);
    });
  }

  return {
    async record(workload, decision) {
      if (isNothing(consequencesOf(workload, decision, now()))) return "none";
      const { FunctionError, Payload } = await inTurn(() => invoke(workload, decision));
      const answer: unknown = JSON.parse(Buffer.from(Payload ?? []).toString("utf8") || "null");
      if (FunctionError !== undefined) throw lambdaFailure(functionName, answer);
      return outcomeOf(answer, functionName);
    },
  };
}

function outcomeOf(answer: unknown, functionName: string): "recorded" | "none" {
  const kind = typeof answer === "object" && answer !== null && "kind" in answer ? answer.kind : null;
  if (kind === "written") return "recorded";
  if (kind === "nothing-new") return "none";
  const reason = typeof answer === "object" && answer !== null && "reason" in answer ? answer.reason : null;
  if (kind === "changed") throw new Conflict(String(reason));
  throw lambdaFailure(functionName, { errorType: "Unknown", errorMessage: "it answered with something else" });
}
