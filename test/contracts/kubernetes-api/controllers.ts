import { expect, test } from "vitest";
import { mergePatch, type At } from "./harness.ts";
import { createObserved, waitUntilObserved } from "./samples.ts";

export function testControllers(at: At): void {
  test.for(["deployments", "statefulsets", "daemonsets"])(
    "the controller of %s observes every change",
    async (plural) => {
      const { path, object } = await createObserved(at(), plural);
      expect(object.status?.observedGeneration).toBe(1);
      const body = { spec: { template: { metadata: { annotations: { mark: "1" } } } } };
      const changed = await at().request("PATCH", path, { contentType: mergePatch, body });
      const after = await waitUntilObserved(at(), path, changed.body);
      expect(after.status?.observedGeneration).toBe(2);
    },
  );

  test("a Deployment without pods has no replica counts but that of terminating ones, since Kubernetes 1.35", async () => {
    const { object } = await createObserved(at(), "deployments");
    const { observedGeneration, conditions, ...numbers } = object.status ?? {};
    expect([{}, { terminatingReplicas: 0 }]).toContainEqual(numbers);
    expect([observedGeneration, Object.keys(conditions ?? {}).length]).toEqual([1, 2]);
  });

  test("a StatefulSet has its revisions, and always its replicas", async () => {
    const { object } = await createObserved(at(), "statefulsets");
    const revision = expect.stringMatching(new RegExp(`^${String(object.metadata?.name)}-[0-9a-z]+$`)) as string;
    expect(object.status).toMatchObject({ replicas: 0, currentRevision: revision, updateRevision: revision });
    expect(object.status).not.toHaveProperty("readyReplicas");
  });

  test("a DaemonSet that matches no node has zero counts", async () => {
    const { object } = await createObserved(at(), "daemonsets");
    const zero = { currentNumberScheduled: 0, desiredNumberScheduled: 0, numberMisscheduled: 0, numberReady: 0 };
    expect(object.status).toEqual({ ...zero, observedGeneration: 1 });
  });
}
