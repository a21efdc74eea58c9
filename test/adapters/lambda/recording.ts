import { setImmediate } from "node:timers/promises";
import { LambdaClient } from "@aws-sdk/client-lambda";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Recorder } from "../../../functions/adapters/lambda-invocation.ts";
import { type AwsAnswer, type FakeAws, fakeAws, refusalOf } from "../../support/aws-services.ts";

/** What Lambda answers of a function that threw. */
export function thrown(errorType: string, errorMessage = "no"): AwsAnswer {
  return { body: { errorType, errorMessage, trace: [] }, headers: { "x-amz-function-error": "Unhandled" } };
}

/** Lambda with one function, until the test ends; whatever it throws has that name. */
export async function lambdaOf(run: (input: unknown) => Promise<object>): Promise<FakeAws> {
  const aws = await fakeAws(async ({ body }) => {
    try {
      return { body: await run(JSON.parse(body)) };
    } catch (error) {
      return thrown((error as Error).name);
    }
  });
  onTestFinished(() => aws[Symbol.asyncDispose]());
  return aws;
}

type RecordBy = (options: Recorder) => () => Promise<unknown>;

/** What every function that writes down what a poll decided is invoked like, and what becomes of its failures. */
export function recordingByLambda(functionName: string, recordBy: RecordBy): void {
  test("it is invoked four times at once and not more, however many there are to record", async () => {
    const four = Promise.withResolvers<void>();
    let [running, most, invoked] = [0, 0, 0];
    const send = async () => {
      invoked += 1;
      most = Math.max(most, (running += 1));
      if (running === 4) four.resolve();
      await four.promise;
      await setImmediate();
      running -= 1;
      return { Payload: Buffer.from('{"kind":"written"}') };
    };
    const record = recordBy({ client: { send } as unknown as LambdaClient, functionName });
    await Promise.all(Array.from({ length: 20 }, () => record()));
    expect([invoked, most]).toEqual([20, 4]);
  });

  describe("what goes wrong", () => {
    test.for<{ when: string; answer: AwsAnswer | "hang up"; name: string }>([
      { when: "the function threw Conflict", answer: thrown("Conflict"), name: "Conflict" },
      { when: "it threw Throttled", answer: thrown("Throttled"), name: "Throttled" },
      { when: "it threw Unreachable", answer: thrown("Unreachable"), name: "Unreachable" },
      { when: "it threw Forbidden", answer: thrown("Forbidden"), name: "Forbidden" },
      { when: "it ran out of time", answer: thrown("Sandbox.Timedout", "Task timed out"), name: "Unreachable" },
      {
        when: "it ran out of time, as said before",
        answer: thrown("", "x Task timed out after 60.00 seconds"),
        name: "Unreachable",
      },
      { when: "it ran out of memory", answer: thrown("Runtime.OutOfMemory"), name: "Unreachable" },
      { when: "it has a bug", answer: thrown("TypeError"), name: "RecordCheckFailed" },
      { when: "it refused its input", answer: thrown("InputInvalid"), name: "RecordCheckFailed" },
      { when: "it answered something else", answer: { body: { kind: "opened" } }, name: "RecordCheckFailed" },
      { when: "it answered nothing", answer: { body: "" }, name: "RecordCheckFailed" },
      { when: "what it was about has changed", answer: { body: { kind: "changed", reason: "" } }, name: "Conflict" },
      { when: "too many invoke it", answer: refusalOf("TooManyRequestsException", 429), name: "Throttled" },
      { when: "Lambda is down", answer: refusalOf("ServiceException", 500), name: "Unreachable" },
      { when: "Lambda hangs up", answer: "hang up", name: "Unreachable" },
      { when: "the poll may not", answer: refusalOf("AccessDeniedException", 403), name: "AccessDeniedException" },
    ])("is $name where $when", async ({ answer, name }) => {
      await using aws = await fakeAws(() => answer);
      const record = recordBy({ client: new LambdaClient(aws.options), functionName });
      await expect(record()).rejects.toMatchObject({ name });
    });
  });
}
