import type { LambdaClient } from "@aws-sdk/client-lambda";
import type { Polls } from "../ports/polls.ts";
import { awsFailure } from "./aws-failure.ts";

interface Options {
  readonly client: LambdaClient;
  /** Of the poll itself: a name or an ARN, also one that ends in an alias. */
  readonly functionName: string;
  /** The cluster's name. */
  readonly cluster: string;
}

/**
 * Invokes the poll's own function and does not wait for it. Lambda ends a chain of a function that invokes itself after
 * about 16 invocations, unless its recursive loop detection is told to allow it; a poll has no more parts than that.
 */
export function lambdaPolls({ client, functionName, cluster }: Options): Polls {
  return {
    async goOn(rest) {
      const { InvokeCommand } = await import("@aws-sdk/client-lambda");
      const Payload = JSON.stringify({ cluster, rest });
      const command = new InvokeCommand({ FunctionName: functionName, InvocationType: "Event", Payload });
      await client.send(command).catch((error: unknown) => {
        throw awsFailure(error, `Invoke ${functionName}`);
      });
    },
  };
}
