import { expect, test } from "vitest";
import type { DrainedPod } from "../../../functions/domain/node-pool/drain.ts";
import { memberStep } from "../../../functions/domain/node-pool/node-steps.ts";
import type { BootcNode, KubeNode, Member, NodePoolSpec } from "../../../functions/domain/node-pool/types.ts";
import { parseWindow } from "../../../functions/domain/node-pool/windows.ts";
import { after } from "../../support/workloads.ts";
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
  tick,
  updated,
} from "./pools.ts";

interface Case {
  readonly when: string;
  readonly of?: Partial<BootcNode>;
  readonly node?: Partial<KubeNode>;
  readonly spec?: Partial<NodePoolSpec>;
  readonly others?: readonly Member[];
  readonly pods?: readonly DrainedPod[] | null;
  readonly minutes?: number;
  readonly step: object;
}

const web: DrainedPod = {
  namespace: "shop",
  name: "web",
  uid: "p",
  controller: null,
  isMirror: false,
  phase: "Running",
  isBeingDeleted: false,
};
const ending: DrainedPod = { ...web, name: "ending", isBeingDeleted: true };
const wait = (what: string, reason = "") => ({ kind: "wait", for: what, reason: expect.stringContaining(reason) });
const back: Partial<BootcNode> = { ...approved, ...updated };
const window = parseWindow({ schedule: "0 22 * * *", durationSeconds: 60 });
const shut = { windows: window.kind === "window" ? [window] : [] };
const bad = { ...updated, ...failing, slot };
const halting = [member("x", bad), member("y", bad)];

test.for<Case>([
  { when: "is not cordoned", step: { kind: "cordon" } },
  { when: "is not cordoned, paused", spec: { paused: true }, step: { kind: "cordon" } },
  { when: "is not cordoned, halted", others: halting, step: wait("owner", "halted") },
  {
    when: "was uncordoned by a person, halted",
    of: { slot: { ...slot, wasCordoned: true } },
    others: halting,
    step: { kind: "remember-cordon", wasCordoned: false },
  },
  {
    when: "was cordoned by a person since",
    node: { unschedulable: true },
    step: { kind: "remember-cordon", wasCordoned: true },
  },
  { when: "is cordoned, its pods not read", node: cordoned, step: wait("pods", "it is being drained") },
  { when: "has pods", node: cordoned, pods: [web, ending], step: { kind: "evict", pods: [web] } },
  { when: "has pods, halted", node: cordoned, pods: [web], others: halting, step: { kind: "evict" } },
  { when: "has a pod that is ending", node: cordoned, pods: [ending], step: wait("pods", "1 pod is ending") },
  { when: "has pods that are ending", node: cordoned, pods: [ending, ending], step: wait("pods", "2 pods are ending") },
  {
    when: "drains for too long",
    node: cordoned,
    pods: [web],
    spec: { drainTimeoutSeconds: 60 },
    minutes: 2,
    step: { kind: "restart-drain", reason: "1 pod is left after 60 s" },
  },
  { when: "is drained", node: cordoned, pods: [], step: { kind: "approve" } },
  { when: "is drained, paused", node: cordoned, pods: [], spec: { paused: true }, step: { kind: "approve" } },
  { when: "is drained, halted", node: cordoned, pods: [], others: halting, step: { kind: "approve" } },
  {
    when: "is drained, with another digest staged",
    of: { stagedDigest: digestA },
    node: cordoned,
    pods: [],
    step: wait("agent", "another image"),
  },
  { when: "is drained, out of hours", node: cordoned, pods: [], spec: shut, step: { kind: "uncordon" } },
  { when: "is uncordoned, out of hours", spec: shut, step: { kind: "free-slot" } },
  {
    when: "is drained, out of hours, not Ready",
    node: { ...cordoned, ready: false },
    pods: [],
    spec: shut,
    step: wait("readiness"),
  },
  { when: "is told to reboot", of: approved, node: cordoned, step: wait("agent", "reboot") },
  { when: "is told to reboot, out of hours", of: approved, node: cordoned, spec: shut, step: wait("agent") },
  {
    when: "is told to reboot into what is not staged",
    of: { ...approved, stagedDigest: digestA },
    node: cordoned,
    step: { kind: "revoke" },
  },
  { when: "reboots", of: rebooting, node: cordoned, step: wait("agent", "rebooting") },
  {
    when: "reboots for too long",
    of: rebooting,
    node: cordoned,
    spec: { rebootTimeoutSeconds: 60 },
    minutes: 2,
    step: wait("owner", "after 60 s"),
  },
  { when: "stages anew", of: staging, node: cordoned, step: wait("agent", "staging") },
  { when: "fails", of: failing, node: cordoned, step: wait("owner", "stage failed") },
  { when: "is back, not Ready", of: back, node: { ...cordoned, ready: false }, step: wait("readiness") },
  { when: "is back, its agent not", of: { ...back, isObserved: false }, node: cordoned, step: wait("readiness") },
  { when: "is back", of: back, node: cordoned, step: { kind: "uncordon" } },
  { when: "is back and uncordoned", of: back, step: { kind: "free-slot" } },
  {
    when: "is back, cordoned by a person before",
    of: { ...back, slot: { ...slot, wasCordoned: true } },
    node: { unschedulable: true },
    step: { kind: "free-slot" },
  },
  {
    when: "has another machine's slot",
    of: { slot: { ...slot, nodeUid: "gone" } },
    node: { unschedulable: true },
    step: { kind: "free-slot" },
  },
  {
    when: "has another machine's slot, and is not Ready",
    of: { slot: { ...slot, nodeUid: "gone" } },
    node: { ready: false },
    step: wait("readiness"),
  },
  {
    when: "has another machine's leave to reboot",
    of: { ...approved, slot: { ...slot, nodeUid: "gone" } },
    step: { kind: "revoke" },
  },
])(
  "a node in its slot that $when",
  ({ of = {}, node = {}, spec = {}, others = [], pods = null, minutes = 0, step }) => {
    const one = member("w", { ...slotted, ...of }, node);
    const seen = tick([one, ...others], { pool: pool(spec), now: after(minutes) });
    expect(memberStep(one, seen, pods)).toMatchObject(step);
  },
);
