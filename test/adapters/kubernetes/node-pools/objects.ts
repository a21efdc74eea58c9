import {
  createKubernetesNodePools,
  type NodePoolsSettings,
} from "../../../../functions/adapters/kubernetes/node-pools/node-pools.ts";
import type { NodePools } from "../../../../functions/ports/node-pools.ts";
import { kubeConfigAt } from "../api/scripted-server.ts";

/** The adapter on a server without TLS. */
export function poolsAt(server: string, settings: Partial<NodePoolsSettings> = {}): NodePools {
  const now = () => new Date("2026-11-20T12:00:00Z");
  return createKubernetesNodePools({ kubeConfig: kubeConfigAt(server), now, ...settings });
}

export const metadata = { name: "w1", uid: "u-1", resourceVersion: "7", generation: 3 };

/** A BootcNodePool as a server answers it; rest is what is odd about it. */
export function poolObject(rest: object = {}) {
  const spec = { nodeSelector: {}, image: { ref: "quay.io/example/myos:v2" } };
  return { metadata: { ...metadata, name: "workers" }, spec, ...rest };
}

/** A BootcNode as a server answers it. */
export function bootcNodeObject() {
  return { metadata: { ...metadata, resourceVersion: "1" }, spec: { desiredImage: "myos@sha256:1" } };
}

/** As API servers say it, by the code that a webhook or a policy chose or left to them. */
export const admissionRefusals: readonly { readonly code: number; readonly message: string }[] = [
  { code: 400, message: 'admission webhook "guard.example.com" denied the request without explanation' },
  { code: 403, message: 'admission webhook "guard.example.com" denied the request: [no-evictions] not on\nFridays' },
  { code: 409, message: 'admission webhook "guard.example.com" denied the request: another has it' },
  { code: 422, message: `nodes "w1" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'p' denied request: no` },
  { code: 403, message: `nodes "w1" is forbidden: ValidatingAdmissionPolicy 'p' denied request: no` },
  {
    code: 500,
    message:
      'Internal error occurred: failed calling webhook "guard.example.com": failed to call webhook: Post "https://g"',
  },
];
