import { LambdaClient } from "@aws-sdk/client-lambda";
import { expect, test } from "vitest";
import { Unreachable } from "../../../../functions/ports/errors.ts";
import { createLambdaCheckRecorder } from "../../../../functions/adapters/aws/lambda/check-recorder.ts";
import { recordCheck } from "../../../../functions/handlers/record-check.ts";
import type { CheckDecision, RecordCheckInput } from "../../../../functions/ports/check-recorder.ts";
import { checkRecorderContract } from "../../../contracts/check-recorder.ts";
import { type FakeAws, fakeAws } from "../../../support/aws-services.ts";
import { fakePorts, killedAt } from "../../../support/fake-ports.ts";
import { noon, workload } from "../../../support/workloads.ts";
import { startLambda, lambdaRecorderContract, functionError } from "./recording-client.ts";

const functionName = "arn:aws:lambda:eu-west-1:123456789012:function:pawl-record-check:live";
const problem: CheckDecision = { kind: "problem", problems: ["schedule: what?"] };

function createRecorder({ options }: FakeAws) {
  const client = new LambdaClient(options);
  return createLambdaCheckRecorder({ client, functionName, cluster: "production", now: () => noon });
}

checkRecorderContract(async (workloads) => {
  const ports = fakePorts({ workloads });
  const aws = await startLambda((input) => recordCheck(ports, input as RecordCheckInput));
  return { checks: createRecorder(aws), ports };
});

test("the function is invoked with exactly its input", async () => {
  await using aws = await fakeAws(() => ({ body: { kind: "written", reason: "" } }));
  await createRecorder(aws).record(workload(), problem);
  expect(aws.calls.map(({ operation, body }) => [operation, JSON.parse(body)])).toEqual([
    [
      `POST /2015-03-31/functions/${encodeURIComponent(functionName)}/invocations`,
      { cluster: "production", workload: workload().ref, resourceVersion: "7", decision: problem },
    ],
  ]);
});

test("the function is not invoked if there is nothing to write or emit", async () => {
  await using aws = await fakeAws(() => "hang up");
  const reported = workload({ lastReported: { held: null, problem: "schedule: what?" } });
  expect(await createRecorder(aws).record(reported, problem)).toBe("none");
  expect(aws.calls).toEqual([]);
});

lambdaRecorderContract(functionName, (options) => {
  const checks = createLambdaCheckRecorder({ ...options, cluster: "production", now: () => noon });
  return () => checks.record(workload(), problem);
});

test("a function that was terminated before its write writes and emits in the next poll", async () => {
  const ports = fakePorts({ workloads: [workload()], atMoment: killedAt("before change") });
  await using aws = await fakeAws(async ({ body }) => {
    const input = JSON.parse(body) as RecordCheckInput;
    return recordCheck(ports, input).then(
      (result) => ({ body: result }),
      () => functionError("Sandbox.Timedout"),
    );
  });
  await expect(createRecorder(aws).record(workload(), problem)).rejects.toBeInstanceOf(Unreachable);
  expect(await createRecorder(aws).record(ports.cluster.get(), problem)).toBe("recorded");
  expect(ports.published).toHaveLength(1);
});
