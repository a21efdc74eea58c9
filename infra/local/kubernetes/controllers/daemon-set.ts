import { randomSuffix } from "../encode-name.ts";
import type { Fields, KubeObject } from "../objects.ts";
import { matchesNodeSelector, nodeOf } from "./scheduler.ts";
import {
  isReady,
  podFromTemplate,
  revisionOf,
  resolveScaledValue,
  templateHash,
  omitZeros,
  type Plan,
  type WorkloadObject,
} from "./workload.ts";

/** Plans one pod on every node that the template's nodeSelector matches. At most maxUnavailable pods are replaced at a time. */
export function planDaemonSet(set: WorkloadObject, pods: readonly KubeObject[], nodes: readonly KubeObject[]): Plan {
  const revision = templateHash(set.spec.template);
  const matching = nodes
    .filter((node) => matchesNodeSelector(set.spec.template.spec, node))
    .map((node) => node.metadata.name);
  const podsByNode = new Map(pods.map((pod) => [nodeOf(pod), pod]));
  const current = matching.flatMap((node) => podsByNode.get(node) ?? []);
  const create = matching
    .filter((node) => !podsByNode.has(node))
    .map((node) =>
      podFromTemplate(set, set.spec.template, revision, `${set.metadata.name}-${randomSuffix()}`, { nodeName: node }),
    );
  const misscheduled = pods.filter((pod) => !current.includes(pod));
  const replaced = create.length > 0 ? [] : podsToReplace(set, current, matching.length, revision);
  return { status: statusOf(set, current, matching.length, revision), remove: [...misscheduled, ...replaced], create };
}

/** Returns the old pods to delete now. Old pods that are not ready do not count against the limit. */
function podsToReplace(
  set: WorkloadObject,
  pods: readonly KubeObject[],
  desired: number,
  revision: string,
): readonly KubeObject[] {
  const strategy = set.spec["updateStrategy"] as { type: string; rollingUpdate?: Fields };
  if (strategy.type === "OnDelete") return [];
  const limit = Math.max(1, resolveScaledValue(strategy.rollingUpdate?.["maxUnavailable"], desired, Math.ceil));
  const old = pods.filter((pod) => revisionOf(pod) !== revision);
  const budget = Math.max(0, limit - pods.filter((pod) => !isReady(pod)).length);
  return [...old.filter((pod) => !isReady(pod)), ...old.filter(isReady).slice(0, budget)];
}

function statusOf(set: WorkloadObject, pods: readonly KubeObject[], desired: number, revision: string): Fields {
  const ready = pods.filter(isReady).length;
  return {
    currentNumberScheduled: pods.length,
    numberMisscheduled: 0,
    desiredNumberScheduled: desired,
    numberReady: ready,
    ...omitZeros({
      observedGeneration: set.metadata.generation ?? 0,
      updatedNumberScheduled: pods.filter((pod) => revisionOf(pod) === revision).length,
      numberAvailable: ready,
      numberUnavailable: desired - ready,
    }),
  };
}
