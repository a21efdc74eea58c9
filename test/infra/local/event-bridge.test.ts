import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from "@aws-sdk/client-eventbridge";
import { ListStateMachinesCommand, SFNClient } from "@aws-sdk/client-sfn";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { BusEvent } from "../../../infra/local/event-bridge/bus-event.ts";
import { startAwsEndpoint } from "../../../infra/local/runtime/aws-endpoint.ts";
import { credentials, done, startedAt, startFixture } from "./step-functions-fixture.ts";

const validEntry: PutEventsRequestEntry = {
  Source: "pawl",
  DetailType: "Update Started",
  Detail: '{"n":1}',
  EventBusName: "b",
};

async function startBus() {
  const delivered: BusEvent[] = [];
  const { accessKeyId } = credentials;
  const onEvent = (event: BusEvent) => void delivered.push(event);
  const endpoint = await startAwsEndpoint({ machines: {}, now: () => startedAt, waitScale: 0, accessKeyId, onEvent });
  const client = new EventBridgeClient({ endpoint: endpoint.url, region: "us-east-1", credentials, maxAttempts: 1 });
  onTestFinished(async () => {
    client.destroy();
    await endpoint.close();
  });
  return {
    delivered,
    put: (Entries: PutEventsRequestEntry[] | undefined) => client.send(new PutEventsCommand({ Entries })),
  };
}

test("an event is delivered unchanged, and its id is returned", async () => {
  const { delivered, put } = await startBus();
  const time = new Date("2026-11-20T11:30:00Z");
  const response = await put([
    { ...validEntry, Resources: ["arn:x"], Time: time },
    { ...validEntry, Detail: '{"n":2}' },
  ]);
  expect(response).toMatchObject({ FailedEntryCount: 0 });
  expect(response.Entries?.map(({ EventId }) => EventId)).toEqual(delivered.map(({ id }) => id));
  const common = { bus: "b", source: "pawl", "detail-type": "Update Started" };
  expect(delivered).toMatchObject([
    { ...common, time, resources: ["arn:x"], detail: { n: 1 } },
    { ...common, time: startedAt, resources: [], detail: { n: 2 } },
  ]);
});

describe("an invalid entry does not affect the others", () => {
  test.for([
    { when: "the detail is not JSON", bad: { Detail: "{" }, code: "MalformedDetail" },
    { when: "the detail is not an object", bad: { Detail: "[1]" }, code: "MalformedDetail" },
    { when: "the detail is missing", bad: { Detail: undefined }, code: "InvalidArgument" },
    { when: "the source is missing", bad: { Source: undefined }, code: "InvalidArgument" },
    { when: "the detail type is empty", bad: { DetailType: "" }, code: "InvalidArgument" },
  ])("$code, when $when", async ({ bad, code }) => {
    const { delivered, put } = await startBus();
    const response = await put([validEntry, { ...validEntry, ...bad }]);
    expect(response.FailedEntryCount).toBe(1);
    expect(response.Entries).toMatchObject([{ EventId: expect.any(String) }, { ErrorCode: code }]);
    expect(delivered).toHaveLength(1);
  });
});

test.for([
  { when: "it has eleven entries", entries: Array.from({ length: 11 }, () => validEntry) },
  { when: "it has no entries", entries: [] },
  { when: "the list of entries is missing", entries: undefined },
])("a request is rejected if $when", async ({ entries }) => {
  const { delivered, put } = await startBus();
  await expect(put(entries)).rejects.toMatchObject({ name: "ValidationException" });
  expect(delivered).toEqual([]);
});

test("ten entries are accepted", async () => {
  const { delivered, put } = await startBus();
  await put(Array.from({ length: 10 }, () => validEntry));
  expect(delivered).toHaveLength(10);
});

test("SDK clients use the endpoint from AWS_ENDPOINT_URL_*", async () => {
  const { endpoint, sfn } = await startFixture(done);
  for (const service of ["SFN", "EVENTBRIDGE"]) vi.stubEnv(`AWS_ENDPOINT_URL_${service}`, endpoint.url);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { stateMachines } = await new SFNClient({ region: "eu-west-1", credentials }).send(
    new ListStateMachinesCommand({}),
  );
  expect(stateMachines).toEqual((await sfn.send(new ListStateMachinesCommand({}))).stateMachines);
  const bus = new EventBridgeClient({ region: "eu-west-1", credentials });
  expect(await bus.send(new PutEventsCommand({ Entries: [validEntry] }))).toMatchObject({ FailedEntryCount: 0 });
});
