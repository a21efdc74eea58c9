import { timestamp, type KubeObjectInput } from "../../objects.ts";
import { nodes } from "../../resources.ts";
import { refOf, type Api } from "../../verbs/context.ts";
import { create } from "../../verbs/create.ts";
import { patch } from "../../verbs/update.ts";

/** Creates a Ready Node. */
export function registerNode(api: Api, input: KubeObjectInput): void {
  create(api, nodes, "", input);
  setReady(api, input.metadata?.name ?? "", true);
}

/** Updates the condition Ready of a Node, like its kubelet, and its boot ID when it has booted. Does nothing if there is no such Node. */
export function setReady(api: Api, name: string, isReady: boolean): void {
  const node = api.store.get(nodes, "", name);
  if (!node) return;
  const reported = isReady
    ? { status: "True", reason: "KubeletReady", message: "kubelet is posting ready status" }
    : { status: "False", reason: "KubeletNotReady", message: "node is shutting down" };
  const at = timestamp(api.now());
  const condition = { type: "Ready", ...reported, lastHeartbeatTime: at, lastTransitionTime: at };
  const nodeInfo = { bootID: `boot-${node.metadata.resourceVersion}` };
  const body = { status: { conditions: [condition], ...(isReady && { nodeInfo }) } };
  patch(api, refOf(nodes, node), "status", body, "application/strategic-merge-patch+json");
}
