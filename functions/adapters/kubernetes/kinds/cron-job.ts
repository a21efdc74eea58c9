import { imageUpdaterAnnotations } from "../../../domain/annotations.ts";
import type { KubernetesObject } from "../objects.ts";
import { type BuiltIn, builtInKind } from "./built-in.ts";
import type { WorkloadKind } from "./kind.ts";
import type { BuiltInObject } from "./pod-template.ts";

/**
 * The next Job runs the image, and Jobs that run already keep theirs: nothing is rolled out, so an update has settled as soon
 * as it is written. Its status observes no generation, and servers of before 1.21 count none.
 */
const cronJob: BuiltIn<BuiltInObject> = {
  canary: "a CronJob has no replicas that could run ahead: its next Job is the first to run the image",
  resource: { group: "batch", version: "v1", plural: "cronjobs", kind: "CronJob" },
  observedGeneration: ({ metadata }) => metadata.generation ?? 1,
  rollout: () => ({ desiredReplicas: 0, updatedReplicas: 0, readyReplicas: 0, oldReplicas: 0 }),
  obstacle: () => null,
};

/** Followed by tag alone. Of before Kubernetes 1.21 it is another version's; where both are served they are the same objects. */
export function cronJobKind(): WorkloadKind {
  const older = { ...cronJob, resource: { ...cronJob.resource, version: "v1beta1" } };
  return { ...byTagAlone(builtInKind(cronJob)), older: byTagAlone(builtInKind(older)) };
}

/** kubernetes-image-updater knows no CronJobs: there are no pods that a restart could make anew, and its opt-in means nothing here. */
function byTagAlone(kind: WorkloadKind): WorkloadKind {
  return {
    ...kind,
    isOptedIn: (object) => kind.isOptedIn(notFollowed(object)),
    read: (object, api) => kind.read(notFollowed(object), api),
    write: (object, change, api) => kind.write(notFollowed(object), change, api),
  };
}

function notFollowed(object: KubernetesObject): KubernetesObject {
  const { [imageUpdaterAnnotations.enabled]: _ignored, ...annotations } = object.metadata.annotations ?? {};
  return { ...object, metadata: { ...object.metadata, annotations } };
}
