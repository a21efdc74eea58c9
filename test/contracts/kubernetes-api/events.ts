import { expect, test } from "vitest";
import { mergePatch, unique, type At } from "./bench.ts";

export function events(at: At): void {
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
  const collection = () => `/api/v1/namespaces/${at().namespace}/events`;

  test("are written once under one name", async () => {
    const body = event(unique("event"));
    expect((await at().request("POST", collection(), { body })).code).toBe(201);
    const again = await at().request("POST", collection(), { body });
    expect(again.code).toBe(409);
    expect(again.body).toMatchObject({
      reason: "AlreadyExists",
      details: { kind: "events", name: body.metadata.name },
    });
  });

  test("are found by the object they are about", async () => {
    const name = unique("event");
    await at().request("POST", collection(), { body: event(name) });
    await at().request("POST", collection(), { body: event(unique("event")) });
    const fieldSelector = `involvedObject.uid=${name},reason=UpdateStarted,type=Normal`;
    const { items } = await at().core.listNamespacedEvent({ namespace: at().namespace, fieldSelector });
    expect(items.map((item) => item.metadata.name)).toEqual([name]);
    expect(items[0]).toMatchObject({ message: "1.0.0 to 1.1.0", count: 1, involvedObject: { kind: "Deployment" } });
  });

  test("lie in the namespace of that object", async () => {
    const { code, body } = await at().request("POST", collection(), {
      body: event(unique("event"), { namespace: "other" }),
    });
    expect(code).toBe(422);
    expect(body.message).toContain("involvedObject.namespace");
  });

  test("can be counted up", async () => {
    const name = unique("event");
    await at().request("POST", collection(), { body: event(name) });
    const { body } = await at().request("PATCH", `${collection()}/${name}`, {
      contentType: mergePatch,
      body: { count: 2 },
    });
    expect(body).toMatchObject({ count: 2, reason: "UpdateStarted" });
  });
}
