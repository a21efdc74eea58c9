import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { EventBridgeClient } from "@aws-sdk/client-eventbridge";
import { expect, onTestFinished, test } from "vitest";
import { eventBridgeEvents } from "../../functions/adapters/event-bridge.ts";
import type { Events, PoolEventDetail, UpdateEventDetail } from "../../functions/ports/events.ts";
import type { BusEvent } from "../../infra/local/event-bridge/bus-event.ts";
import { startAwsEndpoint } from "../../infra/local/wire/aws-endpoint.ts";
import { credentials, startedAt } from "../infra/local/step-functions-fixture.ts";

const detail: UpdateEventDetail = {
  cluster: "local",
  workload: { apiVersion: "apps/v1", kind: "Deployment", namespace: "shop", name: "web", uid: "1" },
  execution: null,
  currentVersion: "1.0.0",
  version: "1.1.0",
  image: "registry.example/web:1.1.0",
  reason: null,
};

const ofPool: PoolEventDetail = {
  cluster: "local",
  nodePool: { name: "workers", uid: "1" },
  node: null,
  execution: null,
  image: null,
  digest: null,
  reason: null,
};

function eventsAt(endpoint: string) {
  const client = new EventBridgeClient({ endpoint, region: "us-east-1", credentials, maxAttempts: 1 });
  onTestFinished(() => client.destroy());
  return eventBridgeEvents({ client, busName: "pawl", now: () => startedAt });
}

/** A bus that gives every request the same answer. */
async function busThatSays(status: number, answer: object) {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status, { "content-type": "application/x-amz-json-1.1" }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return eventsAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

/** A local bus, and what has been delivered to it. */
async function aBus() {
  const delivered: BusEvent[] = [];
  const onEvent = (event: BusEvent) => void delivered.push(event);
  const endpoint = await startAwsEndpoint({ machines: {}, now: () => new Date(0), waitScale: 0, onEvent });
  onTestFinished(() => endpoint.close());
  return { events: eventsAt(endpoint.url), delivered };
}

test.for<[string, (events: Events) => Promise<void>, object]>([
  ["Update Available", (events) => events.publish("Update Available", detail), detail],
  ["Node Pool Degraded", (events) => events.publishPool("Node Pool Degraded", ofPool), ofPool],
])(
  "%s stands on the bus with pawl as its source, its type, its detail and its time",
  async ([type, publish, whole]) => {
    const { events, delivered } = await aBus();
    await publish(events);
    const { id } = delivered[0] ?? {};
    const envelope = { bus: "pawl", id, source: "pawl", "detail-type": type, time: startedAt, resources: [] };
    expect(delivered).toEqual([{ ...envelope, detail: whole }]);
  },
);

test.for([
  { said: 1024, stands: 1024 },
  { said: 300_000, stands: 1024 },
])("of a reason of $said characters $stands stand on the bus", async ({ said, stands }) => {
  const { events, delivered } = await aBus();
  await events.publishPool("Node Pool Degraded", { ...ofPool, reason: "w".repeat(said) });
  expect(delivered[0]?.detail["reason"]).toBe("w".repeat(stands));
});

test.for([
  { code: "ThrottlingException", name: "Throttled" },
  { code: "InternalFailure", name: "Unreachable" },
  { code: "MalformedDetail", name: "EventRefused" },
])("an entry that failed with $code raises $name", async ({ code, name }) => {
  const answer = { FailedEntryCount: 1, Entries: [{ ErrorCode: code, ErrorMessage: "no" }] };
  const events = await busThatSays(200, answer);
  await expect(events.publish("Update Held", detail)).rejects.toMatchObject({ name });
  await expect(events.publishPool("Node Drain Slow", ofPool)).rejects.toMatchObject({ name });
});

test.for([
  { status: 400, type: "ThrottlingException", name: "Throttled" },
  { status: 500, type: "InternalException", name: "Unreachable" },
  { status: 400, type: "ValidationException", name: "ValidationException" },
])("a call that failed with $type raises $name", async ({ status, type, name }) => {
  const events = await busThatSays(status, { __type: type, message: "no" });
  await expect(events.publish("Update Held", detail)).rejects.toMatchObject({ name });
  await expect(events.publishPool("Node Drain Slow", ofPool)).rejects.toMatchObject({ name });
});
