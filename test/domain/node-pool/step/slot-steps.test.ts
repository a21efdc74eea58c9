import { expect, test } from "vitest";
import type { DrainedPod } from "../../../../functions/domain/node-pool/node/drain.ts";
import { planMemberStep } from "../../../../functions/domain/node-pool/step/node-steps.ts";
import type { BootcNode, KubeNode, Member } from "../../../../functions/domain/node-pool/node/bootc-node.ts";
import type { NodePoolSpec } from "../../../../functions/domain/node-pool/pool/node-pool.ts";
import { parseWindow } from "../../../../functions/domain/schedule/maintenance-windows.ts";
import { after, noon } from "../../../support/workloads.ts";
import {
  approved,
  cordoned,
  digestA,
  failing,
  member,
  pool,
  rebooting,
  slot,
  slotted,
  staging,
  poolState,
  updated,
} from "../pools.ts";

interface Case {
  readonly when: string;
  readonly bootc?: Partial<BootcNode>;
  readonly node?: Partial<KubeNode>;
  readonly spec?: Partial<NodePoolSpec>;
  readonly others?: readonly Member[];
  readonly pods?: readonly DrainedPod[] | null;
  readonly minutes?: number;
  readonly expected: object;
}

const web: DrainedPod = {
  namespace: "shop",
  name: "web",
  uid: "p",
  controller: null,
  controllerName: "web",
  isReady: true,
  isMirror: false,
  hasEmptyDir: false,
  phase: "Running",
  isBeingDeleted: false,
};
const terminating: DrainedPod = { ...web, name: "ending", isBeingDeleted: true };
const wait = (what: string, reason = "") => ({ kind: "wait", for: what, reason: expect.stringContaining(reason) });
const rebooted: Partial<BootcNode> = { ...approved, ...updated };
const booted = { ...slot, approvedAt: noon, bootedAt: noon };
/** First seen on its new image at noon. */
const back: Partial<BootcNode> = { ...rebooted, slot: booted };
const window = parseWindow({ schedule: "0 22 * * *", durationSeconds: 60 });
const closed = { windows: window.kind === "window" ? [window] : [] };
const failedHolder = { ...updated, ...failing, slot };
const halting = [member("x", failedHolder), member("y", failedHolder)];

test.for<Case>([
  { when: "is not cordoned", expected: { kind: "cordon" } },
  { when: "is not cordoned, paused", spec: { paused: true }, expected: { kind: "cordon" } },
  { when: "is not cordoned, halted", others: halting, expected: wait("owner", "halted") },
  {
    when: "was uncordoned manually, halted",
    bootc: { slot: { ...slot, wasCordoned: true } },
    others: halting,
    expected: { kind: "record-cordon", wasCordoned: false },
  },
  {
    when: "was cordoned manually since",
    node: { unschedulable: true },
    expected: { kind: "record-cordon", wasCordoned: true },
  },
  { when: "is cordoned, its pods unknown", node: cordoned, expected: wait("pods", "it is being drained") },
  { when: "has pods", node: cordoned, pods: [web, terminating], expected: { kind: "evict", pods: [web] } },
  {
    when: "has pods that its drain must not evict",
    node: cordoned,
    pods: [web],
    spec: { drain: { force: false, deleteEmptyDirData: true } },
    expected: wait("pods", "shop/web has no controller, and drain.force is false"),
  },
  { when: "has pods, halted", node: cordoned, pods: [web], others: halting, expected: { kind: "evict" } },
  {
    when: "has terminating pods",
    node: cordoned,
    pods: [terminating, terminating],
    expected: wait("pods", "2 pods are terminating"),
  },
  {
    when: "exceeds the drain timeout",
    node: cordoned,
    pods: [web],
    spec: { drainTimeoutSeconds: 60 },
    minutes: 2,
    expected: { kind: "restart-drain", reason: "1 pod is left after 60 s" },
  },
  { when: "is drained", node: cordoned, pods: [], expected: { kind: "approve", readyDaemonSets: [] } },
  {
    when: "is drained, with another digest staged",
    bootc: { stagedDigest: digestA },
    node: cordoned,
    pods: [],
    expected: wait("agent", "another image"),
  },
  { when: "is drained, outside every window", node: cordoned, pods: [], spec: closed, expected: { kind: "uncordon" } },
  {
    when: "is drained, outside every window, and fails a health check",
    node: { ...cordoned, healthProblem: "its condition GPUReady is False" },
    pods: [],
    spec: closed,
    expected: wait("readiness", "its condition GPUReady is False"),
  },
  { when: "is uncordoned, outside every window", spec: closed, expected: { kind: "release-slot" } },
  {
    when: "is drained, outside every window, not Ready",
    node: { ...cordoned, ready: false },
    pods: [],
    spec: closed,
    expected: wait("readiness"),
  },
  { when: "has an approved reboot", bootc: approved, node: cordoned, expected: wait("agent", "reboot") },
  {
    when: "has an approved reboot into an image that is not staged",
    bootc: { ...approved, stagedDigest: digestA },
    node: cordoned,
    expected: { kind: "revoke" },
  },
  { when: "is rebooting", bootc: rebooting, node: cordoned, expected: wait("agent", "rebooting") },
  { when: "stages another image", bootc: staging, node: cordoned, expected: wait("agent", "staging") },
  { when: "fails", bootc: failing, node: cordoned, expected: wait("owner", "stage failed") },
  { when: "has rebooted, not Ready", bootc: back, node: { ...cordoned, ready: false }, expected: wait("readiness") },
  {
    when: "runs its image, and its agent still reboots",
    bootc: { ...rebooted, idle: { activity: "Rebooting" } },
    node: cordoned,
    expected: wait("readiness"),
  },
  { when: "has just rebooted", bootc: rebooted, node: cordoned, expected: { kind: "record-boot" } },
  { when: "has rebooted", bootc: back, node: cordoned, expected: { kind: "uncordon" } },
  { when: "has rebooted and is uncordoned", bootc: back, expected: wait("soak", "stay Ready for 60 s") },
  { when: "has stayed Ready for 59 s", bootc: back, minutes: 59 / 60, expected: wait("soak") },
  { when: "has stayed Ready for 60 s", bootc: back, minutes: 1, expected: { kind: "release-slot" } },
  { when: "has not stayed Ready", bootc: back, node: { ready: false }, minutes: 0.5, expected: wait("readiness") },
  {
    when: "has the slot of a replaced machine",
    bootc: { slot: { ...slot, nodeUid: "gone" } },
    node: { unschedulable: true },
    expected: { kind: "release-slot" },
  },
  {
    when: "has the approved reboot of a replaced machine",
    bootc: { ...approved, slot: { ...slot, nodeUid: "gone" } },
    expected: { kind: "revoke" },
  },
])(
  "a slot holder that $when",
  ({ bootc = {}, node = {}, spec = {}, others = [], pods = null, minutes = 0, expected }) => {
    const one = member("w", { ...slotted, ...bootc }, node);
    const state = poolState([one, ...others], { pool: pool(spec), now: after(minutes) });
    expect(planMemberStep(one, state, pods)).toMatchObject(expected);
  },
);
