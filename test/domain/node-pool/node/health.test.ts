import { describe, expect, test } from "vitest";
import type { KubeNode } from "../../../../functions/domain/node-pool/node/bootc-node.ts";
import type { DrainedPod } from "../../../../functions/domain/node-pool/node/drain.ts";
import {
  findConditionProblem,
  findPodProblem,
  findBootProblem,
  requiredDaemonSets,
} from "../../../../functions/domain/node-pool/node/health.ts";
import type { HealthChecks } from "../../../../functions/domain/node-pool/pool/node-pool.ts";
import { parseWindow } from "../../../../functions/domain/schedule/maintenance-windows.ts";
import { planSteps } from "../../../../functions/domain/node-pool/step/plan-steps.ts";
import { computePoolStatus } from "../../../../functions/domain/node-pool/pool/status.ts";
import { after, noon } from "../../../support/workloads.ts";
import { webPod } from "../simulation/world.ts";
import { approved, cordoned, kubeNode, member, pool, poolState, slot, staged, updated } from "../pools.ts";

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
  expect(findPodProblem(pods, ["kube-system/cilium", "kube-system/gpu"])).toBe(problem);
});

const named = ["kube-system/cilium", "kube-system/gpu"];

test("pods of slot holders are read before their reboot too, if windows may release them", () => {
  const window = parseWindow({ schedule: "0 22 * * *", durationSeconds: 60 });
  const windows = window.kind === "window" ? [window] : [];
  const { spec } = pool({ healthChecks: checks, windows });
  expect(requiredDaemonSets(member("w1", { ...staged, slot }), spec)).toEqual(named);
  expect(requiredDaemonSets(member("w1", { idle: { activity: "Staging" }, slot }), spec)).toEqual([]);
  const held = member("w1", { ...staged, slot }, cordoned);
  const state = poolState([held], {
    pool: pool({ healthChecks: checks, windows }),
    podProblems: new Map([["w1", "no"]]),
  });
  expect(planSteps(state)).toMatchObject([{ step: { kind: "wait", for: "readiness" } }]);
});

test("only pods of slot holders on their image are read, and only for DaemonSets", () => {
  const { spec } = pool({ healthChecks: checks });
  expect(requiredDaemonSets(member("w1", { ...updated, slot }), spec)).toEqual(named);
  expect(requiredDaemonSets(member("w1", { ...staged, slot }), spec)).toEqual([]);
  expect(requiredDaemonSets(member("w1", updated), spec)).toEqual([]);
  expect(
    requiredDaemonSets(member("w1", { ...updated, slot }), pool({ healthChecks: { ...checks, daemonSets: [] } }).spec),
  ).toEqual([]);
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
});

describe("DaemonSets that had a Ready pod before the reboot", () => {
  const held = { ...slot, approvedAt: noon, readyDaemonSets: ["kube-system/log"] };

  test.for<{ when: string; bootc: Parameters<typeof member>[1]; spec?: Parameters<typeof pool>[0]; required: boolean }>(
    [
      { when: "it is back", bootc: { ...updated, slot: held }, required: true },
      {
        when: "it is back, and they are not checked",
        bootc: { ...updated, slot: held },
        spec: { checksDaemonSets: false },
        required: false,
      },
      { when: "its approval was revoked", bootc: { ...updated, slot: { ...held, approvedAt: null } }, required: false },
      { when: "it is not back", bootc: { ...staged, slot: held }, required: false },
      { when: "it holds no slot", bootc: updated, required: false },
    ],
  )("are required after it, if $when: $required", ({ bootc, spec, required }) => {
    expect(requiredDaemonSets(member("w1", bootc), pool(spec).spec)).toEqual(required ? ["kube-system/log"] : []);
  });

  test.for([{ checksDaemonSets: true }, { checksDaemonSets: false }])("are recorded: $checksDaemonSets", (spec) => {
    const pods = [cilium, { ...gpu, isReady: false }, cilium, { ...webPod, phase: "Succeeded" }];
    const state = poolState([member("w1", { ...staged, slot }, cordoned)], { pool: pool(spec) });
    const readyDaemonSets = spec.checksDaemonSets ? ["kube-system/cilium"] : [];
    expect(planSteps(state, new Map([["w1", pods]]))[0]?.step).toEqual({ kind: "approve", readyDaemonSets });
  });
});

describe("an agent that reports the image of an approved reboot", () => {
  const held = { ...slot, approvedAt: noon, bootId: "b-1" };
  const lie = "its agent reports the image, and it was not rebooted: its bootID is still b-1";

  test.for<{
    when: string;
    bootc?: Parameters<typeof member>[1];
    node?: Partial<KubeNode>;
    spec?: Parameters<typeof pool>[0];
    problem: string | null;
  }>([
    { when: "with the boot ID from before it", problem: lie },
    { when: "with another boot ID", node: { bootId: "b-2" }, problem: null },
    { when: "with no boot ID", node: { bootId: null }, problem: null },
    { when: "with none before it", bootc: { ...updated, slot: { ...held, bootId: null } }, problem: null },
    { when: "which was revoked since", bootc: { ...updated, slot: { ...held, approvedAt: null } }, problem: null },
    { when: "without a slot", bootc: updated, problem: null },
    { when: "of which it reports nothing", bootc: { ...staged, slot: held }, problem: null },
    { when: "and may soft-reboot", spec: { agent: "RunCommand", rebootPolicy: "AllowSoftReboot" }, problem: null },
    { when: "and may soft-reboot, with a daemon", spec: { rebootPolicy: "AllowSoftReboot" }, problem: lie },
    { when: "through Run Command", spec: { agent: "RunCommand" }, problem: lie },
  ])("$when: $problem", ({ bootc = { ...updated, slot: held }, node = { bootId: "b-1" }, spec, problem }) => {
    expect(findBootProblem(member("w1", bootc, node), pool(spec).spec)).toBe(problem);
  });

  test("is not believed: its node keeps the slot, halts the rollout and is degraded", () => {
    const bootc = { ...approved, ...updated, slot: { ...held, bootedAt: noon } };
    const state = poolState([member("w1", bootc, { ...cordoned, bootId: "b-1" }), member("w2", staged)], {
      now: after(16),
    });
    expect(planSteps(state)).toMatchObject([
      { step: { kind: "wait", for: "owner", reason: expect.stringContaining("bootID") } },
      { step: { kind: "wait" } },
    ]);
    expect(state).toMatchObject({ isHalted: true, unhealthy: [{ name: "w1", reason: "Unhealthy" }] });
    expect(computePoolStatus(state, null)).toMatchObject({ degradedCount: 1 });
  });
});
