import { expect, test } from "vitest";
import { mergePatch, type At } from "./bench.ts";
import { makeSettled, settled } from "./samples.ts";

export function controllers(at: At): void {
  test.for(["deployments", "statefulsets", "daemonsets"])(
    "the controller of %s catches up with every change",
    async (plural) => {
      const { path, object } = await makeSettled(at(), plural);
      expect(object.status?.observedGeneration).toBe(1);
      const body = { spec: { template: { metadata: { annotations: { mark: "1" } } } } };
      const changed = await at().request("PATCH", path, { contentType: mergePatch, body });
      const after = await settled(at(), path, changed.body);
      expect(after.status?.observedGeneration).toBe(2);
    },
  );

  test("a Deployment of no pods says no numbers", async () => {
    const { object } = await makeSettled(at(), "deployments");
    const { observedGeneration, conditions, ...numbers } = object.status ?? {};
    expect(numbers).toEqual({});
    expect([observedGeneration, Object.keys(conditions ?? {}).length]).toEqual([1, 2]);
  });

  test("a StatefulSet names its revisions, and its own number of replicas always", async () => {
    const { object } = await makeSettled(at(), "statefulsets");
    const revision = expect.stringMatching(new RegExp(`^${String(object.metadata?.name)}-[0-9a-z]+$`)) as string;
    expect(object.status).toMatchObject({ replicas: 0, currentRevision: revision, updateRevision: revision });
    expect(object.status).not.toHaveProperty("readyReplicas");
  });

  test("a DaemonSet that no node wants says zero", async () => {
    const { object } = await makeSettled(at(), "daemonsets");
    const zero = { currentNumberScheduled: 0, desiredNumberScheduled: 0, numberMisscheduled: 0, numberReady: 0 };
    expect(object.status).toEqual({ ...zero, observedGeneration: 1 });
  });
}
