import { setImmediate } from "node:timers/promises";
import { LambdaClient } from "@aws-sdk/client-lambda";
import { describe, expect, onTestFinished, test } from "vitest";
import type { RecorderFunction } from "../../../../functions/adapters/aws/lambda/invoke.ts";
import { type AwsAnswer, type FakeAws, fakeAws, refusalOf } from "../../../support/aws/aws-services.ts";

/** Returns Lambda's response for a function that threw. */
export function functionError(errorType: string, errorMessage = "no"): AwsAnswer {
  return { body: { errorType, errorMessage, trace: [] }, headers: { "x-amz-function-error": "Unhandled" } };
}

/** Starts Lambda with one function until the test ends; the errors of the function keep their name. */
export async function startLambda(run: (input: unknown) => Promise<object>): Promise<FakeAws> {
  const aws = await fakeAws(async ({ body }) => {
    try {
      return { body: await run(JSON.parse(body)) };
    } catch (error) {
      return functionError((error as Error).name);
    }
  });
  onTestFinished(() => aws[Symbol.asyncDispose]());
  return aws;
}

type CreateRecord = (options: RecorderFunction) => () => Promise<unknown>;

interface Recording {
  /** How many calls share one invocation. */
  readonly callsPerInvocation: number;
  /** Returns the output of an invocation for which every call has this result. */
  readonly output: (result: object, input: unknown) => unknown;
}

const onePerInvocation: Recording = { callsPerInvocation: 1, output: (result) => result };

/** The contract of every recorder that invokes a function. */
export function lambdaRecorderContract(
  functionName: string,
  createRecord: CreateRecord,
  { callsPerInvocation, output }: Recording = onePerInvocation,
): void {
  test("at most four invocations run at the same time", async () => {
    const four = Promise.withResolvers<void>();
    let [running, maxRunning, invoked] = [0, 0, 0];
    const send = async ({ input }: { readonly input: { readonly Payload: string } }) => {
      invoked += 1;
      maxRunning = Math.max(maxRunning, (running += 1));
      if (running === 4) four.resolve();
      await four.promise;
      await setImmediate();
      running -= 1;
      return { Payload: Buffer.from(JSON.stringify(output({ kind: "written" }, JSON.parse(input.Payload)))) };
    };
    const record = createRecord({ client: { send } as unknown as LambdaClient, functionName });
    await Promise.all(Array.from({ length: 20 * callsPerInvocation }, () => record()));
    expect([invoked, maxRunning]).toEqual([20, 4]);
  });

  describe("an error", () => {
    test.for<{ when: string; answer: AwsAnswer | "hang up" | { result: object }; name: string }>([
      { when: "the function threw Conflict", answer: functionError("Conflict"), name: "Conflict" },
      { when: "it threw Throttled", answer: functionError("Throttled"), name: "Throttled" },
      { when: "it threw Unreachable", answer: functionError("Unreachable"), name: "Unreachable" },
      { when: "it threw Forbidden", answer: functionError("Forbidden"), name: "Forbidden" },
      { when: "it timed out", answer: functionError("Sandbox.Timedout", "Task timed out"), name: "Unreachable" },
      {
        when: "it timed out, in the older format",
        answer: functionError("", "x Task timed out after 60.00 seconds"),
        name: "Unreachable",
      },
      { when: "it ran out of memory", answer: functionError("Runtime.OutOfMemory"), name: "Unreachable" },
      { when: "it has a bug", answer: functionError("TypeError"), name: "RecordCheckFailed" },
      { when: "it rejected its input", answer: functionError("InputInvalid"), name: "RecordCheckFailed" },
      { when: "it returned an unknown result", answer: { result: { kind: "opened" } }, name: "RecordCheckFailed" },
      { when: "it returned nothing", answer: { body: "" }, name: "RecordCheckFailed" },
      {
        when: "the recorded object has changed",
        answer: { result: { kind: "changed", reason: "" } },
        name: "Conflict",
      },
      { when: "Lambda throttles", answer: refusalOf("TooManyRequestsException", 429), name: "Throttled" },
      { when: "Lambda is down", answer: refusalOf("ServiceException", 500), name: "Unreachable" },
      { when: "Lambda closes the connection", answer: "hang up", name: "Unreachable" },
      {
        when: "the poll lacks permission",
        answer: refusalOf("AccessDeniedException", 403),
        name: "AccessDeniedException",
      },
    ])("is $name if $when", async ({ answer, name }) => {
      await using aws = await fakeAws(({ body }) =>
        typeof answer === "object" && "result" in answer
          ? { body: output(answer.result, JSON.parse(body)) as object }
          : answer,
      );
      const record = createRecord({ client: new LambdaClient(aws.options), functionName });
      await expect(record()).rejects.toMatchObject({ name });
    });
  });
}
