import type { V1Node, V1Pod } from "@kubernetes/client-node";
import type { Happening } from "./happenings.ts";
import { type BootcNodeObject, type BootcNodePoolObject, digestOf, marks } from "./objects.ts";

/** The cluster as it was at one revision. */
interface World {
  readonly nodes: Map<string, V1Node>;
  readonly bootcNodes: Map<string, BootcNodeObject>;
  readonly pools: Map<string, BootcNodePoolObject>;
  readonly pods: Map<string, V1Pod>;
}

/**
 * What broke a promise, in the order in which it happened. `isAPersons` tells the revisions that somebody else than Pawl made:
 * they may cordon and uncordon as they like.
 */
export function violationsOf(
  happenings: readonly Happening[],
  isAPersons: (revision: number) => boolean,
): readonly string[] {
  const world: World = { nodes: new Map(), bootcNodes: new Map(), pools: new Map(), pods: new Map() };
  return happenings.flatMap((happening) => {
    const broken = isAPersons(happening.revision) ? [] : brokenBy(world, happening);
    become(world, happening);
    const name = happening.object.metadata?.name;
    return broken.map((what) => `${name} at revision ${happening.revision}: ${what}`);
  });
}

function become(world: World, { kind, object, isGone }: Happening): void {
  const places = { Node: world.nodes, BootcNode: world.bootcNodes, BootcNodePool: world.pools, Pod: world.pods };
  const place = places[kind] as Map<string, unknown>;
  const key = kind === "Pod" ? (object.metadata?.uid ?? "") : (object.metadata?.name ?? "");
  if (isGone) place.delete(key);
  else place.set(key, object);
}

function brokenBy(world: World, happening: Happening): readonly string[] {
  const name = happening.object.metadata?.name ?? "";
  const before = { node: world.nodes.get(name), bootcNode: world.bootcNodes.get(name) };
  if (happening.kind === "Node" && before.node !== undefined && !happening.isGone) {
    return brokenByCordon(world, before.node, happening.object);
  }
  if (happening.kind !== "BootcNode") return [];
  const after = happening.isGone ? undefined : happening.object;
  return [
    ...brokenBySlot(world, name, before.bootcNode, after),
    ...(after === undefined ? [] : brokenByApproval(world, name, before.bootcNode, after)),
  ];
}

function brokenByCordon(world: World, before: V1Node, after: V1Node): readonly string[] {
  const broken: string[] = [];
  const [was, is] = [isCordoned(before), isCordoned(after)];
  const [mark, pool] = [markOf(before), markOf(after)];
  if (was && !is && mark === undefined) broken.push("uncordoned, and it was not Pawl that had cordoned it");
  if (pool === undefined) return broken;
  if (!is && was) broken.push("uncordoned, and the mark of its cordon stays");
  if (mark === undefined) broken.push(...brokenByMark(world, before, after, pool));
  return broken;
}

function brokenByMark(world: World, before: V1Node, after: V1Node, pool: string): readonly string[] {
  const name = after.metadata?.name ?? "";
  const broken: string[] = [];
  if (isCordoned(before)) broken.push("somebody else's cordon taken for Pawl's");
  if (!isCordoned(after)) broken.push("marked, and not cordoned");
  if (!holdsSlot(world.bootcNodes.get(name))) broken.push("cordoned without a slot");
  const others = [...world.nodes.values()].filter((node) => isCordoned(node) && markOf(node) === pool);
  const most = maxUnavailable(world, pool);
  if (others.length + 1 > most) broken.push(`${others.length + 1} nodes cordoned for ${pool}, which allows ${most}`);
  return broken;
}

function brokenBySlot(
  world: World,
  name: string,
  before?: BootcNodeObject,
  after?: BootcNodeObject,
): readonly string[] {
  const node = world.nodes.get(name);
  if (holdsSlot(before) && !holdsSlot(after)) {
    return node !== undefined && markOf(node) !== undefined ? ["its slot given back, and it stays cordoned"] : [];
  }
  if (holdsSlot(before) || !holdsSlot(after)) return [];
  const pool = ownerOf(after);
  const held = [...world.bootcNodes.values()].filter((one) => holdsSlot(one) && ownerOf(one) === pool).length + 1;
  const most = maxUnavailable(world, pool);
  return held > most ? [`${held} slots of ${pool}, which allows ${most}`] : [];
}

function brokenByApproval(world: World, name: string, before: BootcNodeObject | undefined, after: BootcNodeObject) {
  const { desiredImage, desiredImageState } = after.spec;
  if (desiredImageState !== "Booted") return [];
  if (before?.spec.desiredImageState === "Booted" && before.spec.desiredImage === desiredImage) return [];
  const broken: string[] = [];
  if (before?.spec.desiredImageState === "Booted") broken.push("another image asked for, and its reboot not revoked");
  if (!holdsSlot(after)) broken.push("its reboot approved without a slot");
  const node = world.nodes.get(name);
  if (node === undefined || !isCordoned(node)) broken.push("its reboot approved, and it is not cordoned");
  if (after.status?.staged?.imageDigest !== digestOf(desiredImage))
    broken.push("its reboot approved for what is not staged");
  const left = [...world.pods.values()].filter((pod) => pod.spec?.nodeName === name && isEvictable(pod));
  if (left.length > 0)
    broken.push(`its reboot approved with ${left.map((pod) => pod.metadata?.name).join(", ")} on it`);
  return broken;
}

/** As `kubectl drain` sees it: a pod of a DaemonSet, a mirror, and one that has finished stay. */
function isEvictable({ metadata, status }: V1Pod): boolean {
  const isDaemons = metadata?.ownerReferences?.some(({ kind, controller }) => kind === "DaemonSet" && controller);
  const isMirror = metadata?.annotations?.["kubernetes.io/config.mirror"] !== undefined;
  return !isDaemons && !isMirror && status?.phase !== "Succeeded" && status?.phase !== "Failed";
}

/** Of a pool that selects by matchLabels; no bound where there is no such pool any more. */
function maxUnavailable({ pools, nodes }: World, name: string): number {
  const spec = pools.get(name)?.spec;
  if (spec === undefined) return Infinity;
  const most = spec.rollout?.maxUnavailable ?? 1;
  if (typeof most === "number") return most;
  const wanted = Object.entries(spec.nodeSelector.matchLabels ?? {});
  const count = [...nodes.values()].filter(({ metadata }) =>
    wanted.every(([key, value]) => metadata?.labels?.[key] === value),
  ).length;
  return Math.ceil((count * Number.parseInt(most, 10)) / 100);
}

const isCordoned = ({ spec }: V1Node) => spec?.unschedulable === true;
const markOf = ({ metadata }: V1Node) => metadata?.annotations?.[marks.cordonedFor];
const holdsSlot = (bootcNode?: BootcNodeObject) => bootcNode?.metadata?.annotations?.[marks.slot] !== undefined;
const ownerOf = (bootcNode?: BootcNodeObject) => bootcNode?.metadata?.ownerReferences?.[0]?.name ?? "";
