import { CoreV1Api, CustomObjectsApi, type KubeConfig } from "@kubernetes/client-node";
import { bootcNodeAnnotations } from "../../../domain/node-pool/pool/annotations.ts";
import type { NodePools } from "../../../ports/node-pools.ts";
import { createClusterScopedApi } from "../cluster-scoped.ts";
import { createCoreApi } from "../core-api.ts";
import { createEventEmitter } from "../event.ts";
import { createRequestOptions } from "../requests.ts";
import { applyStep } from "./apply-step.ts";
import { createEvictor, createPodDeleter } from "./evict-pod.ts";
import { ignoreNotFound } from "./ignore-not-found.ts";
import { listPoolNodes } from "./nodes.ts";
import { type PoolObject, readPool } from "./pool-object.ts";
import { removeClaim, writeClaim, writePoolPaused, writePoolRequest, writePoolStatus } from "./write-pool.ts";
import { listEtcdNodes, listPodsOnNode } from "./pods.ts";
import { readPullSecret } from "./pull-secret.ts";
import { mapAdmissionDenial } from "../errors.ts";
import { writeAgentReport } from "./write-agent-report.ts";
import { bootcNodeResource, poolResource } from "./resources.ts";
import { toEventSubject } from "./event-subject.ts";

export interface NodePoolsSettings {
  readonly kubeConfig: KubeConfig;
  /** Whether to read the pull secrets of pools; false by default. */
  readonly readsPullSecrets?: boolean;
  readonly now: () => Date;
}

/**
 * Creates the node pools port of a cluster. Throws `Conflict`, `AdmissionDenied`, `Unreachable`, `Throttled`,
 * `Forbidden`.
 */
export function createKubernetesNodePools({ kubeConfig, readsPullSecrets = false, now }: NodePoolsSettings): NodePools {
  const options = createRequestOptions();
  const core = kubeConfig.makeApiClient(CoreV1Api);
  const api = createClusterScopedApi(kubeConfig.makeApiClient(CustomObjectsApi), options);
  const emitKubernetesEvent = createEventEmitter(createCoreApi(core, options), now);
  return {
    list: async () => (await api.list<PoolObject>(poolResource)).map(readPool),
    async read({ name, uid }) {
      const object = await api.get<PoolObject>(poolResource, name);
      return object === null || object.metadata.uid !== uid ? null : readPool(object);
    },
    listNodes: (scope) => listPoolNodes(scope, core, api, options),
    etcdNodes: () => listEtcdNodes(core, options),
    write: (pool, node, step) => mapAdmissionDenial(() => applyStep(pool, node, step, { core, api, options, now })),
    async recordEmittedEvents({ name, bootcNode }, emittedEvents) {
      if (bootcNode === null) return;
      const metadata = { annotations: { [bootcNodeAnnotations.emittedEvents]: emittedEvents } };
      await mapAdmissionDenial(() => ignoreNotFound(() => api.patch(bootcNodeResource, name, { metadata })));
    },
    listPods: (node) => listPodsOnNode(node, core, options),
    evict: createEvictor(core, options),
    deletePod: createPodDeleter(core, options),
    claim: (pool, execution) => writeClaim(pool, execution, api),
    release: (pool, removesFinalizer) => removeClaim(pool, removesFinalizer, api),
    saveStatus: (pool, status) => writePoolStatus(pool, status, api, now()),
    setPaused: (pool, paused) => writePoolPaused(pool, paused, api),
    request: (pool, text) => writePoolRequest(pool, text, api),
    writeAgentReport: (node, report) => mapAdmissionDenial(() => writeAgentReport(node, report, api, now())),
    pullSecret: async (ref) => (readsPullSecrets ? readPullSecret(ref, core, options) : { kind: "unread" }),
    async emitEvent(subject, announcement) {
      const about = toEventSubject(subject);
      if (about !== null) await emitKubernetesEvent(about, announcement);
      return "written";
    },
  };
}
