import { CoreV1Api, CustomObjectsApi, type KubeConfig } from "@kubernetes/client-node";
import { slotAnnotations } from "../../../domain/node-pool/names.ts";
import type { NodePools } from "../../../ports/node-pools.ts";
import { clusterScopedApi } from "../cluster-scoped.ts";
import { coreApi } from "../core-api.ts";
import { eventAbout } from "../event.ts";
import { requestOptions } from "../requests.ts";
import { applyStep } from "./apply-step.ts";
import { evictions } from "./eviction.ts";
import { orGone } from "./gone.ts";
import { listPoolNodes } from "./nodes.ts";
import { type PoolObject, readPool } from "./pool-object.ts";
import { takeClaimAway, writeClaim, writePaused, writePoolStatus } from "./pool-writes.ts";
import { listPodsOf } from "./pods.ts";
import { hashOfSecret } from "./pull-secret.ts";
import { refusable } from "../refusal.ts";
import { writeReport } from "./report.ts";
import { bootcNodeResource, poolResource } from "./resources.ts";
import { subjectOf } from "./subject.ts";

export interface NodePoolsSettings {
  readonly kubeConfig: KubeConfig;
  /** Whether the pull secrets that pools name are read; not unless told so. */
  readonly readsPullSecrets?: boolean;
  readonly now: () => Date;
}

/** The node pools of a cluster behind a kubeconfig. Throws `Conflict`, `Refused`, `Unreachable`, `Throttled`, `Forbidden`. */
export function kubernetesNodePools({ kubeConfig, readsPullSecrets = false, now }: NodePoolsSettings): NodePools {
  const options = requestOptions();
  const core = kubeConfig.makeApiClient(CoreV1Api);
  const api = clusterScopedApi(kubeConfig.makeApiClient(CustomObjectsApi), options);
  const events = coreApi(core, options);
  return {
    list: async () => (await api.list<PoolObject>(poolResource)).map(readPool),
    async read({ name, uid }) {
      const object = await api.get<PoolObject>(poolResource, name);
      return object === null || object.metadata.uid !== uid ? null : readPool(object);
    },
    nodes: (form) => listPoolNodes(form, core, api, options),
    write: (pool, node, step) => refusable(() => applyStep(pool, node, step, { core, api, options, now })),
    async remember({ name, bootcNode }, told) {
      if (bootcNode === null) return;
      const metadata = { annotations: { [slotAnnotations.told]: told } };
      await refusable(() => orGone(() => api.patch(bootcNodeResource, name, { metadata })));
    },
    pods: (node) => listPodsOf(node, core, options),
    evict: evictions(core, options),
    claim: (pool, execution) => writeClaim(pool, execution, api),
    release: (pool, isLetGo) => takeClaimAway(pool, isLetGo, api),
    saveStatus: (pool, status) => writePoolStatus(pool, status, api, now()),
    setPaused: (pool, paused) => writePaused(pool, paused, api),
    report: (node, report) => refusable(() => writeReport(node, report, api, now())),
    pullSecret: async (ref) => (readsPullSecrets ? hashOfSecret(ref, core, options) : { kind: "unread" }),
    async announce(subject, announcement) {
      const about = subjectOf(subject);
      if (about !== null) await events.createEvent("default", eventAbout(about, announcement, now()));
    },
  };
}
