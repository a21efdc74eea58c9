import { expect, test } from "vitest";
import { parseSpec } from "../../../../functions/domain/node-pool/pool/spec.ts";
import type { RawPoolSpec } from "../../../../functions/domain/node-pool/pool/raw-spec.ts";
import { imageB, rawSpec } from "../pools.ts";

test("absent fields take their defaults", () => {
  expect(parseSpec(rawSpec)).toEqual({
    problems: [],
    spec: {
      nodeSelector: rawSpec.nodeSelector,
      imageRef: imageB,
      maxUnavailable: { unit: "nodes", amount: 1 },
      topologyKey: null,
      paused: false,
      preStageWhilePaused: true,
      stageAhead: null,
      haltThreshold: { unit: "nodes", amount: 2 },
      onHalt: "Hold",
      drainTimeoutSeconds: null,
      onDrainTimeout: "Report",
      rebootTimeoutSeconds: 900,
      stagingTimeoutSeconds: null,
      minReadySeconds: 60,
      drain: { force: true, deleteEmptyDirData: true },
      healthChecks: { conditions: [], daemonSets: [] },
      checksDaemonSets: true,
      cordonedNodes: "Skip",
      windows: [],
      agent: "Daemon",
      dependsOn: [],
      allowEmpty: false,
      steps: [],
      analysis: null,
      blockOnAlerts: null,
      gatePolicy: {},
      rebootPolicy: "RebootOnly",
      pullSecretRef: null,
    },
  });
});

test("every field is parsed", () => {
  const { spec, problems } = parseSpec({
    ...rawSpec,
    rollout: {
      maxUnavailable: "25%",
      topologyKey: "topology.kubernetes.io/zone",
      paused: true,
      preStageWhilePaused: false,
      stageAhead: 2,
      haltThreshold: "10%",
      onHalt: "Rollback",
      cordonedNodes: "Include",
      drainTimeoutSeconds: 0,
      onDrainTimeout: "GiveBack",
      rebootTimeoutSeconds: 1200,
      stagingTimeoutSeconds: 600,
      minReadySeconds: 300,
      drain: { force: false, deleteEmptyDirData: false },
      healthChecks: {
        conditions: [{ type: "NetworkUnavailable", status: "False" }],
        daemonSets: [{ namespace: "kube-system", name: "cilium" }],
        daemonSetsAsBefore: false,
      },
      windows: [{ schedule: "0 22 * * *", durationSeconds: 3600, zone: "Europe/Berlin" }],
    },
    dependsOn: ["infra"],
    allowEmpty: true,
    minimumReleaseAge: "3d",
    approval: { by: ["user:anna"] },
    disruption: { rebootPolicy: "AllowSoftReboot" },
    pullSecretRef: { name: "pull", namespace: "os" },
    agent: "RunCommand",
  });
  expect(problems).toEqual([]);
  expect(spec).toMatchObject({
    maxUnavailable: { unit: "percent", amount: 25 },
    topologyKey: "topology.kubernetes.io/zone",
    stageAhead: 2,
    cordonedNodes: "Include",
    checksDaemonSets: false,
    paused: true,
    preStageWhilePaused: false,
    haltThreshold: { unit: "percent", amount: 10 },
    onHalt: "Rollback",
    drainTimeoutSeconds: null,
    onDrainTimeout: "GiveBack",
    rebootTimeoutSeconds: 1200,
    stagingTimeoutSeconds: 600,
    minReadySeconds: 300,
    drain: { force: false, deleteEmptyDirData: false },
    healthChecks: {
      conditions: [{ type: "NetworkUnavailable", status: "False" }],
      daemonSets: [{ namespace: "kube-system", name: "cilium" }],
    },
    dependsOn: ["infra"],
    allowEmpty: true,
    gatePolicy: { minimumReleaseAgeSeconds: 259_200, approval: { required: 1, by: ["user:anna"] } },
    rebootPolicy: "AllowSoftReboot",
    pullSecretRef: { name: "pull", namespace: "os" },
    agent: "RunCommand",
  });
  expect(spec.windows).toHaveLength(1);
});

test("0 disables the timeouts and the soak", () => {
  const rollout = { drainTimeoutSeconds: 0, rebootTimeoutSeconds: 0, stagingTimeoutSeconds: 0, minReadySeconds: 0 };
  const none = { drainTimeoutSeconds: null, rebootTimeoutSeconds: null, stagingTimeoutSeconds: null };
  expect(parseSpec({ ...rawSpec, rollout }).spec).toMatchObject({ ...none, minReadySeconds: 0 });
});

test.for<[string, RawPoolSpec, string]>([
  ["a short image name", { image: { ref: "myos:latest" } }, "image.ref"],
  ["no image reference", { image: {} }, "image.ref"],
  ["an invalid maxUnavailable", { rollout: { maxUnavailable: "banana" } }, "rollout.maxUnavailable"],
  ["a threshold of 0", { rollout: { haltThreshold: 0 } }, "rollout.haltThreshold: must be 1 or more"],
  ["an invalid threshold", { rollout: { haltThreshold: "two" } }, "rollout.haltThreshold"],
  ["an unknown action", { rollout: { onDrainTimeout: "Retry" } }, "rollout.onDrainTimeout"],
  ["a negative limit", { rollout: { drainTimeoutSeconds: -1 } }, "rollout.drainTimeoutSeconds"],
  ["a fraction of a second", { rollout: { rebootTimeoutSeconds: 0.5 } }, "rollout.rebootTimeoutSeconds"],
  ["a negative soak", { rollout: { minReadySeconds: -1 } }, "rollout.minReadySeconds"],
  [
    "another choice for cordoned nodes",
    { rollout: { cordonedNodes: "skip" } },
    'rollout.cordonedNodes: "skip" is neither Skip nor Include',
  ],
  ...[-1, 0, 1.5, "10%"].map((stageAhead): [string, RawPoolSpec, string] => [
    `stageAhead ${stageAhead}`,
    { rollout: { stageAhead } },
    `rollout.stageAhead: "${stageAhead}" is neither all nor a number of nodes, 1 or more`,
  ]),
  ["no label", { rollout: { topologyKey: "a zone" } }, "rollout.topologyKey"],
  ["an invalid window", { rollout: { windows: [{ schedule: "nightly", durationSeconds: 60 }] } }, "rollout.windows[0]"],
  ["an unknown reboot policy", { disruption: { rebootPolicy: "Never" } }, "disruption.rebootPolicy"],
  ["an unknown reaction to a halt", { rollout: { onHalt: "Retry" } }, "rollout.onHalt"],
  ["an unknown agent", { agent: "Cron" }, 'agent: "Cron" is neither Daemon nor RunCommand'],
  ["an age that is no duration", { minimumReleaseAge: "old" }, "minimumReleaseAge: "],
  ["an age of two years", { minimumReleaseAge: "730d" }, "minimumReleaseAge: must be at most 365d"],
  ["an approval of nobody", { approval: { by: [] } }, "approval: "],
  [
    "more approvals than people",
    { approval: { required: 2, by: ["user:anna"] } },
    "approval: required: is 2, and by names 1",
  ],
  ["an unknown operator", { nodeSelector: { matchExpressions: [{ key: "a", operator: "Near" }] } }, "nodeSelector"],
])("%s", ([, given, problem]) => {
  expect(parseSpec({ ...rawSpec, ...given }).problems).toEqual([expect.stringContaining(problem)]);
});

test("every problem is reported, and a missing image does not throw", () => {
  expect(parseSpec({}).problems).toEqual([
    expect.stringContaining("nodeSelector: is missing"),
    expect.stringContaining("image.ref"),
  ]);
});
