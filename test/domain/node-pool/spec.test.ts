import { expect, test } from "vitest";
import { readSpec, type WrittenSpec } from "../../../functions/domain/node-pool/spec.ts";
import { imageB, written } from "./pools.ts";

test("what is absent takes its default", () => {
  expect(readSpec(written)).toEqual({
    problems: [],
    spec: {
      nodeSelector: written.nodeSelector,
      imageRef: imageB,
      maxUnavailable: { unit: "nodes", amount: 1 },
      paused: false,
      preStageWhilePaused: true,
      haltThreshold: { unit: "nodes", amount: 2 },
      drainTimeoutSeconds: null,
      rebootTimeoutSeconds: null,
      stagingTimeoutSeconds: null,
      windows: [],
      agent: "Daemon",
      dependsOn: [],
      rebootPolicy: "RebootOnly",
      pullSecretRef: null,
    },
  });
});

test("all that is written is read", () => {
  const { spec, problems } = readSpec({
    ...written,
    rollout: {
      maxUnavailable: "25%",
      paused: true,
      preStageWhilePaused: false,
      haltThreshold: "10%",
      drainTimeoutSeconds: 0,
      rebootTimeoutSeconds: 900,
      stagingTimeoutSeconds: 600,
      windows: [{ schedule: "0 22 * * *", durationSeconds: 3600, zone: "Europe/Berlin" }],
    },
    dependsOn: ["infra"],
    disruption: { rebootPolicy: "AllowSoftReboot" },
    pullSecretRef: { name: "pull", namespace: "os" },
    agent: "RunCommand",
  });
  expect(problems).toEqual([]);
  expect(spec).toMatchObject({
    maxUnavailable: { unit: "percent", amount: 25 },
    paused: true,
    preStageWhilePaused: false,
    haltThreshold: { unit: "percent", amount: 10 },
    drainTimeoutSeconds: null,
    rebootTimeoutSeconds: 900,
    stagingTimeoutSeconds: 600,
    dependsOn: ["infra"],
    rebootPolicy: "AllowSoftReboot",
    pullSecretRef: { name: "pull", namespace: "os" },
    agent: "RunCommand",
  });
  expect(spec.windows).toHaveLength(1);
});

test.for<[string, WrittenSpec, string]>([
  ["a short name", { image: { ref: "myos:latest" } }, "image.ref"],
  ["no reference", { image: {} }, "image.ref"],
  ["junk in maxUnavailable", { rollout: { maxUnavailable: "banana" } }, "rollout.maxUnavailable"],
  ["a threshold of 0", { rollout: { haltThreshold: 0 } }, "rollout.haltThreshold: must be 1 or more"],
  ["junk in the threshold", { rollout: { haltThreshold: "two" } }, "rollout.haltThreshold"],
  ["a negative limit", { rollout: { drainTimeoutSeconds: -1 } }, "rollout.drainTimeoutSeconds"],
  ["half a second", { rollout: { rebootTimeoutSeconds: 0.5 } }, "rollout.rebootTimeoutSeconds"],
  ["junk in a window", { rollout: { windows: [{ schedule: "nightly", durationSeconds: 60 }] } }, "rollout.windows[0]"],
  ["a policy that is none", { disruption: { rebootPolicy: "Never" } }, "disruption.rebootPolicy"],
  ["an agent that is none", { agent: "Cron" }, 'agent: "Cron" is neither Daemon nor RunCommand'],
  [
    "an operator that is none",
    { nodeSelector: { matchExpressions: [{ key: "a", operator: "Near" }] } },
    "nodeSelector",
  ],
])("%s", ([, given, problem]) => {
  expect(readSpec({ ...written, ...given }).problems).toEqual([expect.stringContaining(problem)]);
});

test("every problem is said, and a missing image is not taken for a crash", () => {
  expect(readSpec({}).problems).toEqual([
    expect.stringContaining("nodeSelector: is missing"),
    expect.stringContaining("image.ref"),
  ]);
});
