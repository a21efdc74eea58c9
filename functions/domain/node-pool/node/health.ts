import type { KubeNode, Member } from "./bootc-node.ts";
import type { DrainedPod } from "./drain.ts";
import type { HealthChecks, NodePoolSpec } from "../pool/node-pool.ts";
import { classifyNode } from "./node-state.ts";

/** How many DaemonSets are recorded on a node. */
const maxDaemonSets = 100;

/** Lists the DaemonSets that have a Ready pod on a node, as `namespace/name`. */
export function findReadyDaemonSets(pods: readonly DrainedPod[]): readonly string[] {
  const ready = pods.filter((pod) => pod.controller === "DaemonSet" && pod.isReady && !pod.isBeingDeleted);
  return [...new Set(ready.map(({ namespace, controllerName }) => `${namespace}/${controllerName}`))].slice(
    0,
    maxDaemonSets,
  );
}

/**
 * Lists the DaemonSets that decide by their pods if a node may release its slot: those that its pool names, also before its reboot
 * if a window may release it then, and those that had a Ready pod before its reboot.
 */
export function requiredDaemonSets(
  { bootcNode }: Member,
  { healthChecks, checksDaemonSets, windows }: NodePoolSpec,
): readonly string[] {
  const { slot } = bootcNode;
  const state = classifyNode(bootcNode);
  const isBooted = state === "up-to-date";
  if (slot === null || !(isBooted || (state === "staged" && windows.length > 0))) return [];
  const named = healthChecks.daemonSets.map(({ namespace, name }) => `${namespace}/${name}`);
  const before = checksDaemonSets && isBooted && slot.approvedAt !== null ? slot.readyDaemonSets : [];
  return [...named, ...before];
}

/** Returns why the pods of a node fail its health checks; null if they pass. */
export function findPodProblem(pods: readonly DrainedPod[], daemonSets: readonly string[]): string | null {
  const ready = findReadyDaemonSets(pods);
  const failed = daemonSets.find((name) => !ready.includes(name));
  return failed === undefined ? null : `no pod of DaemonSet ${failed} is Ready on it`;
}

/**
 * Returns why a reboot that an agent reports cannot have happened; null if it can. A soft reboot keeps the kernel, and with it the
 * boot ID.
 */
export function findBootProblem({ node, bootcNode }: Member, { agent, rebootPolicy }: NodePoolSpec): string | null {
  const { slot } = bootcNode;
  const isSoft = agent === "RunCommand" && rebootPolicy === "AllowSoftReboot";
  if (isSoft || node.bootId === null || !slot?.approvedAt || classifyNode(bootcNode) !== "up-to-date") return null;
  return slot.bootId === node.bootId
    ? `its agent reports the image, and it was not rebooted: its bootID is still ${node.bootId}`
    : null;
}

/** Returns why the conditions of a Node fail the health checks of its pool; null if they pass or were not read. */
export function findConditionProblem({ conditions }: KubeNode, checks: HealthChecks): string | null {
  if (conditions === null) return null;
  const failed = checks.conditions.find(({ type, status }) => conditions[type] !== status);
  if (failed === undefined) return null;
  const { [failed.type]: status } = conditions;
  return status === undefined ? `it has no condition ${failed.type}` : `its condition ${failed.type} is ${status}`;
}
