import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { EventBridgeClient } from "@aws-sdk/client-eventbridge";
import { expect, onTestFinished, test } from "vitest";
import { createEventBridgeEvents } from "../../../functions/adapters/aws/event-bridge.ts";
import type { Events, PoolEventDetail, UpdateEventDetail } from "../../../functions/ports/events.ts";
import type { BusEvent } from "../../../infra/local/event-bridge/bus-event.ts";
import { startAwsEndpoint } from "../../../infra/local/runtime/aws-endpoint.ts";
import { credentials, startedAt } from "../../infra/local/step-functions-fixture.ts";

const detail: UpdateEventDetail = {
  cluster: "local",
  workload: { apiVersion: "apps/v1", kind: "Deployment", namespace: "shop", name: "web", uid: "1" },
  execution: null,
  currentVersion: "1.0.0",
  version: "1.1.0",
  image: "registry.example/web:1.1.0",
  reason: null,
  evidence: null,
  notify: ["team-a"],
};

const poolDetail: PoolEventDetail = {
  cluster: "local",
  nodePool: { name: "workers", uid: "1" },
  node: null,
  execution: null,
  image: null,
  digest: null,
  reason: null,
  notify: ["team-a"],
};

function eventsAt(endpoint: string) {
  const client = new EventBridgeClient({ endpoint, region: "us-east-1", credentials, maxAttempts: 1 });
  onTestFinished(() => client.destroy());
  return createEventBridgeEvents({ client, busName: "pawl", now: () => startedAt });
}

/** Starts a bus with the same response to every request. */
async function startScriptedBus(status: number, response: object) {
  const server = createServer((request, reply) => {
    request.resume();
    reply.writeHead(status, { "content-type": "application/x-amz-json-1.1" }).end(JSON.stringify(response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return eventsAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

/** Starts a local bus, and records its events. */
async function startBus() {
  const delivered: BusEvent[] = [];
  const { accessKeyId } = credentials;
  const onEvent = (event: BusEvent) => void delivered.push(event);
  const endpoint = await startAwsEndpoint({ machines: {}, now: () => new Date(0), waitScale: 0, accessKeyId, onEvent });
  onTestFinished(() => endpoint.close());
  return { events: eventsAt(endpoint.url), delivered };
}

test.for<[string, (events: Events) => Promise<void>, object]>([
  ["Update Available", (events) => events.publish("Update Available", detail), detail],
  ["Node Pool Degraded", (events) => events.publishPool("Node Pool Degraded", poolDetail), poolDetail],
])("%s is published with its source, type, detail and time", async ([type, publish, expected]) => {
  const { events, delivered } = await startBus();
  await publish(events);
  const { id } = delivered[0] ?? {};
  const envelope = { bus: "pawl", id, source: "pawl", "detail-type": type, time: startedAt, resources: [] };
  expect(delivered).toEqual([{ ...envelope, detail: expected }]);
});

test.for([
  { length: 1024, published: "w".repeat(1024) },
  { length: 300_000, published: `${"w".repeat(1023)}…` },
])("a reason of $length characters is published with at most 1024", async ({ length, published }) => {
  const { events, delivered } = await startBus();
  await events.publishPool("Node Pool Degraded", { ...poolDetail, reason: "w".repeat(length) });
  expect(delivered[0]?.detail["reason"]).toBe(published);
});

test.for([
  { code: "ThrottlingException", name: "Throttled" },
  { code: "InternalFailure", name: "Unreachable" },
  { code: "MalformedDetail", name: "EventRejected" },
])("an entry that failed with $code raises $name", async ({ code, name }) => {
  const response = { FailedEntryCount: 1, Entries: [{ ErrorCode: code, ErrorMessage: "no" }] };
  const events = await startScriptedBus(200, response);
  await expect(events.publish("Update Held", detail)).rejects.toMatchObject({ name });
  await expect(events.publishPool("Node Drain Slow", poolDetail)).rejects.toMatchObject({ name });
});

test.for([
  { status: 400, type: "ThrottlingException", name: "Throttled" },
  { status: 500, type: "InternalException", name: "Unreachable" },
  { status: 400, type: "ValidationException", name: "ValidationException" },
])("a call that failed with $type raises $name", async ({ status, type, name }) => {
  const events = await startScriptedBus(status, { __type: type, message: "no" });
  await expect(events.publish("Update Held", detail)).rejects.toMatchObject({ name });
  await expect(events.publishPool("Node Drain Slow", poolDetail)).rejects.toMatchObject({ name });
});
