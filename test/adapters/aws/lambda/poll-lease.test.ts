import { LambdaClient } from "@aws-sdk/client-lambda";
import { expect, test } from "vitest";
import { createLambdaPollLease } from "../../../../functions/adapters/aws/lambda/poll-lease.ts";
import { handler, recordCheck } from "../../../../functions/handlers/record-check.ts";
import type { RecordCheckInput } from "../../../../functions/ports/check-recorder.ts";
import type { LeaseInput, LeaseState } from "../../../../functions/ports/poll-lease.ts";
import { type FakeAws, fakeAws } from "../../../support/aws/aws-services.ts";
import { fakePorts } from "../../../support/fake-ports.ts";
import { functionError, startLambda } from "./recording-client.ts";

const functionName = "arn:aws:lambda:eu-west-1:123456789012:function:pawl-record-check:live";

function openLease({ options }: FakeAws) {
  return createLambdaPollLease({ client: new LambdaClient(options), functionName, cluster: "production" });
}

test.for<LeaseState>([
  { kind: "held", takenOverFrom: null },
  { kind: "held", takenOverFrom: "aws killed" },
  { kind: "absent" },
  { kind: "taken", by: "another" },
])("the function takes the lease: %j", async (state) => {
  const written: string[] = [];
  const ownPollLease = {
    ...fakePorts({}).ownPollLease,
    acquire: async (poll: string) => (written.push(`acquire ${poll}`), state),
    release: async (poll: string) => void written.push(`release ${poll}`),
  };
  const aws = await startLambda((input) => recordCheck({ ...fakePorts({}), ownPollLease }, input as LeaseInput));
  const lease = openLease(aws);
  expect(await lease.acquire("poll-1")).toEqual(state);
  await lease.release("poll-1");
  expect(written).toEqual(["acquire poll-1", "release poll-1"]);
});

test("a function of an earlier version does not say from whom", async () => {
  await using aws = await fakeAws(() => ({ body: { lease: { kind: "held" } } }));
  expect(await openLease(aws).acquire("poll-1")).toEqual({ kind: "held", takenOverFrom: null });
});

test("the function is invoked with exactly its input", async () => {
  await using aws = await fakeAws(() => ({ body: { lease: { kind: "held" } } }));
  await openLease(aws).acquire("poll-1");
  expect(aws.calls.map(({ body }) => JSON.parse(body))).toEqual([
    { cluster: "production", lease: { verb: "acquire", poll: "poll-1" } },
  ]);
});

test.for([
  { when: "throws Forbidden", answer: functionError("Forbidden"), name: "Forbidden" },
  { when: "is terminated", answer: functionError("Sandbox.Timedout"), name: "Unreachable" },
  { when: "has no lease yet", answer: { body: { results: [] } }, name: "Unreachable" },
  { when: "returns another state", answer: { body: { lease: { kind: "stolen" } } }, name: "Unreachable" },
  { when: "returns no holder", answer: { body: { lease: { kind: "taken" } } }, name: "Unreachable" },
  { when: "returns no object", answer: { body: { lease: "held" } }, name: "Unreachable" },
  { when: "returns null", answer: { body: { lease: null } }, name: "Unreachable" },
  { when: "returns nothing", answer: { body: null as unknown as object }, name: "Unreachable" },
])("a function that $when: $name", async ({ answer, name }) => {
  await using aws = await fakeAws(() => answer);
  await expect(openLease(aws).acquire("poll-1")).rejects.toMatchObject({ name });
});

test.for([{ verb: "steal", poll: "poll-1" }, { verb: "acquire" }, null])("the input %j is invalid", async (lease) => {
  const input = { cluster: "production", lease } as unknown as RecordCheckInput;
  await expect(handler(input)).rejects.toMatchObject({ name: "InputInvalid" });
});
