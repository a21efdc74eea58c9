import { imageUpdaterAnnotations } from "../../../../domain/workload/policy/annotations.ts";
import type { KubernetesObject } from "../../objects.ts";
import { createBuiltInKind } from "./built-in.ts";
import type { BuiltInKind, BuiltInSettings } from "./built-in-kind.ts";
import type { WorkloadKind } from "../kind.ts";
import type { BuiltInObject } from "../pod-template/pod-template.ts";

/**
 * The next Job runs the new image, and running Jobs keep theirs: there is no rollout, so an update is complete once written.
 * Its status has no observed generation, and servers before 1.21 do not count generations.
 */
const cronJob: BuiltInKind<BuiltInObject> = {
  canary: "a CronJob has no replicas for a canary: its next Job is the first to run the image",
  resource: { group: "batch", version: "v1", plural: "cronjobs", kind: "CronJob" },
  observedGeneration: ({ metadata }) => metadata.generation ?? 1,
  rollout: () => ({ desiredReplicas: 0, updatedReplicas: 0, readyReplicas: 0, oldReplicas: 0, podsPer: "job" }),
  unsupportedReason: () => null,
};

/** Creates the kind, tracked by tag only. Before Kubernetes 1.21 its version is v1beta1; both versions serve the same objects. */
export function createCronJobKind(settings: BuiltInSettings): WorkloadKind {
  const older = { ...cronJob, resource: { ...cronJob.resource, version: "v1beta1" } };
  return {
    ...withoutDigestTracking(createBuiltInKind(cronJob, settings)),
    olderVersion: withoutDigestTracking(createBuiltInKind(older, settings)),
  };
}

/** kubernetes-image-updater does not support CronJobs, which have no pods to restart: its opt-in is ignored. */
function withoutDigestTracking(kind: WorkloadKind): WorkloadKind {
  return {
    ...kind,
    isOptedIn: (object) => kind.isOptedIn(withoutDigestOptIn(object)),
    read: (object, api, autoUpdate) => kind.read(withoutDigestOptIn(object), api, autoUpdate),
    write: (target, change, api) => kind.write({ ...target, object: withoutDigestOptIn(target.object) }, change, api),
  };
}

function withoutDigestOptIn(object: KubernetesObject): KubernetesObject {
  const { [imageUpdaterAnnotations.enabled]: _ignored, ...annotations } = object.metadata.annotations ?? {};
  return { ...object, metadata: { ...object.metadata, annotations } };
}
