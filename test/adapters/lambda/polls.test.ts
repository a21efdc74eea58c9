import { LambdaClient } from "@aws-sdk/client-lambda";
import { expect, test } from "vitest";
import { lambdaPolls } from "../../../functions/adapters/lambda-polls.ts";
import type { PollRest } from "../../../functions/ports/polls.ts";
import { type FakeAws, fakeAws, refusalOf } from "../../support/aws-services.ts";
import { noon } from "../../support/workloads.ts";

const functionName = "arn:aws:lambda:eu-west-1:123456789012:function:pawl-production-poll:live";
const rest: PollRest = { seed: "s", from: 500, behind: { "slow.example": 7 }, startedAt: noon.toISOString(), part: 2 };

function pollsBy({ options }: FakeAws) {
  return lambdaPolls({ client: new LambdaClient(options), functionName, cluster: "production" });
}

test("the poll's own function is invoked with the rest, and not waited for", async () => {
  await using aws = await fakeAws(() => ({ body: "" }));
  await pollsBy(aws).goOn(rest);
  expect(aws.calls.map(({ operation, invocationType, body }) => [operation, invocationType, JSON.parse(body)])).toEqual(
    [
      [
        `POST /2015-03-31/functions/${encodeURIComponent(functionName)}/invocations`,
        "Event",
        { cluster: "production", rest },
      ],
    ],
  );
});

test.for([
  { answer: refusalOf("TooManyRequestsException", 429), name: "Throttled" },
  { answer: refusalOf("ServiceException", 500), name: "Unreachable" },
  { answer: "hang up", name: "Unreachable" },
  { answer: refusalOf("AccessDeniedException", 403), name: "AccessDeniedException" },
] as const)("where it cannot be, that is $name", async ({ answer, name }) => {
  await using aws = await fakeAws(() => answer);
  await expect(pollsBy(aws).goOn(rest)).rejects.toMatchObject({ name });
});
