import { imageUpdaterAnnotations } from "../../../../domain/workload/policy/annotations.ts";
import { parseRfc3339 } from "../../../../domain/text/rfc3339.ts";
import type { JobSchedule } from "../../../../domain/workload/cron-job/job-run.ts";
import type { KubernetesObject } from "../../objects.ts";
import { createBuiltInKind } from "./built-in.ts";
import type { BuiltInKind, BuiltInSettings } from "./built-in-kind.ts";
import type { WorkloadKind } from "../kind.ts";
import type { BuiltInObject } from "../pod-template/pod-template.ts";

interface CronJob extends BuiltInObject {
  readonly spec: BuiltInObject["spec"] & { readonly suspend?: boolean };
  readonly status?: {
    readonly active?: readonly unknown[];
    readonly lastScheduleTime?: string;
    readonly lastSuccessfulTime?: string;
  };
}

/**
 * The next Job runs the new image, and running Jobs keep theirs: there is no rollout, and how the next Job ends shows whether the image is
 * healthy. Its status has no observed generation, and servers before 1.21 do not count generations.
 */
const cronJob: BuiltInKind<CronJob> = {
  canary: "a CronJob has no replicas for a canary: its next Job is the first to run the image",
  resource: { group: "batch", version: "v1", plural: "cronjobs", kind: "CronJob" },
  observedGeneration: ({ metadata }) => metadata.generation ?? 1,
  rollout: (object) =>
    countJobs({ ...readSchedule(object), lastSucceededAt: timeOf(object.status?.lastSuccessfulTime) }),
  unsupportedReason: () => null,
};

function countJobs(jobs: JobSchedule) {
  return { desiredReplicas: 0, updatedReplicas: 0, readyReplicas: 0, oldReplicas: 0, podsPer: "job", jobs } as const;
}

function readSchedule({ spec: { suspend = false }, status: { active = [], lastScheduleTime } = {} }: CronJob) {
  return { isSuspended: suspend, isActive: active.length > 0, lastScheduledAt: timeOf(lastScheduleTime) };
}

const timeOf = (text = "") => parseRfc3339(text);

/** Creates the kind, tracked by tag only. Before Kubernetes 1.21 its version is v1beta1; both versions serve the same objects. */
export function createCronJobKind(settings: BuiltInSettings): WorkloadKind {
  const older: BuiltInKind<CronJob> = {
    ...cronJob,
    resource: { ...cronJob.resource, version: "v1beta1" },
    rollout: (object) => countJobs(readSchedule(object)),
  };
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
