import { ApiException, type CoreV1Event } from "@kubernetes/client-node";
import { describe, expect, test } from "vitest";
import {
  createEventEmitter,
  eventActions,
  type EventSubject,
} from "../../../../functions/adapters/kubernetes/event.ts";
import type { KubernetesEvent } from "../../../../functions/ports/cluster.ts";
import { readDocument } from "../../../docs/document.ts";

const deployment: EventSubject = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  namespace: "shop",
  name: "web",
  uid: "u-1",
  resourceVersion: "7",
};
const { namespace: _, ...node } = { ...deployment, apiVersion: "v1", kind: "Node" };
const event: KubernetesEvent = { type: "Normal", reason: "Idle", message: "Ready", key: "k-1" };

/** Returns an emitter and the Events that `accepts` allows, as JSON; the others get a 422. */
function emitterWith(
  accepts: (event: CoreV1Event) => boolean,
  times: readonly string[] = ["2026-01-01T00:00:00.500Z"],
) {
  const written: CoreV1Event[] = [];
  const createEvent = async (_namespace: string, body: CoreV1Event) => {
    if (!accepts(body)) throw new ApiException(422, "Invalid", {}, {});
    written.push(JSON.parse(JSON.stringify(body)) as CoreV1Event);
  };
  let calls = 0;
  const now = () => new Date(times[Math.min(calls++, times.length - 1)] ?? "");
  return { emit: createEventEmitter({ createEvent }, now), written };
}

test.for([
  { when: "the clock does not advance", times: ["2026-01-01T00:00:00.500Z"] },
  { when: "the clock is set back", times: ["2026-01-01T00:00:00.500Z", "2026-01-01T00:00:00.100Z"] },
])("event times increase by at least a microsecond if $when", async ({ times }) => {
  const { emit, written } = emitterWith(() => true, times);
  for (let count = 0; count < 3; count += 1) await emit(deployment, event);
  expect(written.map(({ eventTime }) => eventTime)).toEqual([
    "2026-01-01T00:00:00.500000Z",
    "2026-01-01T00:00:00.500001Z",
    "2026-01-01T00:00:00.500002Z",
  ]);
});

test("event times follow the clock", async () => {
  const { emit, written } = emitterWith(() => true, ["2026-01-01T00:00:00.500Z", "2026-01-01T00:00:00.501Z"]);
  for (let count = 0; count < 2; count += 1) await emit(deployment, event);
  expect(written[1]?.eventTime).toBe("2026-01-01T00:00:00.501000Z");
});

test.for([
  { when: "multi-byte characters", message: "版本".repeat(400), bytes: 1023 },
  { when: "one ellipsis at the end", message: `${"x".repeat(1023)}…`, bytes: 1023 },
  { when: "one byte too many", message: "x".repeat(1025), bytes: 1024 },
])("a message of $when is cut to 1024 bytes between characters", async ({ message, bytes }) => {
  const { emit, written } = emitterWith(() => true);
  await emit(deployment, { ...event, message });
  const text = written[0]?.message ?? "";
  expect(Buffer.byteLength(text)).toBe(bytes);
  expect(message.startsWith(text)).toBe(true);
});

describe("a server that rejects eventTime", () => {
  const isDeprecatedForm = ({ eventTime }: CoreV1Event) => eventTime === undefined;

  test("gets the deprecated timestamps for a cluster-scoped object", async () => {
    const { emit, written } = emitterWith(isDeprecatedForm);
    await emit(node, event);
    const time = "2026-01-01T00:00:00.500000Z";
    expect(written).toMatchObject([{ firstTimestamp: time, lastTimestamp: time, count: 1, action: "ReleaseSlot" }]);
  });

  test("gets them for a namespaced object too", async () => {
    const { emit, written } = emitterWith(isDeprecatedForm);
    await emit(deployment, event);
    expect(written).toMatchObject([{ count: 1, involvedObject: { namespace: "shop" } }]);
  });

  test("and the deprecated form fails the Event", async () => {
    const { emit, written } = emitterWith(() => false);
    await expect(emit(deployment, event)).rejects.toMatchObject({ code: 422 });
    expect(written).toEqual([]);
  });
});

test("every reason in docs/reference/events.md has an action", () => {
  const rows = readDocument("events.md").matchAll(
    /^\| (?:(?:pool|node) \| )?`([A-Z][A-Za-z]+)` \| (?:Normal|Warning)/gm,
  );
  expect(new Set(Object.keys(eventActions))).toEqual(new Set([...rows].map(([, reason]) => reason)));
});
