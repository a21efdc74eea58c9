import type { KubeConfig } from "@kubernetes/client-node";
import type { WorkloadRef } from "../../domain/workload/workload.ts";
import type { Cluster } from "../../ports/cluster.ts";
import { Conflict } from "../../ports/errors.ts";
import { type KubernetesApi, createKubernetesApi } from "./api.ts";
import { createEventEmitter } from "./event.ts";
import { createWorkloadKinds } from "./kinds/kinds.ts";
import { type DigestOptions, defaultDigestOptions } from "./kinds/digest-tracking.ts";
import type { RuntimeImages } from "./kinds/claw-image.ts";
import type { WorkloadKind } from "./kinds/kind.ts";
import { listWorkloads } from "./list-workloads.ts";
import { apiVersionOf, type KubernetesObject } from "./objects.ts";
import { readPullSecrets } from "./pull-secrets.ts";
import { readRunningDigests } from "./running-digests.ts";
import { deleteStuckPods } from "./stuck-pods.ts";

export interface ClusterSettings {
  readonly name: string;
  readonly kubeConfig: KubeConfig;
  /** null means all namespaces. */
  readonly namespaces: readonly string[] | null;
  /** Mirrors of the images of Claw runtimes: runtime to repository. */
  readonly runtimeImages?: RuntimeImages;
  /** Defaults to a restart when a digest is first seen, and to unchanged pull policies. */
  readonly digests?: DigestOptions;
  /** Whether the pull secrets of workloads are read. */
  readonly readsPullSecrets?: boolean;
  readonly now: () => Date;
  /** Receives a message about each object that is skipped. */
  readonly warn: (message: string) => void;
}

/** Creates the port for the cluster of a kubeconfig. Its methods throw `Conflict`, `Unreachable`, `Throttled`, `Forbidden`. */
export function createKubernetesCluster(settings: ClusterSettings): Cluster {
  const api = createKubernetesApi(settings.kubeConfig);
  const emitKubernetesEvent = createEventEmitter(api, settings.now);
  const kinds = createWorkloadKinds({
    mirrors: settings.runtimeImages ?? {},
    digests: settings.digests ?? defaultDigestOptions,
    now: settings.now,
  });
  return {
    name: settings.name,
    list: (onForbidden) => listWorkloads(kinds, settings.namespaces ?? [null], api, onForbidden),
    async read(ref) {
      const found = await fetchObject(ref, kinds, settings, api);
      return found === null ? null : found.kind.read(found.object, api);
    },
    async change(workload, change) {
      const found = await fetchObject(workload.ref, kinds, settings, api);
      const { name, namespace } = workload.ref;
      if (found?.object.metadata.resourceVersion !== workload.resourceVersion) {
        throw new Conflict(`${workload.ref.kind} ${namespace}/${name} has changed since it was read; read it again`);
      }
      await found.kind.write(found.object, change, api);
    },
    async runningDigests({ ref }) {
      const kind = kindOf(ref, kinds);
      return kind === undefined ? [] : readRunningDigests(ref, kind.resource, api);
    },
    pullSecrets: async (workload) => (settings.readsPullSecrets ? readPullSecrets(workload, api) : []),
    readAnalysis: ({ ref }, name) => api.getConfigMap(ref.namespace, name, "analysis.yaml"),
    async deleteStuckPods({ ref }, image) {
      if (kindOf(ref, kinds)?.isStatefulSet) await deleteStuckPods(ref, image, api);
    },
    emitEvent: ({ ref, resourceVersion }, event) => emitKubernetesEvent({ ...ref, resourceVersion }, event),
  };
}

function kindOf(ref: WorkloadRef, kinds: readonly WorkloadKind[]): WorkloadKind | undefined {
  const all = kinds.flatMap((kind) => (kind.olderVersion === undefined ? [kind] : [kind, kind.olderVersion]));
  return all.find(({ resource }) => resource.kind === ref.kind && apiVersionOf(resource) === ref.apiVersion);
}

async function fetchObject(
  ref: WorkloadRef,
  kinds: readonly WorkloadKind[],
  settings: ClusterSettings,
  api: KubernetesApi,
) {
  const kind = kindOf(ref, kinds);
  if (kind === undefined) {
    settings.warn(
      `${ref.apiVersion} ${ref.kind} is not a kind that Pawl updates: ${ref.namespace}/${ref.name} is skipped`,
    );
    return null;
  }
  const object = await api.get<KubernetesObject>(kind.resource, ref.namespace, ref.name);
  return object === null || object.metadata.uid !== ref.uid ? null : { kind, object };
}
