import { LambdaClient } from "@aws-sdk/client-lambda";
import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { Unreachable } from "../../../../functions/ports/errors.ts";
import { createLambdaCheckRecorder } from "../../../../functions/adapters/aws/lambda/check-recorder.ts";
import { recordCheck } from "../../../../functions/handlers/record-check.ts";
import { type CheckDecision, maxChecks, type RecordCheckInput } from "../../../../functions/ports/check-recorder.ts";
import { checkRecorderContract } from "../../../contracts/check-recorder.ts";
import { hold } from "../../../../functions/domain/workload/decision/decision.ts";
import { type FakeAws, fakeAws } from "../../../support/aws/aws-services.ts";
import { fakePorts, killedAt } from "../../../support/fake-ports.ts";
import { image, noon, workload } from "../../../support/workloads.ts";
import { startLambda, lambdaRecorderContract, functionError } from "./recording-client.ts";
import { problemsOf } from "../../../support/problems.ts";

const functionName = "arn:aws:lambda:eu-west-1:123456789012:function:pawl-record-check:live";
const problem: CheckDecision = { kind: "problem", problems: problemsOf("schedule: what?") };

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
  await using aws = await fakeAws(() => ({ body: { results: [{ kind: "written", reason: "" }] } }));
  await createRecorder(aws).record(workload(), problem);
  expect(aws.calls.map(({ operation, body }) => [operation, JSON.parse(body)])).toEqual([
    [
      `POST /2015-03-31/functions/${encodeURIComponent(functionName)}/invocations`,
      {
        cluster: "production",
        checks: [{ workload: workload().ref, resourceVersion: "7", recordVersion: "r-7", decision: problem }],
      },
    ],
  ]);
});

test("the function is not invoked if there is nothing to write or emit", async () => {
  await using aws = await fakeAws(() => "hang up");
  const reported = workload({ lastReported: { held: null, problem: "schedule: what?" } });
  expect(await createRecorder(aws).record(reported, problem)).toBe("none");
  expect(aws.calls).toEqual([]);
});

test.for([
  { when: "the function fails", answer: "hang up" },
  { when: "the workload has changed", answer: { body: { results: [{ kind: "changed", reason: "it was changed" }] } } },
] as const)("a check that only looks for lost Events never fails: $when", async ({ answer }) => {
  await using aws = await fakeAws(() => answer);
  const versionHistory = [
    { version: "1.0.0", appliedAt: noon, status: "Healthy", image, finishedAt: noon, execution: "e-1" } as const,
  ];
  const evaluated = { state: "UpToDate", reason: "NewestVersion", message: "1.0.0 is the newest" } as const;
  const updateRecord = { lastUpdate: noon, currentVersion: "1.0.0", versionHistory };
  const updated = workload({ evaluated, updateRecord });
  expect(await createRecorder(aws).record(updated, hold("no-newer-version", "1.0.0 is the newest"))).toBe("none");
  expect(aws.calls.length).toBeGreaterThan(0);
});

const forEachCheck = (result: object, input: unknown) => ({
  results: (input as RecordCheckInput).checks.map(() => result),
});

lambdaRecorderContract(
  functionName,
  (options) => {
    const checks = createLambdaCheckRecorder({ ...options, cluster: "production", now: () => noon });
    return () => checks.record(workload(), problem);
  },
  { callsPerInvocation: maxChecks, output: forEachCheck },
);

describe("checks at the same time", () => {
  /** Records `decisions` together; returns what each became, and the invocations. */
  async function recordTogether(
    decisions: readonly CheckDecision[],
    answer: (input: RecordCheckInput) => readonly object[],
  ) {
    await using aws = await fakeAws(({ body }) => ({
      body: { results: answer(JSON.parse(body) as RecordCheckInput) },
    }));
    const { record } = createRecorder(aws);
    const outcomes = await Promise.allSettled(decisions.map((decision) => record(workload(), decision)));
    return {
      outcomes: outcomes.map((one) => (one.status === "fulfilled" ? one.value : (one.reason as Error).name)),
      messages: outcomes.map((one) => (one.status === "fulfilled" ? "" : (one.reason as Error).message)),
      batches: aws.calls.map(({ body }) => (JSON.parse(body) as RecordCheckInput).checks.length),
    };
  }

  test("share an invocation, and each gets its own result", async () => {
    const results = [
      { kind: "written", reason: "" },
      { kind: "failed", error: "Forbidden", message: "patch: 403" },
      { kind: "nothing-new", reason: "" },
      { kind: "failed", error: "Throttled", message: "patch: 429" },
      { kind: "changed", reason: "it was changed" },
      { kind: "failed", error: "Unreachable", message: "no answer" },
      { kind: "failed", error: "AdmissionDenied", message: "webhook x denied the request" },
    ];
    const { outcomes, messages, batches } = await recordTogether(
      results.map(() => problem),
      () => results,
    );
    const expected = ["recorded", "Forbidden", "none", "Throttled", "Conflict", "Unreachable", "RecordCheckFailed"];
    expect(outcomes).toEqual(expected);
    expect(messages.at(-1)).toContain("AdmissionDenied: webhook x denied the request");
    expect(batches).toEqual([7]);
  });

  test("a result that is missing fails only its own check", async () => {
    const { outcomes } = await recordTogether([problem, problem], () => [{ kind: "written", reason: "" }]);
    expect(outcomes).toEqual(["recorded", "RecordCheckFailed"]);
  });

  test("more than 100 need another invocation", async () => {
    const { outcomes, batches } = await recordTogether(
      Array.from({ length: 250 }, () => problem),
      ({ checks }) => checks.map(() => ({ kind: "written", reason: "" })),
    );
    expect(new Set(outcomes)).toEqual(new Set(["recorded"]));
    expect(batches.toSorted((a, b) => a - b)).toEqual([50, 100, 100]);
  });

  test("stay below the payload limit of Lambda; one that alone exceeds it is sent alone", async () => {
    const mebibyte = 1024 * 1024;
    const problemOf = (mebibytes: number): CheckDecision => ({
      kind: "problem",
      problems: problemsOf("x".repeat(mebibytes * mebibyte)),
    });
    const { batches } = await recordTogether([1, 1, 1, 1, 5, 1].map(problemOf), ({ checks }) =>
      checks.map(() => ({ kind: "written", reason: "" })),
    );
    expect(batches.toSorted((a, b) => a - b)).toEqual([1, 1, 1, 3]);
  });

  test("that arrive while four invocations run wait for the next one together", async () => {
    const release = Promise.withResolvers<void>();
    await using aws = await fakeAws(async ({ body }) => {
      await release.promise;
      return { body: forEachCheck({ kind: "written", reason: "" }, JSON.parse(body)) };
    });
    const { record } = createRecorder(aws);
    const recorded: Promise<unknown>[] = [];
    for (let count = 1; count <= 4; count += 1) {
      recorded.push(record(workload(), problem));
      while (aws.calls.length < count) await setImmediate();
    }
    for (let count = 0; count < 30; count += 1) {
      recorded.push(record(workload(), problem));
      await setImmediate();
    }
    release.resolve();
    expect(new Set(await Promise.all(recorded))).toEqual(new Set(["recorded"]));
    expect(aws.calls.map(({ body }) => (JSON.parse(body) as RecordCheckInput).checks.length)).toEqual([1, 1, 1, 1, 30]);
  });
});

test("a function that was terminated before its write writes and emits in the next poll", async () => {
  const ports = fakePorts({ workloads: [workload()], atMoment: killedAt("before change") });
  await using aws = await fakeAws(async ({ body }) => {
    const input = JSON.parse(body) as RecordCheckInput;
    const output = await recordCheck(ports, input);
    const isKilled = output.results.some((result) => result.kind === "failed" && result.error === "Killed");
    return isKilled ? functionError("Sandbox.Timedout") : { body: output };
  });
  await expect(createRecorder(aws).record(workload(), problem)).rejects.toBeInstanceOf(Unreachable);
  expect(await createRecorder(aws).record(ports.cluster.get(), problem)).toBe("recorded");
  expect(ports.published).toHaveLength(1);
});
