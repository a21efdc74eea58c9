import { isSameRepository } from "../../../domain/image/reference.ts";
import { hookGraceSeconds } from "../../../domain/workload/hook/hook.ts";
import type { HookJobSpec } from "../../../ports/cluster.ts";
import { apiVersionOf } from "../objects.ts";
import { type CronJob, hookLabel, type Job, type JobContainer, jobs } from "./hook-objects.ts";

/** A Job that ended must exist until its result is read. */
const minTtlSeconds = 600;

/** For those who read its log. A Job of a hook belongs to no object whose deletion deletes it. */
const defaultTtlSeconds = 86_400;

/** Returns why a CronJob is no template of a hook; null if it is. */
export function templateProblem({ metadata, spec }: CronJob, { image }: Pick<HookJobSpec, "image">): string | null {
  const name = `CronJob ${metadata.namespace}/${metadata.name}`;
  const { ttlSecondsAfterFinished: ttl = minTtlSeconds, suspend, backoffLimit, template } = spec.jobTemplate.spec;
  if (spec.suspend !== true) return `${name} is not suspended: it runs by its schedule too; set suspend: true`;
  if (spec.concurrencyPolicy === "Replace")
    return `${name} has concurrencyPolicy Replace: Pawl stops no Job for another one; set Forbid or Allow`;
  if (suspend === true)
    return `${name} has a Job template that is suspended: its Job would never start; remove suspend`;
  if (ttl < minTtlSeconds)
    return `${name} deletes its Jobs too early; set ttlSecondsAfterFinished to ${minTtlSeconds} or more`;
  const { restartPolicy, containers, initContainers = [] } = template.spec;
  // Kubernetes deletes the pod at the first failure: nothing shows that its container was the cause.
  if (restartPolicy === "OnFailure" && backoffLimit === 0)
    return `${name} has restartPolicy OnFailure and backoffLimit 0: nothing would show that it failed; set restartPolicy: Never`;
  const takesImage = (one: JobContainer) => image === null || isSameRepository(one.image ?? "", image);
  return [...containers, ...initContainers].some(takesImage)
    ? null
    : `${name} has no container with an image of the repository of ${image}, which useNewImage needs`;
}

interface JobManifest extends Pick<Job, "spec"> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string; readonly labels: object };
}

/**
 * Returns the Job of a hook: its template, with a deadline and the variables of the update, and on request with the new image. Its
 * CronJob does not own it: its history limits could delete a result that was not read.
 */
export function jobManifest({ metadata, spec }: CronJob, hook: HookJobSpec): JobManifest {
  const { jobTemplate } = spec;
  const { template, activeDeadlineSeconds = Infinity } = jobTemplate.spec;
  const { containers, initContainers } = template.spec;
  return {
    apiVersion: apiVersionOf(jobs),
    kind: jobs.kind,
    metadata: {
      name: hook.name,
      namespace: metadata.namespace,
      labels: { ...jobTemplate.metadata?.labels, [hookLabel]: metadata.name },
      ...(jobTemplate.metadata?.annotations === undefined ? {} : { annotations: jobTemplate.metadata.annotations }),
    },
    spec: {
      ttlSecondsAfterFinished: hook.keptSeconds ?? defaultTtlSeconds,
      backoffLimit: template.spec.restartPolicy === "OnFailure" ? 1 : 0,
      ...jobTemplate.spec,
      activeDeadlineSeconds: Math.min(activeDeadlineSeconds, hook.deadlineSeconds + hookGraceSeconds),
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

/** Its variables are first, so that those of the template can refer to them: `$(PAWL_VERSION)`. */
function toHookContainer(container: JobContainer, { variables, image }: HookJobSpec): JobContainer {
  const { env = [] } = container;
  // The API server drops an empty value.
  const added = Object.entries(variables).map(([name, value]) => ({ name, ...(value === "" ? {} : { value }) }));
  const isNew = image !== null && isSameRepository(container.image ?? "", image);
  return {
    ...container,
    ...(isNew ? { image } : {}),
    env: [...added, ...env.filter(({ name }) => !Object.hasOwn(variables, name))],
  };
}
