import { describe, expect, test } from "vitest";
import type { KubeNode } from "../../../../functions/domain/node-pool/node/bootc-node.ts";
import type { DrainedPod } from "../../../../functions/domain/node-pool/node/drain.ts";
import {
  findConditionProblem,
  findPodProblem,
  needsPodCheck,
} from "../../../../functions/domain/node-pool/node/health.ts";
import type { HealthChecks } from "../../../../functions/domain/node-pool/pool/node-pool.ts";
import { parseWindow } from "../../../../functions/domain/schedule/maintenance-windows.ts";
import { planSteps } from "../../../../functions/domain/node-pool/step/plan-steps.ts";
import { parseSpec } from "../../../../functions/domain/node-pool/pool/spec.ts";
import { computePoolStatus } from "../../../../functions/domain/node-pool/pool/status.ts";
import { after, noon } from "../../../support/workloads.ts";
import { webPod } from "../simulation/world.ts";
import { cordoned, kubeNode, member, pool, poolState, rawSpec, slot, staged, updated } from "../pools.ts";

const daemonSets = [
  { namespace: "kube-system", name: "cilium" },
  { namespace: "kube-system", name: "gpu" },
];
const checks: HealthChecks = {
  conditions: [
    { type: "NetworkUnavailable", status: "False" },
    { type: "GPUReady", status: "True" },
  ],
  daemonSets,
};
const passing = { NetworkUnavailable: "False", GPUReady: "True" };

test.for<{ conditions: KubeNode["conditions"]; problem: string | null }>([
  { conditions: passing, problem: null },
  { conditions: { ...passing, Ready: "False" }, problem: null },
  { conditions: { ...passing, GPUReady: "Unknown" }, problem: "its condition GPUReady is Unknown" },
  { conditions: { ...passing, NetworkUnavailable: "True" }, problem: "its condition NetworkUnavailable is True" },
  { conditions: { NetworkUnavailable: "False" }, problem: "it has no condition GPUReady" },
  { conditions: null, problem: null },
])("conditions $conditions: $problem", ({ conditions, problem }) => {
  expect(findConditionProblem({ ...kubeNode, conditions }, checks)).toBe(problem);
});

const cilium: DrainedPod = { ...webPod, namespace: "kube-system", controller: "DaemonSet", controllerName: "cilium" };
const gpu: DrainedPod = { ...cilium, controllerName: "gpu" };
const without = (name: string) => `no pod of DaemonSet kube-system/${name} is Ready on it`;

test.for<{ when: string; pods: readonly DrainedPod[]; problem: string | null }>([
  { when: "each has a Ready pod", pods: [webPod, gpu, cilium], problem: null },
  { when: "an old pod of one is terminating", pods: [{ ...gpu, isBeingDeleted: true }, gpu, cilium], problem: null },
  { when: "there are no pods", pods: [], problem: without("cilium") },
  { when: "one has no pod", pods: [cilium], problem: without("gpu") },
  { when: "a pod is not Ready", pods: [cilium, { ...gpu, isReady: false }], problem: without("gpu") },
  { when: "a pod is terminating", pods: [cilium, { ...gpu, isBeingDeleted: true }], problem: without("gpu") },
  { when: "a pod is in another namespace", pods: [cilium, { ...gpu, namespace: "shop" }], problem: without("gpu") },
  { when: "a pod has another controller", pods: [cilium, { ...gpu, controller: "Job" }], problem: without("gpu") },
])("DaemonSets, if $when: $problem", ({ pods, problem }) => {
  expect(findPodProblem(pods, checks)).toBe(problem);
});

test("pods of slot holders are read before their reboot too, if windows may release them", () => {
  const window = parseWindow({ schedule: "0 22 * * *", durationSeconds: 60 });
  const windows = window.kind === "window" ? [window] : [];
  const { spec } = pool({ healthChecks: checks, windows });
  expect(needsPodCheck(member("w1", { ...staged, slot }), spec)).toBe(true);
  expect(needsPodCheck(member("w1", { idle: { activity: "Staging" }, slot }), spec)).toBe(false);
  const held = member("w1", { ...staged, slot }, cordoned);
  const state = poolState([held], {
    pool: pool({ healthChecks: checks, windows }),
    podProblems: new Map([["w1", "no"]]),
  });
  expect(planSteps(state)).toMatchObject([{ step: { kind: "wait", for: "readiness" } }]);
});

test("only pods of slot holders on their image are read, and only for DaemonSets", () => {
  const { spec } = pool({ healthChecks: checks });
  expect(needsPodCheck(member("w1", { ...updated, slot }), spec)).toBe(true);
  expect(needsPodCheck(member("w1", { ...staged, slot }), spec)).toBe(false);
  expect(needsPodCheck(member("w1", updated), spec)).toBe(false);
  expect(
    needsPodCheck(member("w1", { ...updated, slot }), pool({ healthChecks: { ...checks, daemonSets: [] } }).spec),
  ).toBe(false);
});

test("a condition must be True if no status is named", () => {
  const raw = { conditions: [{ type: "GPUReady" }] };
  expect(parseSpec({ ...rawSpec, rollout: { healthChecks: raw } }).spec.healthChecks).toEqual({
    conditions: [{ type: "GPUReady", status: "True" }],
    daemonSets: [],
  });
});

describe("a slot holder on its new image", () => {
  const booted = {
    ...updated,
    slot: { ...slot, approvedAt: noon, bootedAt: noon },
    desiredImageState: "Booted",
  } as const;
  const of = pool({ healthChecks: checks });
  const state = (
    conditions: KubeNode["conditions"],
    minutes: number,
    podProblems: readonly [string, string][] = [],
  ) => {
    const nodes = [member("w1", booted, { ...cordoned, conditions }), member("w2", staged)];
    return poolState(nodes, { pool: of, now: after(minutes), podProblems: new Map(podProblems) });
  };

  test("stays cordoned while a condition fails, and is unhealthy after minReadySeconds", () => {
    const failing = { ...passing, GPUReady: "False" };
    const reason = "its condition GPUReady is False";
    expect(state(failing, 0)).toMatchObject({ unhealthy: [], isHalted: false });
    expect(planSteps(state(failing, 0))[0]).toMatchObject({ step: { kind: "wait", for: "readiness", reason } });
    expect(state(failing, 1)).toMatchObject({ unhealthy: [{ name: "w1", reason: "Unhealthy" }], isHalted: true });
    expect(planSteps(state(failing, 16))[0]).toMatchObject({ step: { kind: "wait", reason: `${reason} after 900 s` } });
    expect(computePoolStatus(state(failing, 16), null)).toMatchObject({ degradedCount: 1 });
  });

  test("stays cordoned while a DaemonSet has no Ready pod", () => {
    const failing = state(passing, 1, [["w1", without("gpu")]]);
    expect(failing.unhealthy).toEqual([{ name: "w1", reason: "Unhealthy" }]);
    expect(planSteps(failing)[0]).toMatchObject({ step: { kind: "wait", for: "readiness", reason: without("gpu") } });
  });

  test("is uncordoned once it passes", () => {
    expect(planSteps(state(passing, 1))[0]).toMatchObject({ step: { kind: "uncordon" } });
  });

  test("that is not Ready is reported as that", () => {
    const nodes = [member("w1", booted, { ...cordoned, ready: false, conditions: {} })];
    const { unhealthy } = poolState(nodes, { pool: of, now: after(1) });
    expect(unhealthy).toEqual([{ name: "w1", reason: "NotReady" }]);
  });
});

test("a node without a slot that fails may acquire one: the image may repair it", () => {
  const nodes = [member("w1", staged, { conditions: { GPUReady: "False" } })];
  expect(poolState(nodes, { pool: pool({ healthChecks: checks }) }).slotRecipients).toEqual(new Set(["w1"]));
});
