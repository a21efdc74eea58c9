import { isSameRepository } from "../../../domain/image/reference.ts";
import type { HookJobSpec } from "../../../ports/cluster.ts";
import { apiVersionOf } from "../objects.ts";
import { type CronJob, cronJobs, type JobContainer, jobs } from "./hook-objects.ts";

/** A Job that ended must exist until its result is read. */
const minTtlSeconds = 600;

/** Returns why a CronJob is no template of a hook; null if it is. */
export function templateProblem({ metadata, spec }: CronJob, { image }: HookJobSpec): string | null {
  const name = `CronJob ${metadata.namespace}/${metadata.name}`;
  const { suspend, successfulJobsHistoryLimit, failedJobsHistoryLimit, jobTemplate } = spec;
  const { ttlSecondsAfterFinished: ttl = minTtlSeconds, template } = jobTemplate.spec;
  if (suspend !== true) return `${name} is not suspended: it runs by its schedule too; set suspend: true`;
  if (successfulJobsHistoryLimit === 0 || failedJobsHistoryLimit === 0)
    return `${name} keeps no Job that ended; set successfulJobsHistoryLimit and failedJobsHistoryLimit to 1 or more`;
  if (ttl < minTtlSeconds)
    return `${name} deletes its Jobs too early; set ttlSecondsAfterFinished to ${minTtlSeconds} or more`;
  const { containers, initContainers = [] } = template.spec;
  const takesImage = (one: JobContainer) => image === null || isSameRepository(one.image ?? "", image);
  return [...containers, ...initContainers].some(takesImage)
    ? null
    : `${name} has no container with an image of the repository of ${image}, which useNewImage needs`;
}

/**
 * Returns the Job of a hook: its template, with a deadline and the variables of the update, and on request with the new image. The
 * CronJob owns it, as it owns one of `kubectl create job --from`, and deletes it by its history limits.
 */
export function jobManifest({ metadata, spec }: CronJob, hook: HookJobSpec): object {
  const { jobTemplate } = spec;
  const { template, activeDeadlineSeconds = hook.deadlineSeconds } = jobTemplate.spec;
  const { containers, initContainers } = template.spec;
  const owner = { apiVersion: apiVersionOf(cronJobs), kind: cronJobs.kind, name: metadata.name, uid: metadata.uid };
  return {
    apiVersion: apiVersionOf(jobs),
    kind: jobs.kind,
    metadata: {
      name: hook.name,
      namespace: metadata.namespace,
      labels: jobTemplate.metadata?.labels,
      annotations: { ...jobTemplate.metadata?.annotations, "cronjob.kubernetes.io/instantiate": "manual" },
      ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: false }],
    },
    spec: {
      ...jobTemplate.spec,
      activeDeadlineSeconds: Math.min(activeDeadlineSeconds, hook.deadlineSeconds),
      template: {
        ...template,
        spec: {
          ...template.spec,
          containers: containers.map((one) => toHookContainer(one, hook)),
          ...(initContainers === undefined
            ? {}
            : { initContainers: initContainers.map((one) => toHookContainer(one, hook)) }),
        },
      },
    },
  };
}

function toHookContainer(container: JobContainer, { variables, image }: HookJobSpec): JobContainer {
  const { env = [] } = container;
  const added = Object.entries(variables).map(([name, value]) => ({ name, value }));
  const isNew = image !== null && isSameRepository(container.image ?? "", image);
  return {
    ...container,
    ...(isNew ? { image } : {}),
    env: [...env.filter(({ name }) => !(name in variables)), ...added],
  };
}
