import { createBuiltInKind } from "../../../functions/adapters/kubernetes/kinds/built-in/built-in.ts";
import type { KubernetesApi } from "../../../functions/adapters/kubernetes/api.ts";
import type { AutoUpdate, AutoUpdateSpec } from "../../../functions/adapters/kubernetes/auto-update/object.ts";
import { createClawKind } from "../../../functions/adapters/kubernetes/kinds/claw/claw.ts";
import type { RuntimeImages } from "../../../functions/adapters/kubernetes/kinds/claw/claw-image.ts";
import { daemonSet } from "../../../functions/adapters/kubernetes/kinds/built-in/daemon-set.ts";
import { defaultDigestOptions } from "../../../functions/adapters/kubernetes/kinds/digest/digest-tracking.ts";
import { deployment } from "../../../functions/adapters/kubernetes/kinds/built-in/deployment.ts";
import { statefulSet } from "../../../functions/adapters/kubernetes/kinds/built-in/stateful-set.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import { manifest, type BuiltInKind, type Parts } from "../../contracts/cluster-fixtures.ts";

export const settings = {
  digests: defaultDigestOptions,
  hooks: true,
  holder: { id: "pawl", isLost: () => false },
  now: () => new Date("2026-11-20T12:00:00Z"),
};

const builtInKinds = {
  Deployment: createBuiltInKind(deployment, settings),
  StatefulSet: createBuiltInKind(statefulSet, settings),
  DaemonSet: createBuiltInKind(daemonSet, settings),
};

/** The metadata that a server adds to a manifest. */
export const stored = { namespace: "shop", uid: "u-1", resourceVersion: "7" };

/** Reads a built-in workload without a server, so that objects can be read that some or all servers reject. */
export function readBuiltIn(
  kind: BuiltInKind,
  parts: Parts = {},
  rest: object = {},
  autoUpdate: AutoUpdate | null = null,
  api = noApi,
): Promise<Workload> {
  const { metadata, ...object } = manifest(kind, parts);
  return builtInKinds[kind].read({ ...object, metadata: { ...metadata, ...stored }, ...rest }, api, autoUpdate);
}

/** Returns the AutoUpdate of the workload `app`. */
export function autoUpdateOf(
  kind: BuiltInKind,
  parts: Partial<AutoUpdateSpec> & Pick<AutoUpdate, "status">,
): AutoUpdate {
  const { status = {}, ...spec } = parts;
  const name = `${kind.toLowerCase()}-app`;
  return {
    metadata: { name, namespace: "shop", uid: "u-2", resourceVersion: "8", generation: 1 },
    spec: { targetRef: { apiVersion: "apps/v1", kind, name: "app" }, ...spec },
    status,
  };
}

/** Reads a Claw and the StatefulSet of its operator, if there is one. */
export function readClaw(
  parts: Parts = {},
  { set = null, status, mirrors = {} }: { set?: object | null; status?: object; mirrors?: RuntimeImages } = {},
): Promise<Workload> {
  const { metadata, ...object } = manifest("Claw", parts);
  const claw = { ...object, metadata: { ...metadata, ...stored }, ...(status === undefined ? {} : { status }) };
  const api: KubernetesApi = { ...noApi, get: async <T>() => set as T | null };
  return createClawKind({ mirrors, now: () => new Date(0) }).read(claw, api, null);
}

const unexpectedCall = () => {
  throw new Error("unexpected request");
};

export const noApi: KubernetesApi = {
  get: unexpectedCall,
  list: unexpectedCall,
  listSelected: unexpectedCall,
  patch: unexpectedCall,
  create: unexpectedCall,
  delete: unexpectedCall,
  getConfigMap: unexpectedCall,
  listPods: unexpectedCall,
  readLog: unexpectedCall,
  getSecret: unexpectedCall,
  getServiceAccountSecrets: unexpectedCall,
  exists: unexpectedCall,
  deletePod: unexpectedCall,
  evictPod: unexpectedCall,
  createEvent: unexpectedCall,
  listConfigMaps: unexpectedCall,
  getSecretVersion: unexpectedCall,
  getConfigContent: unexpectedCall,
};
