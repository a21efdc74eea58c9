import type { LambdaClient } from "@aws-sdk/client-lambda";
import type { PollContinuations } from "../../../ports/poll-continuation.ts";
import { mapAwsError } from "../map-error.ts";

interface Options {
  readonly client: LambdaClient;
  /** The poll's own function: a name or an ARN, which may end in an alias. */
  readonly functionName: string;
  /** The cluster's name. */
  readonly cluster: string;
}

/**
 * Creates continuations that invoke the poll's own function asynchronously. Lambda's recursive loop detection stops a function that
 * invokes itself after about 16 invocations, unless it is configured to allow it; a poll has no more parts than that.
 */
export function createLambdaPollContinuations({ client, functionName, cluster }: Options): PollContinuations {
  return {
    async invokeNext(continuation) {
      const { InvokeCommand } = await import("@aws-sdk/client-lambda");
      const Payload = JSON.stringify({ cluster, continuation });
      const command = new InvokeCommand({ FunctionName: functionName, InvocationType: "Event", Payload });
      await client.send(command).catch((error: unknown) => {
        throw mapAwsError(error, `Invoke ${functionName}`);
      });
    },
  };
}
