import { LambdaClient } from "@aws-sdk/client-lambda";
import { expect, test } from "vitest";
import { createLambdaPollContinuations } from "../../../../functions/adapters/aws/lambda/poll-continuation.ts";
import type { PollContinuation } from "../../../../functions/ports/poll-continuation.ts";
import { type FakeAws, fakeAws, refusalOf } from "../../../support/aws-services.ts";
import { noon } from "../../../support/workloads.ts";

const functionName = "arn:aws:lambda:eu-west-1:123456789012:function:pawl-production-poll:live";
const continuation: PollContinuation = {
  seed: "s",
  cursor: 500,
  laggingRegistries: { "slow.example": 7 },
  startedAt: noon.toISOString(),
  part: 2,
};

function createContinuations({ options }: FakeAws) {
  return createLambdaPollContinuations({ client: new LambdaClient(options), functionName, cluster: "production" });
}

test("the poll's own function is invoked asynchronously with the continuation", async () => {
  await using aws = await fakeAws(() => ({ body: "" }));
  await createContinuations(aws).invokeNext(continuation);
  expect(aws.calls.map(({ operation, invocationType, body }) => [operation, invocationType, JSON.parse(body)])).toEqual(
    [
      [
        `POST /2015-03-31/functions/${encodeURIComponent(functionName)}/invocations`,
        "Event",
        { cluster: "production", continuation },
      ],
    ],
  );
});

test.for([
  { answer: refusalOf("TooManyRequestsException", 429), name: "Throttled" },
  { answer: refusalOf("ServiceException", 500), name: "Unreachable" },
  { answer: "hang up", name: "Unreachable" },
  { answer: refusalOf("AccessDeniedException", 403), name: "AccessDeniedException" },
] as const)("an invocation error is $name", async ({ answer, name }) => {
  await using aws = await fakeAws(() => answer);
  await expect(createContinuations(aws).invokeNext(continuation)).rejects.toMatchObject({ name });
});
