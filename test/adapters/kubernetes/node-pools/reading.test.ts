import { describe, expect, test } from "vitest";
import { readBootcNode } from "../../../../functions/adapters/kubernetes/node-pools/bootc-node-object.ts";
import { readNode } from "../../../../functions/adapters/kubernetes/node-pools/node-object.ts";
import { readPool } from "../../../../functions/adapters/kubernetes/node-pools/pool-object.ts";
import { readDrainedPod } from "../../../../functions/adapters/kubernetes/node-pools/pods.ts";
import { metadata, poolObject } from "./objects.ts";

describe("a pool", () => {
  test.for([
    { what: "no spec", spec: undefined, problem: /nodeSelector/ },
    { what: "no object for a spec", spec: "workers", problem: /nodeSelector/ },
    { what: "no object for its rollout", spec: { rollout: null }, problem: /^spec: is not a valid/ },
    { what: "a window that is none", spec: { rollout: { windows: [{}] } }, problem: /^spec: is not a valid/ },
    { what: "a list for a selector", spec: { nodeSelector: { matchExpressions: {} } }, problem: /^spec: is not/ },
  ])("with $what has a problem", ({ spec, problem }) => {
    const pool = readPool(poolObject({ spec }));
    expect(pool.problems.join()).toMatch(problem);
    expect(pool).toMatchObject({ name: "workers", uid: "u-1", spec: { nodeSelector: {}, imageRef: "" } });
  });

  test.for([
    { text: undefined, notify: undefined },
    { text: "team-a, on-call", notify: ["team-a", "on-call"] },
    { text: "x".repeat(300_000), notify: ["x".repeat(1024)] },
  ])("names targets of notifications: $notify", ({ text, notify }) => {
    const annotations = text === undefined ? {} : { "pawl.dev/notify": text };
    expect(readPool(poolObject({ metadata: { ...metadata, annotations } })).notify).toEqual(notify);
  });

  test("keeps only its own conditions, even with unknown reasons", () => {
    const conditions = [
      { type: "Backed", status: "True", reason: "Done", message: "" },
      { type: "Degraded", status: "Unknown", reason: "Later", message: null },
    ];
    const status = { conditions, nextTagResolutionTime: "soon", targetDigest: "", tagProblem: "" };
    const pool = readPool(poolObject({ status }));
    expect(pool.status).toMatchObject({
      conditions: [{ type: "Degraded", status: "Unknown", reason: "Later", message: "" }],
      nextTagResolution: null,
      targetDigest: null,
      tagProblem: null,
    });
  });

  test("with an empty claim annotation has no claim", () => {
    const annotations = { "pawl.dev/execution": "" };
    expect(readPool(poolObject({ metadata: { ...metadata, annotations } })).execution).toBeNull();
  });
});

test("a Node has the boot ID that its kubelet reports, and none if it reports none", () => {
  const node = (nodeInfo?: object) =>
    readNode({ metadata: { ...metadata }, status: { ...(nodeInfo && { nodeInfo }) } }, "full");
  expect([node({ bootID: "b-1" }), node({ bootID: "" }), node({}), node()].map(({ bootId }) => bootId)).toEqual([
    "b-1",
    null,
    null,
    null,
  ]);
  expect(node({ osImage: "Example OS 9.4", kernelVersion: "6.12.0" })).toMatchObject({
    osImage: "Example OS 9.4",
    kernelVersion: "6.12.0",
  });
});

describe("a BootcNode", () => {
  const read = (rest: object, own: object = {}) =>
    readBootcNode({ metadata: { ...metadata, ...own }, spec: { desiredImage: "myos@sha256:1" }, ...rest });
  const condition = (type: string, status: string, rest: object = {}) => ({ conditions: [{ type, status, ...rest }] });

  test("with a slot remembers what was Ready before its reboot", () => {
    const slotOf = (own: object) => read({}, { annotations: { "bootc.dev/in-reboot-slot": "true", ...own } }).slot;
    const recorded = { "pawl.dev/slot-boot-id": "b-1", "pawl.dev/ready-daemon-sets": "a/b c/d" };
    expect(slotOf(recorded)).toMatchObject({ bootId: "b-1", readyDaemonSets: ["a/b", "c/d"] });
    expect(slotOf({})).toMatchObject({ bootId: null, readyDaemonSets: [] });
  });

  test.for([
    { when: "reports no generation", status: {}, isObserved: true },
    { when: "has observed the current generation", status: { observedGeneration: 3 }, isObserved: true },
    { when: "has observed a previous generation", status: { observedGeneration: 2 }, isObserved: false },
    {
      when: "reports a previous generation in Idle",
      status: condition("Idle", "True", { observedGeneration: 2 }),
      isObserved: false,
    },
    {
      when: "reports the current generation in Idle",
      status: condition("Idle", "True", { observedGeneration: 3 }),
      isObserved: true,
    },
  ])("whose agent $when: observed $isObserved", ({ status, isObserved }) => {
    expect(read({ status })).toMatchObject({ isObserved });
  });

  test.for([
    { status: {}, idle: null },
    { status: condition("Idle", "True", { reason: "Idle" }), idle: { activity: null } },
    { status: condition("Idle", "False", { reason: "Staging" }), idle: { activity: "Staging" } },
    { status: condition("Idle", "False", { reason: "Rebooting" }), idle: { activity: "Rebooting" } },
    { status: condition("Idle", "False", { reason: "Pondering" }), idle: { activity: null } },
    { status: condition("Idle", "False"), idle: { activity: null } },
    { status: condition("Idle", "Unknown", { reason: "Staged" }), idle: { activity: null } },
  ])("with $status is at $idle", ({ status, idle }) => {
    expect(read({ status })).toMatchObject({ idle });
  });

  test.for([
    { status: condition("Degraded", "False", { reason: "OK", message: "fine" }), error: null },
    { status: condition("Degraded", "Unknown"), error: null },
    { status: condition("Degraded", "True", { reason: "Error", message: "stage failed" }), error: "stage failed" },
    { status: condition("Degraded", "True", { reason: "Error", message: "" }), error: "Error" },
    { status: condition("Degraded", "True"), error: "Error" },
  ])("with $status has the error $error", ({ status, error }) => {
    expect(read({ status })).toMatchObject({ error });
  });

  test("with only a name has unknown state", () => {
    expect(readBootcNode({ metadata: { name: "w1", uid: "u-1", resourceVersion: "7" } })).toMatchObject({
      desiredImage: "",
      desiredImageState: "Staged",
      owner: null,
      slot: null,
      bootedDigest: null,
      command: null,
      generation: 1,
    });
  });

  test("holds a slot if one annotation says so, even if the others are invalid", () => {
    const annotations = {
      "bootc.dev/in-reboot-slot": "",
      "bootc.dev/was-cordoned": "perhaps",
      "pawl.dev/slot-acquired-at": "yesterday",
      "pawl.dev/agent-command": "nonsense",
    };
    const slot = {
      wasCordoned: null,
      acquiredAt: null,
      nodeUid: null,
      drainStartedAt: null,
      approvedAt: null,
      bootedAt: null,
    };
    expect(read({}, { annotations })).toMatchObject({ slot, command: null });
    expect(read({}, { annotations: { "bootc.dev/was-cordoned": "true" } })).toMatchObject({ slot: null });
  });

  test.for([
    { kind: "BootcNodePool", apiVersion: "node.bootc.dev/v1beta1", owner: { name: "workers", uid: "u-9" } },
    { kind: "BootcNodePool", apiVersion: "example.com/v1", owner: null },
    { kind: "Machine", apiVersion: "node.bootc.dev/v1alpha1", owner: null },
  ])("of the $apiVersion $kind is owned by $owner", ({ kind, apiVersion, owner }) => {
    const ownerReferences = [{ kind: "Machine", apiVersion: "v1", name: "m", uid: "u-8" }];
    const references = [...ownerReferences, { kind, apiVersion, name: "workers", uid: "u-9" }];
    expect(read({}, { ownerReferences: references })).toMatchObject({ owner });
  });
});

test("a Node without a status is not Ready, and an empty mark is ignored", () => {
  const annotations = { "pawl.dev/cordoned-by-pool": "" };
  expect(readNode({ metadata: { ...metadata, annotations } }, "full")).toEqual({
    uid: "u-1",
    resourceVersion: "7",
    labels: {},
    unschedulable: false,
    ready: false,
    readyChangedAt: null,
    conditions: {},
    bootId: null,
    osImage: null,
    kernelVersion: null,
    healthProblem: null,
    cordonedByPool: null,
    protection: null,
    missingProtection: ["karpenter.sh/do-not-disrupt", "cluster-autoscaler.kubernetes.io/scale-down-disabled"],
    providerId: null,
  });
});

test.for([
  { time: new Date("2026-11-20T11:00:00Z"), expected: new Date("2026-11-20T11:00:00Z") },
  { time: new Date("yesterday"), expected: null },
  { time: undefined, expected: null },
])("the Ready condition of a Node changed at $time: $expected", ({ time, expected }) => {
  const other = { type: "MemoryPressure", status: "False", lastTransitionTime: new Date("2026-11-20T10:00:00Z") };
  const ready = { type: "Ready", status: "False", ...(time === undefined ? {} : { lastTransitionTime: time }) };
  const node = readNode({ metadata, status: { conditions: [other, ready] } }, "full");
  expect(node).toMatchObject({ ready: false, readyChangedAt: expected });
});

test("the controller of a pod is the owner with controller true", () => {
  const owner = { apiVersion: "v1", kind: "ConfigMap", name: "c", uid: "u-2" };
  const set = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "r", uid: "u-3", controller: true };
  expect(readDrainedPod({ metadata: { ownerReferences: [owner, set] } }).controller).toBe("ReplicaSet");
  expect(readDrainedPod({ metadata: { ownerReferences: [owner] } }).controller).toBeNull();
  expect(readDrainedPod({})).toMatchObject({ phase: "Unknown", isBeingDeleted: false, isMirror: false });
});
