import type { KubeNode, Member } from "./bootc-node.ts";
import type { DrainedPod } from "./drain.ts";
import type { HealthChecks, NodePoolSpec } from "../pool/node-pool.ts";
import { classifyNode } from "./node-state.ts";

/** Reports whether the pods of a node decide if it may release its slot: outside a window, it may do so before its reboot. */
export function needsPodCheck({ bootcNode }: Member, { healthChecks, windows }: NodePoolSpec): boolean {
  if (healthChecks.daemonSets.length === 0 || bootcNode.slot === null) return false;
  const state = classifyNode(bootcNode);
  return state === "up-to-date" || (state === "staged" && windows.length > 0);
}

/** Returns why the pods of a node fail the health checks of its pool; null if they pass. */
export function findPodProblem(pods: readonly DrainedPod[], { daemonSets }: HealthChecks): string | null {
  const failed = daemonSets.find(
    ({ namespace, name }) =>
      !pods.some((pod) => {
        const isOfDaemonSet = pod.controller === "DaemonSet" && pod.controllerName === name;
        return isOfDaemonSet && pod.namespace === namespace && pod.isReady && !pod.isBeingDeleted;
      }),
  );
  return failed === undefined ? null : `no pod of DaemonSet ${failed.namespace}/${failed.name} is Ready on it`;
}

/** Returns why the conditions of a Node fail the health checks of its pool; null if they pass or were not read. */
export function findConditionProblem({ conditions }: KubeNode, checks: HealthChecks): string | null {
  if (conditions === null) return null;
  const failed = checks.conditions.find(({ type, status }) => conditions[type] !== status);
  if (failed === undefined) return null;
  const { [failed.type]: status } = conditions;
  return status === undefined ? `it has no condition ${failed.type}` : `its condition ${failed.type} is ${status}`;
}
