import { describe, expect, test } from "vitest";
import { updateOf } from "../../../../contracts/cluster/auto-update/harness.ts";
import type { Pod } from "../../../../../functions/adapters/kubernetes/pods/pod.ts";
import { before as image } from "../../../../contracts/cluster-fixtures.ts";
import { autoUpdateOf, noApi, readBuiltIn, readClaw, stored } from "../../reading.ts";
import { textsOf } from "../../../../support/problems.ts";

const status = {
  update: updateOf(
    { apiVersion: "apps/v1", kind: "StatefulSet", name: "app", ...stored },
    { strategy: "Canary", hasCanary: true },
  ),
};

test("pawl.dev/canary is a problem for a Claw, which has no canaries", async () => {
  const { policy, problems } = await readClaw({ annotations: { "pawl.dev/canary": "1" } });
  expect(policy.canary).toBeNull();
  expect(textsOf(problems)).toEqual([expect.stringMatching(/^pawl\.dev\/canary "1": .*one replica/)]);
});

test.for(["2", "25%", "x", "0", "100%"])("pawl.dev/canary %s on a StatefulSet", async (canary) => {
  const { policy, problems } = await readBuiltIn("StatefulSet", { annotations: { "pawl.dev/canary": canary } });
  expect(policy.canary === null).toBe(problems.length === 1);
});

describe("a canary that would leave no stable replica of a StatefulSet is a problem", () => {
  test.for([
    { canary: "25%", replicas: 1, problem: "no stable replica of 1; use 2 replicas or more" },
    { canary: "3", replicas: 3, problem: "no stable replica of 3; use at most 2" },
    { canary: "99%", replicas: 3, problem: null },
    { canary: "2", replicas: 3, problem: null },
  ])("$canary of $replicas", async ({ canary, replicas, problem }) => {
    const parts = { annotations: { "pawl.dev/canary": canary }, spec: { replicas } };
    const { problems } = await readBuiltIn("StatefulSet", parts);
    expect(problems).toHaveLength(problem === null ? 0 : 1);
    expect(textsOf(problems).join("")).toMatch(problem === null ? /^$/ : new RegExp(`pawl.dev/canary: .* ${problem}`));
  });
});

test.for([
  { sizes: [1, 3], problem: "pawl.dev/canary-steps: the canary would leave no stable replica of 3; use at most 2" },
  { sizes: [1, 2], problem: null },
])("steps of sizes $sizes on a StatefulSet of 3: $problem", async ({ sizes, problem }) => {
  const steps = JSON.stringify(sizes.map((size) => ({ size })));
  const parts = { annotations: { "pawl.dev/canary-steps": steps }, spec: { replicas: 3 } };
  const { problems } = await readBuiltIn("StatefulSet", parts);
  expect(textsOf(problems)).toEqual(problem === null ? [] : [problem]);
});

test.for([
  {
    analysis: "errors",
    problem: "pawl.dev/canary-baseline: only a Deployment has pods beside its replicas; use stable",
  },
  { analysis: "", problem: null },
])("a baseline of its age for the canary of a StatefulSet with the analysis '$analysis'", async (one) => {
  const own = { "pawl.dev/canary-baseline": "sameAge", "pawl.dev/canary-analysis": one.analysis };
  const parts = { annotations: { "pawl.dev/canary": "1", ...own }, spec: { replicas: 3 } };
  const { problems } = await readBuiltIn("StatefulSet", parts);
  expect(textsOf(problems)).toEqual(one.problem === null ? [] : [one.problem]);
});

describe("a canary beside a Deployment must not use its volume at the same time", () => {
  const claim = { name: "data", persistentVolumeClaim: { claimName: "orders" } };
  test.for([
    { type: "Recreate", volumes: [claim], isRefused: true },
    { type: "Recreate", volumes: [{ name: "tmp", emptyDir: {} }], isRefused: false },
    { type: "Recreate", volumes: undefined, isRefused: false },
    { type: "RollingUpdate", volumes: [claim], isRefused: false },
  ])("$type with $volumes", async ({ type, volumes, isRefused }) => {
    const template = { metadata: { labels: { app: "app" } }, spec: { containers: [{ name: "app", image }], volumes } };
    const parts = { annotations: { "pawl.dev/canary": "1" }, spec: { replicas: 1, strategy: { type }, template } };
    const { problems } = await readBuiltIn("Deployment", parts, {}, null, { ...noApi, get: async () => null });
    expect(problems).toHaveLength(isRefused ? 1 : 0);
    const refusal = /pawl.dev\/canary: strategy Recreate.* PersistentVolumeClaim orders /;
    expect(textsOf(problems).join("")).toMatch(isRefused ? refusal : /^$/);
  });
});

describe("a StatefulSet's canary is read from its partition", () => {
  const set = (partition: number, counts: object, api = noApi) =>
    readBuiltIn(
      "StatefulSet",
      { spec: { replicas: 3, updateStrategy: { rollingUpdate: { partition } } } },
      { status: counts },
      autoUpdateOf("StatefulSet", { status }),
      api,
    );

  test.for([
    { when: "no pod is updated", partition: 2, updated: 0, ready: 3, canary: { updatedReplicas: 0, readyReplicas: 1 } },
    { when: "it is replaced", partition: 2, updated: 0, ready: 2, canary: { updatedReplicas: 0, readyReplicas: 0 } },
    { when: "it is ready", partition: 2, updated: 1, ready: 3, canary: { updatedReplicas: 1, readyReplicas: 1 } },
  ])("$when", async ({ partition, updated, ready, canary }) => {
    const workload = await set(partition, { updatedReplicas: updated, readyReplicas: ready });
    expect(workload.canary).toMatchObject({ desiredReplicas: 1, ...canary });
    expect(workload.problems).toEqual([]);
  });

  const pod = (revision: string, ready: boolean, more: object = {}): Pod => ({
    metadata: { name: "app-0", uid: "p-0", labels: { "controller-revision-hash": revision }, ...more },
    spec: { containers: [] },
    status: { conditions: [{ type: "Ready", status: ready ? "True" : "False" }] },
  });
  const leaving = { deletionTimestamp: "2026-11-20T12:00:00Z" };
  test.for([
    { when: "it is up and not ready", pods: [pod("1", true), pod("1", true), pod("2", false)], ready: 0 },
    { when: "another pod is not ready", pods: [pod("1", true), pod("1", false), pod("2", true)], ready: 1 },
    { when: "it is being deleted", pods: [pod("1", true), pod("1", true), pod("2", true, leaving)], ready: 0 },
    { when: "a pod has no revision", pods: [pod("1", true), pod("2", true, { labels: undefined })], ready: 0 },
    {
      when: "a ready pod is not yet available",
      pods: [pod("1", true), pod("1", true), pod("2", true)],
      counts: { readyReplicas: 3, availableReplicas: 2 },
      ready: 0,
    },
  ])("$when: $ready ready", async ({ pods, counts = {}, ready }) => {
    const listed = async (namespace: string, selector: string) => {
      expect([namespace, selector]).toEqual(["shop", "app=app"]);
      return pods;
    };
    const all = { updatedReplicas: 1, readyReplicas: 2, updateRevision: "2", ...counts };
    const { canary } = await set(2, all, { ...noApi, listPods: listed });
    expect(canary).toMatchObject({ desiredReplicas: 1, updatedReplicas: 1, readyReplicas: ready });
  });

  test("a canary scaled below the partition has no replicas", async () => {
    expect((await set(5, {})).canary).toMatchObject({ desiredReplicas: 0, readyReplicas: 0 });
  });

  test("whose number is known if Pawl set it, and 0 leaves no canary", async () => {
    expect((await set(2, {})).canary).not.toHaveProperty("partition");
    expect((await set(0, {})).canary).toBeNull();
    const metadata = { annotations: { "pawl.dev/canary-partition": "2" } };
    const spec = { replicas: 3, updateStrategy: { rollingUpdate: { partition: 2 } } };
    const record = autoUpdateOf("StatefulSet", { status });
    const { canary } = await readBuiltIn("StatefulSet", { ...metadata, spec }, {}, record);
    expect(canary).toMatchObject({ partition: 2, desiredReplicas: 1 });
  });

  test("the canary names for queries are the revisions", async () => {
    const { canaryNames } = await set(2, { currentRevision: "app-1", updateRevision: "app-2" });
    const pods = { stablePods: "^app-(?:[0-1])$", canaryPods: "^app-(?:2)$" };
    const selected = (revision: string) => ({ canarySelector: `app=app,controller-revision-hash=${revision}` });
    expect(canaryNames).toEqual({ stable: "app-1", canary: "app-2", ...pods, ...selected("app-2") });
    expect((await set(2, {})).canaryNames).toEqual({ stable: "app", canary: "app", ...pods, ...selected("") });
  });
});

test("a partition that no canary has set is a problem", async () => {
  const spec = { updateStrategy: { rollingUpdate: { partition: 2 } } };
  const { problems, canary } = await readBuiltIn("StatefulSet", { spec });
  expect(textsOf(problems)).toEqual([expect.stringContaining("rollingUpdate.partition 2")]);
  expect(canary).toBeNull();
});

test("a Deployment that is paused during its canary is a problem: nothing is concluded", async () => {
  const ref = { apiVersion: "apps/v1", kind: "Deployment", name: "app", ...stored };
  const record = autoUpdateOf("Deployment", {
    status: { update: updateOf(ref, { strategy: "Canary", hasCanary: true }) },
  });
  const parts = { spec: { replicas: 3, paused: true } };
  const { problems, inFlight } = await readBuiltIn("Deployment", parts, {}, record, {
    ...noApi,
    get: async () => null,
  });
  expect(inFlight).toMatchObject({ phase: "canary" });
  expect(textsOf(problems)).toEqual([expect.stringContaining("spec.paused")]);
});
