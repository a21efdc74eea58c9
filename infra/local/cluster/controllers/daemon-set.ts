import { randomUUID } from "node:crypto";
import type { Fields, KubeObject } from "../objects.ts";
import { isChosen, nodeOf } from "./scheduler.ts";
import {
  isReady,
  podOf,
  revisionOf,
  share,
  templateHash,
  withoutZeros,
  type Plan,
  type WorkloadObject,
} from "./workload.ts";

/** One pod on every node that the template's nodeSelector chooses; at most maxUnavailable of them are not ready by its doing. */
export function planDaemonSet(set: WorkloadObject, pods: readonly KubeObject[], nodes: readonly KubeObject[]): Plan {
  const revision = templateHash(set.spec.template);
  const chosen = nodes.filter((node) => isChosen(set.spec.template.spec, node)).map((node) => node.metadata.name);
  const placed = new Map(pods.map((pod) => [nodeOf(pod), pod]));
  const here = chosen.flatMap((node) => placed.get(node) ?? []);
  const create = chosen
    .filter((node) => !placed.has(node))
    .map((node) =>
      podOf(set, set.spec.template, revision, `${set.metadata.name}-${randomUUID().slice(0, 5)}`, { nodeName: node }),
    );
  const strays = pods.filter((pod) => !here.includes(pod));
  const replaced = create.length > 0 ? [] : toReplace(set, here, chosen.length, revision);
  return { status: statusOf(set, here, chosen.length, revision), remove: [...strays, ...replaced], create };
}

/** Old pods that are not ready go at once: nothing is lost by it. */
function toReplace(
  set: WorkloadObject,
  pods: readonly KubeObject[],
  desired: number,
  revision: string,
): readonly KubeObject[] {
  const strategy = set.spec["updateStrategy"] as { type: string; rollingUpdate?: Fields };
  if (strategy.type === "OnDelete") return [];
  const limit = Math.max(1, share(strategy.rollingUpdate?.["maxUnavailable"], desired, Math.ceil));
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
    ...withoutZeros({
      observedGeneration: set.metadata.generation ?? 0,
      updatedNumberScheduled: pods.filter((pod) => revisionOf(pod) === revision).length,
      numberAvailable: ready,
      numberUnavailable: desired - ready,
    }),
  };
}
