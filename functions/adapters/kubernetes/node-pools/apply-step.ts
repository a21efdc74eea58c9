import type { CoreV1Api } from "@kubernetes/client-node";
import type { NodePool, PoolNode } from "../../../domain/node-pool/types.ts";
import type { NodeWrite } from "../../../ports/node-pools.ts";
import { Conflict } from "../../errors.ts";
import type { ClusterScopedApi } from "../cluster-scoped.ts";
import { fieldManager, named, type Options } from "../requests.ts";
import { type BootcNodeObject, readBootcNode } from "./bootc-node-object.ts";
import { orGone } from "./gone.ts";
import { type NodeObject, readNode } from "./node-object.ts";
import { bootcNodeResource } from "./resources.ts";
import {
  type BootcNodePatchStep,
  bootcNodePatch,
  isNodeStep,
  newBootcNode,
  type NodePatchStep,
  nodePatch,
  onVersion,
} from "./step-patch.ts";

export interface Means {
  readonly core: CoreV1Api;
  readonly api: ClusterScopedApi;
  readonly options: Options;
  readonly now: () => Date;
}

/** Does one step of a node in one request, and returns the node with what the server answered. */
export async function applyStep(pool: NodePool, node: PoolNode, step: NodeWrite, means: Means): Promise<PoolNode> {
  const { api, now } = means;
  if (isNodeStep(step)) return { ...node, node: await patchNode(pool, node, step, means) };
  if (step.kind === "create") {
    const made = await api.create<BootcNodeObject>(bootcNodeResource, newBootcNode(node.name, step, pool, now()));
    return { ...node, bootcNode: readBootcNode(made) };
  }
  if (step.kind !== "delete") return { ...node, bootcNode: await patchBootcNode(node, step, means) };
  if (node.bootcNode !== null) await api.remove(bootcNodeResource, node.name, node.bootcNode.uid);
  return { ...node, bootcNode: null };
}

async function patchNode(pool: NodePool, { name, node }: PoolNode, step: NodePatchStep, means: Means) {
  const isTakingAway = step.kind !== "label" && step.kind !== "cordon";
  return unlessGone(node, isTakingAway, `Node ${name}`, async ({ resourceVersion }) => {
    const body = onVersion(resourceVersion, nodePatch(step, pool));
    const asMergePatch = means.options({ "Content-Type": "application/merge-patch+json" });
    const patched = await named(`patch Node ${name}`, () =>
      means.core.patchNode({ name, body, fieldManager }, asMergePatch),
    );
    return readNode(patched as NodeObject, "whole");
  });
}

async function patchBootcNode({ name, bootcNode }: PoolNode, step: BootcNodePatchStep, { api, now }: Means) {
  const isTakingAway = step.kind === "free-slot";
  return unlessGone(bootcNode, isTakingAway, `BootcNode ${name}`, async ({ resourceVersion }) => {
    const body = onVersion(resourceVersion, bootcNodePatch(step, now()));
    return readBootcNode(await api.patch<BootcNodeObject>(bootcNodeResource, name, body));
  });
}

/** What is to be taken away from an object that is gone (null) is taken away. */
async function unlessGone<Of>(
  object: Of | null,
  isTakingAway: boolean,
  what: string,
  patch: (object: Of) => Promise<Of>,
): Promise<Of | null> {
  if (object === null) {
    if (isTakingAway) return null;
    throw new Conflict(`${what} is gone`);
  }
  return isTakingAway ? orGone(() => patch(object)) : patch(object);
}
