import type { V1Node, V1Pod } from "@kubernetes/client-node";
import type { ObjectChange } from "./object-changes.ts";
import { type BootcNodeObject, type BootcNodePoolObject, digestOf, metadataKeys } from "./objects.ts";

/** The cluster at one revision. */
interface ClusterState {
  readonly nodes: Map<string, V1Node>;
  readonly bootcNodes: Map<string, BootcNodeObject>;
  readonly pools: Map<string, BootcNodePoolObject>;
  readonly pods: Map<string, V1Pod>;
}

/**
 * Returns the violated invariants in order. `isManualChange` reports whether a revision was not written by Pawl: people may
 * cordon and uncordon at any time.
 */
export function findViolations(
  changes: readonly ObjectChange[],
  isManualChange: (revision: number) => boolean,
): readonly string[] {
  const cluster: ClusterState = { nodes: new Map(), bootcNodes: new Map(), pools: new Map(), pods: new Map() };
  return changes.flatMap((change) => {
    const violations = isManualChange(change.revision) ? [] : checkChange(cluster, change);
    applyChange(cluster, change);
    const name = change.object.metadata?.name;
    return violations.map((what) => `${name} at revision ${change.revision}: ${what}`);
  });
}

function applyChange(cluster: ClusterState, { kind, object, isGone }: ObjectChange): void {
  const collections = {
    Node: cluster.nodes,
    BootcNode: cluster.bootcNodes,
    BootcNodePool: cluster.pools,
    Pod: cluster.pods,
  };
  const collection = collections[kind] as Map<string, unknown>;
  const key = kind === "Pod" ? (object.metadata?.uid ?? "") : (object.metadata?.name ?? "");
  if (isGone) collection.delete(key);
  else collection.set(key, object);
}

function checkChange(cluster: ClusterState, change: ObjectChange): readonly string[] {
  const name = change.object.metadata?.name ?? "";
  const before = { node: cluster.nodes.get(name), bootcNode: cluster.bootcNodes.get(name) };
  if (change.kind === "Node" && before.node !== undefined && !change.isGone) {
    return checkCordon(cluster, before.node, change.object);
  }
  if (change.kind !== "BootcNode") return [];
  const after = change.isGone ? undefined : change.object;
  return [
    ...checkSlot(cluster, name, before.bootcNode, after),
    ...(after === undefined ? [] : checkApproval(cluster, name, before.bootcNode, after)),
  ];
}

function checkCordon(cluster: ClusterState, before: V1Node, after: V1Node): readonly string[] {
  const violations: string[] = [];
  const [was, is] = [isCordoned(before), isCordoned(after)];
  const [owner, pool] = [cordonPoolOf(before), cordonPoolOf(after)];
  if (was && !is && owner === undefined) violations.push("uncordoned although Pawl had not cordoned it");
  if (pool === undefined) return violations;
  if (!is && was) violations.push("uncordoned, but its cordon annotation remains");
  if (owner === undefined) violations.push(...checkCordonAnnotation(cluster, before, after, pool));
  return violations;
}

function checkCordonAnnotation(cluster: ClusterState, before: V1Node, after: V1Node, pool: string): readonly string[] {
  const name = after.metadata?.name ?? "";
  const violations: string[] = [];
  if (isCordoned(before)) violations.push("another owner's cordon was annotated as Pawl's");
  if (!isCordoned(after)) violations.push("annotated as cordoned, but not cordoned");
  if (!holdsSlot(cluster.bootcNodes.get(name))) violations.push("cordoned without a slot");
  const others = [...cluster.nodes.values()].filter((node) => isCordoned(node) && cordonPoolOf(node) === pool);
  const limit = maxUnavailable(cluster, pool);
  if (others.length + 1 > limit)
    violations.push(`${others.length + 1} nodes cordoned for ${pool}, which allows ${limit}`);
  return violations;
}

function checkSlot(
  cluster: ClusterState,
  name: string,
  before?: BootcNodeObject,
  after?: BootcNodeObject,
): readonly string[] {
  const node = cluster.nodes.get(name);
  if (holdsSlot(before) && !holdsSlot(after)) {
    const { annotations = {} } = node?.metadata ?? {};
    return [
      ...(annotations[metadataKeys.cordonedFor] === undefined ? [] : ["its slot was released while it is cordoned"]),
      ...(annotations[metadataKeys.protectedFor] === undefined ? [] : ["its slot was released while it is protected"]),
    ];
  }
  if (holdsSlot(before) || !holdsSlot(after)) return [];
  const pool = ownerOf(after);
  const others = [...cluster.bootcNodes.values()].filter((one) => ownerOf(one) === pool && one.metadata?.name !== name);
  const held = others.filter(holdsSlot).length + 1;
  const notReady = others.filter((one) => !holdsSlot(one) && !isReady(cluster.nodes.get(one.metadata?.name ?? "")));
  const limit = maxUnavailable(cluster, pool);
  if (held > limit) return [`${held} slots of ${pool}, which allows ${limit}`];
  if (notReady.length > 0 && held + notReady.length > limit)
    return [`${held} slots and ${notReady.length} nodes of ${pool} that are not Ready, which allows ${limit}`];
  return [];
}

function checkApproval(
  cluster: ClusterState,
  name: string,
  before: BootcNodeObject | undefined,
  after: BootcNodeObject,
) {
  const { desiredImage, desiredImageState } = after.spec;
  if (desiredImageState !== "Booted") return [];
  if (before?.spec.desiredImageState === "Booted" && before.spec.desiredImage === desiredImage) return [];
  const violations: string[] = [];
  if (before?.spec.desiredImageState === "Booted")
    violations.push("another image was requested without revoking its reboot");
  if (!holdsSlot(after)) violations.push("its reboot was approved without a slot");
  const node = cluster.nodes.get(name);
  if (node === undefined || !isCordoned(node)) violations.push("its reboot was approved, but it is not cordoned");
  if (after.status?.staged?.imageDigest !== digestOf(desiredImage))
    violations.push("its reboot was approved for an image that is not staged");
  const remaining = [...cluster.pods.values()].filter((pod) => pod.spec?.nodeName === name && isEvictable(pod));
  if (remaining.length > 0)
    violations.push(`its reboot was approved with ${remaining.map((pod) => pod.metadata?.name).join(", ")} on it`);
  return violations;
}

/** Reports whether a drain evicts the pod, like `kubectl drain`: not pods of a DaemonSet, mirror pods or finished pods. */
function isEvictable({ metadata, status }: V1Pod): boolean {
  const isDaemons = metadata?.ownerReferences?.some(({ kind, controller }) => kind === "DaemonSet" && controller);
  const isMirror = metadata?.annotations?.["kubernetes.io/config.mirror"] !== undefined;
  return !isDaemons && !isMirror && status?.phase !== "Succeeded" && status?.phase !== "Failed";
}

/** Returns the limit of a pool that selects by matchLabels; Infinity if the pool was deleted. */
function maxUnavailable({ pools, nodes }: ClusterState, name: string): number {
  const spec = pools.get(name)?.spec;
  if (spec === undefined) return Infinity;
  const limit = spec.rollout?.maxUnavailable ?? 1;
  if (typeof limit === "number") return limit;
  const labels = Object.entries(spec.nodeSelector.matchLabels ?? {});
  const count = [...nodes.values()].filter(({ metadata }) =>
    labels.every(([key, value]) => metadata?.labels?.[key] === value),
  ).length;
  return Math.ceil((count * Number.parseInt(limit, 10)) / 100);
}

const isCordoned = ({ spec }: V1Node) => spec?.unschedulable === true;
const cordonPoolOf = ({ metadata }: V1Node) => metadata?.annotations?.[metadataKeys.cordonedFor];
const isReady = (node?: V1Node) =>
  node?.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True") ?? true;
const holdsSlot = (bootcNode?: BootcNodeObject) => bootcNode?.metadata?.annotations?.[metadataKeys.slot] !== undefined;
const ownerOf = (bootcNode?: BootcNodeObject) => bootcNode?.metadata?.ownerReferences?.[0]?.name ?? "";
