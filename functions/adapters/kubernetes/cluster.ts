import type { KubeConfig } from "@kubernetes/client-node";
import type { Workload, WorkloadRef } from "../../domain/workload.ts";
import type { Announcement, Cluster } from "../../ports/cluster.ts";
import { Conflict } from "../errors.ts";
import { type KubernetesApi, kubernetesApi } from "./api.ts";
import { eventAbout } from "./event.ts";
import { workloadKinds } from "./kinds/all.ts";
import { type DigestHabits, usualHabits } from "./kinds/digest-tracking.ts";
import type { RuntimeImages } from "./kinds/claw-image.ts";
import type { WorkloadKind } from "./kinds/kind.ts";
import { listKinds } from "./list-kind.ts";
import { apiVersionOf, type KubernetesObject } from "./objects.ts";
import { pullLogins } from "./pull-logins.ts";
import { runningDigests } from "./running-digests.ts";
import { freeStuckPods } from "./stuck-pods.ts";

export interface ClusterSettings {
  readonly name: string;
  readonly kubeConfig: KubeConfig;
  /** null looks in every namespace. */
  readonly namespaces: readonly string[] | null;
  /** Where the images of Claw runtimes are mirrored, by runtime. */
  readonly runtimeImages?: RuntimeImages;
  /** What is done with workloads that are followed by digest; restarts at first sight, and leaves pull policies, unless told otherwise. */
  readonly digests?: DigestHabits;
  /** Whether the pull secrets of workloads are read. */
  readonly readsPullSecrets?: boolean;
  readonly now: () => Date;
  /** Told of what cannot be handled and is left alone. */
  readonly warn: (message: string) => void;
}

/** The workloads of a cluster behind a kubeconfig. Throws `Conflict`, `Unreachable`, `Throttled`, `Forbidden`. */
export function kubernetesCluster(settings: ClusterSettings): Cluster {
  const api = kubernetesApi(settings.kubeConfig);
  const kinds = workloadKinds({
    mirrors: settings.runtimeImages ?? {},
    digests: settings.digests ?? usualHabits,
    now: settings.now,
  });
  return {
    name: settings.name,
    list: (onRefused) => listKinds(kinds, settings.namespaces ?? [null], api, onRefused),
    async read(ref) {
      const found = await fetchObject(ref, kinds, settings, api);
      return found === null ? null : found.kind.read(found.object, api);
    },
    async change(workload, change) {
      const found = await fetchObject(workload.ref, kinds, settings, api);
      const { name, namespace } = workload.ref;
      if (found?.object.metadata.resourceVersion !== workload.resourceVersion) {
        throw new Conflict(`${workload.ref.kind} ${namespace}/${name} has changed since it was read`);
      }
      await found.kind.write(found.object, change, api);
    },
    async runningDigests({ ref }) {
      const kind = kindOf(ref, kinds);
      return kind === undefined ? [] : runningDigests(ref, kind.resource, api);
    },
    pullLogins: async (workload) => (settings.readsPullSecrets ? pullLogins(workload, api) : []),
    readAnalysis: ({ ref }, name) => api.getConfigMap(ref.namespace, name, "analysis.yaml"),
    async freeStuckPods({ ref }, image) {
      if (kindOf(ref, kinds)?.isStatefulSet) await freeStuckPods(ref, image, api);
    },
    announce: (workload, announcement) => announce(workload, announcement, api, settings.now()),
  };
}

function kindOf(ref: WorkloadRef, kinds: readonly WorkloadKind[]): WorkloadKind | undefined {
  const all = kinds.flatMap((kind) => (kind.older === undefined ? [kind] : [kind, kind.older]));
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
      `${ref.apiVersion} ${ref.kind} is no kind that Pawl updates: ${ref.namespace}/${ref.name} is left alone`,
    );
    return null;
  }
  const object = await api.get<KubernetesObject>(kind.resource, ref.namespace, ref.name);
  return object === null || object.metadata.uid !== ref.uid ? null : { kind, object };
}

async function announce(workload: Workload, announcement: Announcement, api: KubernetesApi, now: Date): Promise<void> {
  const { ref, resourceVersion } = workload;
  await api.createEvent(ref.namespace, eventAbout({ ...ref, resourceVersion }, announcement, now));
}
