import { setImmediate } from "node:timers/promises";
import { LambdaClient } from "@aws-sdk/client-lambda";
import { describe, expect, onTestFinished, test } from "vitest";
import { Unreachable } from "../../../functions/adapters/errors.ts";
import { lambdaChecks } from "../../../functions/adapters/lambda-checks.ts";
import { recordCheck } from "../../../functions/handlers/record-check.ts";
import type { CheckDecision, RecordCheckInput } from "../../../functions/ports/checks.ts";
import { checksContract } from "../../contracts/checks.ts";
import { type AwsAnswer, type FakeAws, fakeAws, refusalOf } from "../../support/aws-services.ts";
import { fakePorts, killedAt } from "../../support/fake-ports.ts";
import { noon, workload } from "../../support/workloads.ts";

const functionName = "arn:aws:lambda:eu-west-1:123456789012:function:pawl-record-check:live";
const problem: CheckDecision = { kind: "problem", problems: ["schedule: what?"] };

function checksBy({ options }: FakeAws) {
  const client = new LambdaClient(options);
  return lambdaChecks({ client, functionName, cluster: "production", now: () => noon });
}

/** What Lambda answers of a function that threw. */
function thrown(errorType: string, errorMessage = "no"): AwsAnswer {
  return { body: { errorType, errorMessage, trace: [] }, headers: { "x-amz-function-error": "Unhandled" } };
}

checksContract(async (workloads) => {
  const ports = fakePorts({ workloads });
  const aws = await fakeAws(async ({ body }) => {
    try {
      return { body: await recordCheck(ports, JSON.parse(body) as RecordCheckInput) };
    } catch (error) {
      return thrown((error as Error).name);
    }
  });
  onTestFinished(() => aws[Symbol.asyncDispose]());
  return { checks: checksBy(aws), ports };
});

test("the function is given all that it needs, and nothing else", async () => {
  await using aws = await fakeAws(() => ({ body: { kind: "written", reason: "" } }));
  await checksBy(aws).record(workload(), problem);
  expect(aws.calls.map(({ operation, body }) => [operation, JSON.parse(body)])).toEqual([
    [
      `POST /2015-03-31/functions/${encodeURIComponent(functionName)}/invocations`,
      { cluster: "production", workload: workload().ref, resourceVersion: "7", decision: problem },
    ],
  ]);
});

test("it is not invoked where there is nothing to write or tell", async () => {
  await using aws = await fakeAws(() => "hang up");
  const known = workload({ announced: { held: null, problem: "schedule: what?" } });
  expect(await checksBy(aws).record(known, problem)).toBe("none");
  expect(aws.calls).toEqual([]);
});

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
  const client = { send } as unknown as LambdaClient;
  const checks = lambdaChecks({ client, functionName, cluster: "production", now: () => noon });
  await Promise.all(Array.from({ length: 20 }, () => checks.record(workload(), problem)));
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
    { when: "it answered something else", answer: { body: { kind: "opened" } }, name: "RecordCheckFailed" },
    { when: "it answered nothing", answer: { body: "" }, name: "RecordCheckFailed" },
    { when: "too many invoke it", answer: refusalOf("TooManyRequestsException", 429), name: "Throttled" },
    { when: "Lambda is down", answer: refusalOf("ServiceException", 500), name: "Unreachable" },
    { when: "Lambda hangs up", answer: "hang up", name: "Unreachable" },
    { when: "the poll may not", answer: refusalOf("AccessDeniedException", 403), name: "AccessDeniedException" },
  ])("is $name where $when", async ({ answer, name }) => {
    await using aws = await fakeAws(() => answer);
    await expect(checksBy(aws).record(workload(), problem)).rejects.toMatchObject({ name });
  });
});

test("cut off before it wrote, it writes and tells when the poll comes again", async () => {
  const ports = fakePorts({ workloads: [workload()], atMoment: killedAt("before change") });
  await using aws = await fakeAws(async ({ body }) => {
    try {
      return { body: await recordCheck(ports, JSON.parse(body) as RecordCheckInput) };
    } catch {
      return thrown("Sandbox.Timedout");
    }
  });
  await expect(checksBy(aws).record(workload(), problem)).rejects.toBeInstanceOf(Unreachable);
  expect(await checksBy(aws).record(ports.cluster.get(), problem)).toBe("recorded");
  expect(ports.published).toHaveLength(1);
});
