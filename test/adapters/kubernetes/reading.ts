import { builtInKind } from "../../../functions/adapters/kubernetes/kinds/built-in.ts";
import type { KubernetesApi } from "../../../functions/adapters/kubernetes/api.ts";
import { clawKind } from "../../../functions/adapters/kubernetes/kinds/claw.ts";
import type { RuntimeImages } from "../../../functions/adapters/kubernetes/kinds/claw-image.ts";
import { daemonSet } from "../../../functions/adapters/kubernetes/kinds/daemon-set.ts";
import { deployment } from "../../../functions/adapters/kubernetes/kinds/deployment.ts";
import { statefulSet } from "../../../functions/adapters/kubernetes/kinds/stateful-set.ts";
import type { Workload } from "../../../functions/domain/workload.ts";
import { manifest, type BuiltInKind, type Parts } from "../../contracts/cluster-fixtures.ts";

const builtInKinds = {
  Deployment: builtInKind(deployment),
  StatefulSet: builtInKind(statefulSet),
  DaemonSet: builtInKind(daemonSet),
};

/** What a server adds to a manifest. */
export const stored = { namespace: "shop", uid: "u-1", resourceVersion: "7" };

/** Reads a built-in workload without a server: objects that no server would take, or only another version's, are read too. */
export function readBuiltIn(kind: BuiltInKind, parts: Parts = {}, rest: object = {}): Promise<Workload> {
  const { metadata, ...object } = manifest(kind, parts);
  return builtInKinds[kind].read({ ...object, metadata: { ...metadata, ...stored }, ...rest }, noApi);
}

/** Reads a Claw beside the StatefulSet that its operator made, or none. */
export function readClaw(
  parts: Parts = {},
  { set = null, status, mirrors = {} }: { set?: object | null; status?: object; mirrors?: RuntimeImages } = {},
): Promise<Workload> {
  const { metadata, ...object } = manifest("Claw", parts);
  const claw = { ...object, metadata: { ...metadata, ...stored }, ...(status === undefined ? {} : { status }) };
  const api: KubernetesApi = { ...noApi, get: async <T>() => set as T | null };
  return clawKind({ mirrors, now: () => new Date(0) }).read(claw, api);
}

const unasked = () => {
  throw new Error("nothing else of the server is needed to read this");
};

const noApi: KubernetesApi = {
  get: unasked,
  list: unasked,
  patch: unasked,
  create: unasked,
  remove: unasked,
  getConfigMap: unasked,
  listPods: unasked,
  getSecret: unasked,
  getServiceAccountSecrets: unasked,
  deletePod: unasked,
  createEvent: unasked,
};
