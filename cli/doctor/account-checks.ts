import type { LambdaClient } from "@aws-sdk/client-lambda";
import { withTimeouts } from "../../functions/adapters/aws/client.ts";
import { type Check, failed, nullOn, passed } from "./check.ts";
import type { DoctorTarget } from "./target.ts";

/** The bootstrap version that the default synthesizer of the CDK requires. */
const minBootstrapVersion = 6;
const bootstrapParameter = "/cdk-bootstrap/hnb659fds/version";

/** What Lambda keeps for functions without reserved concurrency. */
const minUnreserved = 100;

/** The fewest concurrent invocations with which polls and steps of updates do not starve each other. */
const minConcurrency = 10;

/** `MaxConcurrency` of the machine `poll-fanout`. */
const concurrentBatches = 16;

/** Without credentials no other check of AWS can be made. */
export function credentialsCheck(lambda: LambdaClient, region: string): Check {
  return {
    name: "credentials",
    async run() {
      const { GetAccountSettingsCommand } = await import("@aws-sdk/client-lambda");
      try {
        const { accessKeyId } = await lambda.config.credentials();
        // Who may not read this has valid credentials too.
        await nullOn(["AccessDeniedException"], lambda.send(new GetAccountSettingsCommand({})));
        return passed(`${accessKeyId} in ${region}`);
      } catch (error) {
        const { name, message } = error as Error;
        if (!isCredentialError(name)) throw error;
        return failed(`${name}: ${message}`, 'log in, for example with "aws sso login", and set AWS_PROFILE');
      }
    },
  };
}

function isCredentialError(name: string): boolean {
  return /^(CredentialsProviderError|TokenProviderError|Expired\w*|InvalidClientTokenId|UnrecognizedClientException|InvalidSignatureException|SignatureDoesNotMatch)$/.test(
    name,
  );
}

export function bootstrapCheck({ region }: DoctorTarget): Check {
  return {
    name: "bootstrap",
    async run() {
      const { GetParameterCommand, SSMClient } = await import("@aws-sdk/client-ssm");
      const client = new SSMClient({ ...withTimeouts({ region }), maxAttempts: 2 });
      const fix = `npx cdk bootstrap --app "" aws://ACCOUNT/${region}`;
      const found = await nullOn(
        ["ParameterNotFound"],
        client.send(new GetParameterCommand({ Name: bootstrapParameter })),
      );
      if (found === null) return failed(`${region} has no bootstrap stack of the CDK`, fix);
      const version = Number(found.Parameter?.Value);
      if (version >= minBootstrapVersion) return passed(`version ${version}`);
      return failed(`version ${found.Parameter?.Value}; the CDK needs ${minBootstrapVersion}`, fix);
    },
  };
}

const sharedWithBatches = `; a poll in batches takes up to ${concurrentBatches}, and the steps of updates wait meanwhile: a quota of ${concurrentBatches + minConcurrency} above what is reserved avoids it`;

/** Checks the quota before a deployment does: reserved concurrency may exceed that of a new account, which is 10. */
export function concurrencyCheck(lambda: LambdaClient, reserved: number): Check {
  return {
    name: "concurrency",
    async run() {
      const { GetAccountSettingsCommand } = await import("@aws-sdk/client-lambda");
      const { AccountLimit } = await lambda.send(new GetAccountSettingsCommand({}));
      const limit = AccountLimit?.ConcurrentExecutions ?? 0;
      const needed = reserved === 0 ? minConcurrency : reserved + minUnreserved;
      const detail = `${limit} concurrent executions, ${AccountLimit?.UnreservedConcurrentExecutions ?? 0} of them unreserved; this cluster reserves ${reserved}`;
      const shared = limit - reserved >= concurrentBatches + minConcurrency ? "" : sharedWithBatches;
      if (limit >= needed) return passed(`${detail}${shared}`);
      const quota = `raise the quota "Concurrent executions" of Lambda to at least ${needed}`;
      return failed(detail, reserved === 0 ? quota : `remove writerReservedConcurrency, or ${quota}`);
    },
  };
}
