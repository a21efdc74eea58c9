import { expect, test } from "vitest";
import { mergePatch, unique, type At } from "./harness.ts";

export function testEvents(at: At): void {
  const event = (name: string, involved: object = {}) => ({
    metadata: { name },
    involvedObject: {
      apiVersion: "apps/v1",
      kind: "Deployment",
      namespace: at().namespace,
      name: "web",
      uid: name,
      ...involved,
    },
    reason: "UpdateStarted",
    message: "1.0.0 to 1.1.0",
    type: "Normal",
    source: { component: "pawl" },
    firstTimestamp: "2026-01-01T00:00:00Z",
    lastTimestamp: "2026-01-01T00:00:00Z",
    count: 1,
  });
  /** In the form of events.k8s.io/v1. */
  const microTimeEvent = (name: string, changes: object = {}) => {
    const { firstTimestamp: _first, lastTimestamp: _last, count: _count, ...body } = event(name);
    const reporting = { reportingComponent: "pawl.dev/controller", reportingInstance: "pawl-1", action: "ApplyUpdate" };
    return { ...body, ...reporting, eventTime: "2026-01-01T00:00:00.000001Z", ...changes };
  };
  const collection = () => `/api/v1/namespaces/${at().namespace}/events`;

  test("are created once per name", async () => {
    const body = event(unique("event"));
    expect((await at().request("POST", collection(), { body })).code).toBe(201);
    const again = await at().request("POST", collection(), { body });
    expect(again.code).toBe(409);
    expect(again.body).toMatchObject({
      reason: "AlreadyExists",
      details: { kind: "events", name: body.metadata.name },
    });
  });

  test("keep the microseconds of eventTime and get no other time", async () => {
    const body = microTimeEvent(unique("event"));
    const created = await at().request("POST", collection(), { body });
    expect(created.code).toBe(201);
    const { eventTime, reportingComponent, reportingInstance, action } = body;
    expect(created.body).toMatchObject({ eventTime, reportingComponent, reportingInstance, action });
    const { firstTimestamp, lastTimestamp } = created.body as Readonly<Record<string, unknown>>;
    expect([firstTimestamp ?? null, lastTimestamp ?? null]).toEqual([null, null]);
  });

  test.for([
    { when: "without reportingComponent", changes: { reportingComponent: "" }, field: "reporting" },
    { when: "without reportingInstance", changes: { reportingInstance: "" }, field: "reportingInstance" },
    {
      when: "with a reportingInstance of 129 characters",
      changes: { reportingInstance: "x".repeat(129) },
      field: "reportingInstance",
    },
    { when: "without action", changes: { action: "" }, field: "action" },
    { when: "with an action of 129 characters", changes: { action: "x".repeat(129) }, field: "action" },
    { when: "without reason", changes: { reason: "" }, field: "reason" },
    { when: "with a message of 1025 characters", changes: { message: "x".repeat(1025) }, field: "message" },
  ])("with eventTime, $when, are invalid", async ({ changes, field }) => {
    const { code, body } = await at().request("POST", collection(), { body: microTimeEvent(unique("event"), changes) });
    expect({ code, message: body.message }).toEqual({ code: 422, message: expect.stringContaining(field) });
  });

  test("are selected by their object", async () => {
    const name = unique("event");
    await at().request("POST", collection(), { body: event(name) });
    await at().request("POST", collection(), { body: event(unique("event")) });
    const fieldSelector = `involvedObject.uid=${name},reason=UpdateStarted,type=Normal,source=pawl`;
    const { items } = await at().core.listNamespacedEvent({ namespace: at().namespace, fieldSelector });
    expect(items.map((item) => item.metadata.name)).toEqual([name]);
    expect(items[0]).toMatchObject({ message: "1.0.0 to 1.1.0", count: 1, involvedObject: { kind: "Deployment" } });
  });

  test("are in the namespace of their object", async () => {
    const { code, body } = await at().request("POST", collection(), {
      body: event(unique("event"), { namespace: "other" }),
    });
    expect(code).toBe(422);
    expect(body.message).toContain("involvedObject.namespace");
  });

  test("have a count that can be increased", async () => {
    const name = unique("event");
    await at().request("POST", collection(), { body: event(name) });
    const { body } = await at().request("PATCH", `${collection()}/${name}`, {
      contentType: mergePatch,
      body: { count: 2 },
    });
    expect(body).toMatchObject({ count: 2, reason: "UpdateStarted" });
  });
}
