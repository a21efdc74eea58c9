import type { CoreV1Api } from "@kubernetes/client-node";
import type { PoolNode } from "../../../domain/node-pool/node/bootc-node.ts";
import type { NodePool } from "../../../domain/node-pool/pool/node-pool.ts";
import type { NodeWrite } from "../../../ports/node-pools.ts";
import { Conflict } from "../../../ports/errors.ts";
import type { ClusterScopedApi } from "../cluster-scoped.ts";
import { fieldManager, mapErrors, type RequestOptions } from "../requests.ts";
import { type BootcNodeObject, readBootcNode } from "./bootc-node-object.ts";
import { ignoreNotFound } from "./ignore-not-found.ts";
import { type NodeObject, readNode } from "./node-object.ts";
import { bootcNodeResource } from "./resources.ts";
import {
  type BootcNodePatchStep,
  bootcNodePatch,
  isNodePatchStep,
  createBootcNodeBody,
  type NodePatchStep,
  nodePatch,
  withResourceVersion,
} from "./step-patch.ts";

export interface StepContext {
  readonly core: CoreV1Api;
  readonly api: ClusterScopedApi;
  readonly options: RequestOptions;
  readonly now: () => Date;
}

/** Executes one step of a node in one request, and returns the node with the server's answer. */
export async function applyStep(
  pool: NodePool,
  node: PoolNode,
  step: NodeWrite,
  context: StepContext,
): Promise<PoolNode> {
  const { api, now } = context;
  if (isNodePatchStep(step)) return { ...node, node: await patchNode(pool, node, step, context) };
  if (step.kind === "create") {
    const created = await api.create<BootcNodeObject>(
      bootcNodeResource,
      createBootcNodeBody(node.name, step, pool, now()),
    );
    return { ...node, bootcNode: readBootcNode(created) };
  }
  if (step.kind !== "delete") return { ...node, bootcNode: await patchBootcNode(node, step, context) };
  if (node.bootcNode !== null) await api.delete(bootcNodeResource, node.name, node.bootcNode.uid);
  return { ...node, bootcNode: null };
}

async function patchNode(pool: NodePool, { name, node }: PoolNode, step: NodePatchStep, context: StepContext) {
  const isRemoval = step.kind !== "label" && step.kind !== "cordon" && step.kind !== "protect";
  return patchExisting(node, isRemoval, `Node ${name}`, async (current) => {
    const body = withResourceVersion(current.resourceVersion, nodePatch(step, pool, current));
    const asMergePatch = context.options({ "Content-Type": "application/merge-patch+json" });
    const patched = await mapErrors(`patch Node ${name}`, () =>
      context.core.patchNode({ name, body, fieldManager }, asMergePatch),
    );
    return readNode(patched as NodeObject, "full");
  });
}

async function patchBootcNode({ name, bootcNode }: PoolNode, step: BootcNodePatchStep, { api, now }: StepContext) {
  const isRemoval = step.kind === "release-slot";
  return patchExisting(bootcNode, isRemoval, `BootcNode ${name}`, async ({ resourceVersion }) => {
    const body = withResourceVersion(resourceVersion, bootcNodePatch(step, now()));
    return readBootcNode(await api.patch<BootcNodeObject>(bootcNodeResource, name, body));
  });
}

/** Patches an object. If it was deleted, a removal succeeds with null and anything else throws `Conflict`. */
async function patchExisting<Of>(
  object: Of | null,
  isRemoval: boolean,
  what: string,
  patch: (object: Of) => Promise<Of>,
): Promise<Of | null> {
  if (object === null) {
    if (isRemoval) return null;
    throw new Conflict(`${what} was deleted`);
  }
  return isRemoval ? ignoreNotFound(() => patch(object)) : patch(object);
}
