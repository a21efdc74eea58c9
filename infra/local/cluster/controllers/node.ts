import { timestamp, type Draft } from "../objects.ts";
import { nodes } from "../resources.ts";
import { placeOf, type Api } from "../rules/api.ts";
import { create } from "../rules/create.ts";
import { patch } from "../rules/update.ts";

/** Makes a Node whose kubelet says that it is Ready. */
export function joinNode(api: Api, draft: Draft): void {
  create(api, nodes, "", draft);
  setReady(api, draft.metadata?.name ?? "", true);
}

/** Says of a node what its kubelet would; nothing of one that is gone. */
export function setReady(api: Api, name: string, isReady: boolean): void {
  const node = api.store.get(nodes, "", name);
  if (!node) return;
  const said = isReady
    ? { status: "True", reason: "KubeletReady", message: "kubelet is posting ready status" }
    : { status: "False", reason: "KubeletNotReady", message: "node is shutting down" };
  const at = timestamp(api.now());
  const condition = { type: "Ready", ...said, lastHeartbeatTime: at, lastTransitionTime: at };
  const body = { status: { conditions: [condition] } };
  patch(api, placeOf(nodes, node), "status", body, "application/strategic-merge-patch+json");
}
