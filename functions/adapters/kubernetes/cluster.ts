import type { KubeConfig } from "@kubernetes/client-node";
import type { GitScope } from "../../domain/workload/git/write-to.ts";
import type { PolicyDefaults } from "../../domain/workload/policy/defaults.ts";
import type { Workload, WorkloadRef } from "../../domain/workload/workload.ts";
import type { Cluster } from "../../ports/cluster.ts";
import { Conflict, Forbidden } from "../../ports/errors.ts";
import { createAnalysisReader } from "./analyses.ts";
import { mapRefusal } from "./errors.ts";
import { type KubernetesApi, createKubernetesApi } from "./api.ts";
import { type AutoUpdate, resource as autoUpdateResource } from "./auto-update/object.ts";
import { nameTakenReason, withoutRecord } from "./auto-update/unrecordable.ts";
import { readIdentityProblem } from "./identity.ts";
import { getAutoUpdate, writeRequestAnnotations } from "./auto-update/write.ts";
import { readConfig } from "./config/read-config.ts";
import { createEventEmitter } from "./event.ts";
import { freezeSubject, readFreezeText } from "./freeze-text.ts";
import { createHookJobs } from "./hooks/hook-jobs.ts";
import { createWorkloadKinds } from "./kinds/kinds.ts";
import { type DigestOptions, defaultDigestOptions } from "./kinds/digest/digest-tracking.ts";
import type { RuntimeImages } from "./kinds/claw/claw-image.ts";
import type { ClaimHolder, WorkloadKind } from "./kinds/kind.ts";
import type { BuiltInObject } from "./kinds/pod-template/pod-template.ts";
import { configured } from "./kinds/built-in/read-built-in.ts";
import { readOwner } from "./kinds/pod-template/read-owner.ts";
import { readImagesThatRan } from "./kinds/ran-images.ts";
import { hasRevisions, readSnapshots } from "./kinds/pod-template/revisions.ts";
import { createUnusedAutoUpdateKind } from "./kinds/record/unused-auto-update.ts";
import { listWorkloads } from "./list-workloads.ts";
import { apiVersionOf, type KubernetesObject } from "./objects.ts";
import { listJobRuns } from "./pods/job-runs.ts";
import { listRolledPods } from "./pods/rolled-pods.ts";
import { pawlNamespace } from "./poll-lease.ts";
import { readPullSecrets } from "./pull-secrets.ts";
import type { ClusterSwitches } from "../../domain/cluster/switches.ts";
import { readRunningDigests } from "./pods/running-digests.ts";
import { deleteStuckPods } from "./pods/stuck-pods.ts";
import { requestAnnotations } from "./request-annotations.ts";
import { createServerClock } from "./server-clock.ts";
import { countUnavailablePods, noPods } from "./pods/unavailable-pods.ts";

/** Without `hooks` and `jobMetrics`, the rights in the cluster decide. */
export interface ClusterSettings extends Partial<ClusterSwitches> {
  readonly name: string;
  readonly kubeConfig: KubeConfig;
  /** null means all namespaces. */
  readonly namespaces: readonly string[] | null;
  /** Lists only workloads with these labels; all if absent. */
  readonly labelSelector?: string | undefined;
  /** Mirrors of the images of Claw runtimes: runtime to repository. */
  readonly runtimeImages?: RuntimeImages;
  /** Where the freezes are. Defaults to where the Lease of the polls is. */
  readonly freezeNamespace?: string;
  /** What the deployment says about policies. */
  readonly defaults?: readonly PolicyDefaults[];
  /** The repositories that may name the images of workloads; null if they are not known. */
  readonly git?: readonly GitScope[] | null;
  /** Defaults to a restart when a digest is first seen, and to unchanged pull policies. */
  readonly digests?: DigestOptions;
  /** Who holds the claims that this cluster's methods write. Defaults to an installation without a name. */
  readonly holder?: ClaimHolder;
  /** Whether the pull secrets of workloads are read. */
  readonly readsPullSecrets?: boolean;
  readonly now: () => Date;
  /** The clock that the API server's is compared with. Defaults to that of this machine. */
  readonly machineClock?: () => Date;
  /** Receives a message about each object that is skipped. */
  readonly warn: (message: string) => void;
}

/** Creates the port for the cluster of a kubeconfig. Its methods throw `Conflict`, `Unreachable`, `Throttled`, `Forbidden`. */
export function createKubernetesCluster(settings: ClusterSettings): Cluster {
  const serverClock = createServerClock(settings.machineClock ?? (() => new Date()));
  const api = createKubernetesApi(settings.kubeConfig, serverClock.observe);
  const emitKubernetesEvent = createEventEmitter(api, settings.now);
  const kinds = createWorkloadKinds({
    mirrors: settings.runtimeImages ?? {},
    digests: settings.digests ?? defaultDigestOptions,
    releases: settings.releases ?? false,
    hooks: settings.hooks ?? true,
    ...(settings.git === undefined ? {} : { git: settings.git }),
    ...(settings.defaults === undefined ? {} : { defaults: settings.defaults }),
    holder: settings.holder ?? { id: "pawl", isLost: () => false },
    now: settings.now,
  });
  const unused = createUnusedAutoUpdateKind(kinds, settings);
  const read: Cluster["read"] = async (ref) => {
    const found = await fetchObject(ref, [...kinds, unused], settings, api);
    if (found === null) return null;
    const { kind, object, autoUpdate, isNameTaken } = found;
    const workload = await kind.read(object, api, autoUpdate);
    return isNameTaken ? withoutRecord(workload, nameTakenReason(object, kind.resource)) : workload;
  };
  const freezeNamespace = settings.freezeNamespace ?? pawlNamespace(settings.namespaces);
  return {
    name: settings.name,
    list: (onSkipped, steps) =>
      listWorkloads(kinds, unused, settings.namespaces ?? [null], api, onSkipped, {
        labelSelector: settings.labelSelector,
        steps,
      }),
    read,
    async readNamed({ cluster = null, ...named }) {
      if (cluster !== null)
        throw new Forbidden(
          `cluster ${cluster} is not a peer of ${settings.name}; add it to peers of ${settings.name} in pawl.json`,
        );
      return read({ ...named, apiVersion: named.kind === "CronJob" ? "batch/v1" : "apps/v1", uid: "" });
    },
    async change(workload, change) {
      const found = await fetchObject(workload.ref, [...kinds, unused], settings, api);
      if (found === null || !isAsRead(found, workload)) {
        const { kind, name, namespace } = workload.ref;
        throw new Conflict(`${kind} ${namespace}/${name} has changed since it was read; read it again`);
      }
      await mapRefusal(() => found.kind.write({ ...found, workload }, change, api));
    },
    async request({ ref, resourceVersion, record }, request, override) {
      const found = await fetchObject(ref, [...kinds, unused], settings, api);
      const usesAutoUpdate = found?.kind.usesAutoUpdate ?? false;
      const target = usesAutoUpdate ? found?.autoUpdate : found?.object;
      const asRead = usesAutoUpdate ? record.resourceVersion : resourceVersion;
      if (found === null || !target || target.metadata.resourceVersion !== asRead) {
        throw new Conflict(`the record of ${ref.kind} ${ref.namespace}/${ref.name} has changed; read it again`);
      }
      const written = await requestAnnotations(settings.kubeConfig, target.metadata.uid, request, override);
      await writeRequestAnnotations(usesAutoUpdate ? autoUpdateResource : found.kind.resource, target, written, api);
    },
    async runningDigests({ ref }) {
      const kind = kindOf(ref, kinds);
      return kind === undefined ? [] : readRunningDigests(ref, kind.resource, api);
    },
    async countUnavailablePods(workload) {
      const kind = kindOf(workload.ref, kinds);
      return kind === undefined ? noPods : countUnavailablePods(workload, kind.resource, api, settings.now());
    },
    async readSnapshots({ ref }, pins) {
      const found = await fetchObject(ref, kinds, settings, api);
      return found === null || !hasRevisions(found.kind.resource)
        ? []
        : readSnapshots(configured(found.object as BuiltInObject, found.autoUpdate), found.kind.resource, api, pins);
    },
    async imagesThatRan(workload) {
      const found = await fetchObject(workload.ref, kinds, settings, api);
      return found === null ? [] : readImagesThatRan(workload, found, api);
    },
    listJobs: (workload) => listJobRuns(workload, api),
    async listPods(workload) {
      const kind = kindOf(workload.ref, kinds);
      return kind === undefined ? [] : listRolledPods(workload, kind.resource, api, settings.now());
    },
    evictPod: ({ ref }, { name, uid }) => api.evictPod({ namespace: ref.namespace, name, uid }),
    pullSecrets: async (workload) => (settings.readsPullSecrets ? readPullSecrets(workload, api) : []),
    readConfig: (namespace, config, remember) =>
      readConfig(config, { namespace, readsSecrets: settings.configSecrets ?? false, api, remember }),
    ...createHookJobs(api, settings.jobMetrics ?? true),
    readAnalysis: createAnalysisReader(settings.kubeConfig, api),
    async readOwner({ ref }) {
      const kind = kindOf(ref, kinds);
      if (!kind?.usesAutoUpdate) return null;
      const found = await fetchObject(ref, kinds, settings, api);
      return found === null ? null : readOwner(configured(found.object as BuiltInObject, found.autoUpdate));
    },
    readFreeze: async () => ({
      ...(await readFreezeText(api, freezeNamespace)),
      serverAheadSeconds: serverClock.aheadSeconds(),
    }),
    identityProblem: (of) => readIdentityProblem(settings.kubeConfig, of),
    async deleteStuckPods(workload, before) {
      if (kindOf(workload.ref, kinds)?.isStatefulSet) await mapRefusal(() => deleteStuckPods(workload, before, api));
    },
    emitFreezeEvent: (event) => emitKubernetesEvent(freezeSubject(freezeNamespace), event),
    emitEvent: ({ ref, resourceVersion }, event) => emitKubernetesEvent({ ...ref, resourceVersion }, event),
  };
}

function kindOf(ref: WorkloadRef, kinds: readonly WorkloadKind[]): WorkloadKind | undefined {
  const all = kinds.flatMap((kind) => (kind.olderVersion === undefined ? [kind] : [kind, kind.olderVersion]));
  return all.find(({ resource }) => resource.kind === ref.kind && apiVersionOf(resource) === ref.apiVersion);
}

interface Found {
  readonly kind: WorkloadKind;
  readonly object: KubernetesObject;
  readonly autoUpdate: AutoUpdate | null;
  /** An AutoUpdate with another target has the name of its own. */
  readonly isNameTaken: boolean;
}

function isAsRead({ object, autoUpdate }: Found, { resourceVersion, record }: Workload): boolean {
  const recordVersion = autoUpdate?.metadata.resourceVersion ?? null;
  return object.metadata.resourceVersion === resourceVersion && recordVersion === record.resourceVersion;
}

/** Without a uid, any object of this name. */
async function fetchObject(
  ref: WorkloadRef,
  kinds: readonly WorkloadKind[],
  settings: ClusterSettings,
  api: KubernetesApi,
): Promise<Found | null> {
  const kind = kindOf(ref, kinds);
  if (kind === undefined) {
    settings.warn(
      `${ref.apiVersion} ${ref.kind} is not a kind that Pawl updates: ${ref.namespace}/${ref.name} is skipped`,
    );
    return null;
  }
  const object = await api.get<KubernetesObject>(kind.resource, ref.namespace, ref.name);
  if (object === null || (ref.uid !== "" && object.metadata.uid !== ref.uid)) return null;
  const autoUpdate = kind.usesAutoUpdate ? await getAutoUpdate(object, kind.resource, api) : null;
  const isNameTaken = autoUpdate === "taken";
  return { kind, object, autoUpdate: isNameTaken ? null : autoUpdate, isNameTaken };
}
