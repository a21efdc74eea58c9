import {
  bootcNodeAnnotations,
  claimAnnotation,
  cordonAnnotation,
  protectionMark,
} from "../../../functions/domain/node-pool/pool/annotations.ts";
import type { NodePoolStatus } from "../../../functions/domain/node-pool/pool/node-pool.ts";
import type { Metadata } from "./observe.ts";
import type { Injection } from "../plan.ts";
import type { World } from "../world/world.ts";

interface List<Item> {
  readonly items: readonly Item[];
}

interface SeenNode {
  readonly metadata: Metadata;
  readonly spec?: { readonly unschedulable?: boolean };
}

interface SeenBootcNode {
  readonly metadata: Metadata;
  readonly spec: { readonly desiredImage: string };
  readonly status?: { readonly booted?: { readonly imageDigest?: string } };
}

interface SeenPool {
  readonly metadata: Metadata;
  readonly status?: Partial<NodePoolStatus>;
}

const api = "/apis/node.bootc.dev/v1alpha1";

async function seePool(world: World) {
  const nodes = await world.read<List<SeenNode>>("/api/v1/nodes");
  const bootcNodes = await world.read<List<SeenBootcNode>>(`${api}/bootcnodes`);
  const pool = await world.read<SeenPool>(`${api}/bootcnodepools/workers`);
  return { nodes: nodes?.items ?? [], bootcNodes: bootcNodes?.items ?? [], pool };
}

/** Returns what must not be, also while a fault lasts: the pool allows one node to be unavailable, and no node fails. */
export async function poolViolationsDuring(world: World): Promise<readonly string[]> {
  const { nodes, bootcNodes, pool } = await seePool(world);
  const cordoned = nodes.filter(({ spec }) => spec?.unschedulable === true);
  const holders = bootcNodes.filter(({ metadata }) => holdsSlot(metadata));
  const isHalted = pool?.status?.conditions?.some(({ reason }) => reason === "RolloutHalted") ?? false;
  return [
    ...(cordoned.length > 1 ? [`pool: ${cordoned.length} nodes are cordoned`] : []),
    ...(holders.length > 1 ? [`pool: ${holders.length} nodes hold a slot`] : []),
    ...(isHalted ? ["pool: is halted"] : []),
  ];
}

/** Returns what must not be when nothing is left to do, after the fault was lifted. */
export async function poolViolationsAfter(world: World, { fault, call }: Injection): Promise<readonly string[]> {
  const { nodes, bootcNodes, pool } = await seePool(world);
  const isCordoned = ({ metadata, spec }: SeenNode) =>
    spec?.unschedulable === true || metadata.annotations?.[cordonAnnotation] !== undefined;
  const isProtected = ({ metadata }: SeenNode) => metadata.annotations?.[protectionMark] !== undefined;
  const left = [
    ...nodes.filter(isCordoned).map(({ metadata }) => `${metadata.name} is cordoned`),
    ...nodes.filter(isProtected).map(({ metadata }) => `${metadata.name} is protected from autoscalers`),
    ...bootcNodes.filter(({ metadata }) => holdsSlot(metadata)).map(({ metadata }) => `${metadata.name} holds a slot`),
  ];
  const isPoolGone = fault === "gone" && / bootcnodepools\/workers(\/status)?$/.test(call);
  if (pool === null && isPoolGone) return left.map((one) => `pool: ${one}`);
  const target = pool?.status?.targetDigest ?? "";
  const stale = bootcNodes.filter(({ status }) => status?.booted?.imageDigest !== target);
  const expected: readonly (readonly [boolean, string])[] = [
    [pool?.metadata.annotations?.[claimAnnotation] === undefined, "is claimed"],
    [target !== "", "has no target"],
    [bootcNodes.length === nodes.length, `manages ${bootcNodes.length} of ${nodes.length} nodes`],
    [stale.length === 0, `${stale.length} nodes do not run its image`],
    [pool?.status?.updatedCount === nodes.length, `counts ${pool?.status?.updatedCount} of ${nodes.length} nodes`],
  ];
  return [...left, ...expected.filter(([isTrue]) => !isTrue).map(([, what]) => what)].map((one) => `pool: ${one}`);
}

function holdsSlot({ annotations = {} }: Metadata): boolean {
  return annotations[bootcNodeAnnotations.inRebootSlot] !== undefined;
}
