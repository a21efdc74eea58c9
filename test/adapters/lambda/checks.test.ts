import { LambdaClient } from "@aws-sdk/client-lambda";
import { expect, test } from "vitest";
import { Unreachable } from "../../../functions/adapters/errors.ts";
import { lambdaChecks } from "../../../functions/adapters/lambda-checks.ts";
import { recordCheck } from "../../../functions/handlers/record-check.ts";
import type { CheckDecision, RecordCheckInput } from "../../../functions/ports/checks.ts";
import { checksContract } from "../../contracts/checks.ts";
import { type FakeAws, fakeAws } from "../../support/aws-services.ts";
import { fakePorts, killedAt } from "../../support/fake-ports.ts";
import { noon, workload } from "../../support/workloads.ts";
import { lambdaOf, recordingByLambda, thrown } from "./recording.ts";

const functionName = "arn:aws:lambda:eu-west-1:123456789012:function:pawl-record-check:live";
const problem: CheckDecision = { kind: "problem", problems: ["schedule: what?"] };

function checksBy({ options }: FakeAws) {
  const client = new LambdaClient(options);
  return lambdaChecks({ client, functionName, cluster: "production", now: () => noon });
}

checksContract(async (workloads) => {
  const ports = fakePorts({ workloads });
  const aws = await lambdaOf((input) => recordCheck(ports, input as RecordCheckInput));
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

recordingByLambda(functionName, (options) => {
  const checks = lambdaChecks({ ...options, cluster: "production", now: () => noon });
  return () => checks.record(workload(), problem);
});

test("cut off before it wrote, it writes and tells when the poll comes again", async () => {
  const ports = fakePorts({ workloads: [workload()], atMoment: killedAt("before change") });
  await using aws = await fakeAws(async ({ body }) => {
    const input = JSON.parse(body) as RecordCheckInput;
    return recordCheck(ports, input).then(
      (answer) => ({ body: answer }),
      () => thrown("Sandbox.Timedout"),
    );
  });
  await expect(checksBy(aws).record(workload(), problem)).rejects.toBeInstanceOf(Unreachable);
  expect(await checksBy(aws).record(ports.cluster.get(), problem)).toBe("recorded");
  expect(ports.published).toHaveLength(1);
});
