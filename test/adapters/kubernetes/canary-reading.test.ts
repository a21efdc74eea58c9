import { describe, expect, test } from "vitest";
import { updateOf } from "../../contracts/cluster/auto-update-harness.ts";
import { autoUpdateOf, readBuiltIn, readClaw, stored } from "./reading.ts";

const status = {
  update: updateOf(
    { apiVersion: "apps/v1", kind: "StatefulSet", name: "app", ...stored },
    { strategy: "Canary", hasCanary: true },
  ),
};

describe("pawl.dev/canary is a problem for a kind without canaries", () => {
  const annotations = { "pawl.dev/canary": "1" };
  test.for([
    { kind: "a DaemonSet", read: () => readBuiltIn("DaemonSet", { annotations }), message: "one pod on each node" },
    { kind: "a Claw", read: () => readClaw({ annotations }), message: "one replica" },
  ])("$kind", async ({ read, message }) => {
    const { policy, problems } = await read();
    expect(policy.canary).toBeNull();
    expect(problems).toEqual([expect.stringMatching(new RegExp(`^pawl\\.dev/canary "1": .*${message}`))]);
  });
});

test.for(["2", "25%", "x", "0", "100%"])("pawl.dev/canary %s on a StatefulSet", async (canary) => {
  const { policy, problems } = await readBuiltIn("StatefulSet", { annotations: { "pawl.dev/canary": canary } });
  expect(policy.canary === null).toBe(problems.length === 1);
});

describe("a StatefulSet's canary is read from its partition", () => {
  const set = (partition: number, counts: object) =>
    readBuiltIn(
      "StatefulSet",
      { spec: { replicas: 3, updateStrategy: { rollingUpdate: { partition } } } },
      { status: counts },
      autoUpdateOf("StatefulSet", { status }),
    );

  test.for([
    { when: "no pod is updated", partition: 2, updated: 0, ready: 3, canary: { updatedReplicas: 0, readyReplicas: 1 } },
    { when: "it is replaced", partition: 2, updated: 0, ready: 2, canary: { updatedReplicas: 0, readyReplicas: 0 } },
    {
      when: "it is up and not ready",
      partition: 2,
      updated: 1,
      ready: 2,
      canary: { updatedReplicas: 1, readyReplicas: 0 },
    },
    { when: "it is ready", partition: 2, updated: 1, ready: 3, canary: { updatedReplicas: 1, readyReplicas: 1 } },
    { when: "many are not ready", partition: 2, updated: 1, ready: 1, canary: { readyReplicas: 0 } },
  ])("$when", async ({ partition, updated, ready, canary }) => {
    const workload = await set(partition, { updatedReplicas: updated, readyReplicas: ready });
    expect(workload.canary).toMatchObject({ desiredReplicas: 1, ...canary });
    expect(workload.problems).toEqual([]);
  });

  test("a canary scaled below the partition has no replicas", async () => {
    expect((await set(5, {})).canary).toMatchObject({ desiredReplicas: 0, readyReplicas: 0 });
  });

  test("the canary names for queries are the revisions", async () => {
    const { canaryNames } = await set(2, { currentRevision: "app-1", updateRevision: "app-2" });
    expect(canaryNames).toEqual({ stable: "app-1", canary: "app-2" });
    expect((await set(2, {})).canaryNames).toEqual({ stable: "app", canary: "app" });
  });
});

test("a partition that no canary has set is a problem", async () => {
  const spec = { updateStrategy: { rollingUpdate: { partition: 2 } } };
  const { problems, canary } = await readBuiltIn("StatefulSet", { spec });
  expect(problems).toEqual([expect.stringContaining("rollingUpdate.partition 2")]);
  expect(canary).toBeNull();
});
