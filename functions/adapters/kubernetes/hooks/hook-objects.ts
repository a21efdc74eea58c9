import type { Container, KubernetesObject, PodTemplate, Resource } from "../objects.ts";

export const jobs: Resource = { group: "batch", version: "v1", plural: "jobs", kind: "Job" };
export const cronJobs: Resource = { group: "batch", version: "v1", plural: "cronjobs", kind: "CronJob" };
/** Before Kubernetes 1.21. */
export const olderCronJobs: Resource = { ...cronJobs, version: "v1beta1" };

/** On a Job: the name of the CronJob that is its template. */
export const hookLabel = "pawl.dev/hook";

interface EnvironmentVariable {
  readonly name: string;
  readonly value?: string;
}

export interface JobContainer extends Container {
  readonly env?: readonly EnvironmentVariable[];
}

export interface JobSpec {
  readonly activeDeadlineSeconds?: number;
  readonly ttlSecondsAfterFinished?: number;
  readonly suspend?: boolean;
  readonly backoffLimit?: number;
  readonly completions?: number;
  readonly parallelism?: number;
  readonly template: PodTemplate & {
    readonly spec: {
      readonly restartPolicy?: string;
      readonly containers: readonly JobContainer[];
      readonly initContainers?: readonly JobContainer[];
    };
  };
}

export interface CronJob extends KubernetesObject {
  readonly spec: {
    readonly suspend?: boolean;
    readonly concurrencyPolicy?: string;
    readonly jobTemplate: { readonly metadata?: PodTemplate["metadata"]; readonly spec: JobSpec };
  };
}

export interface Job extends KubernetesObject {
  readonly metadata: KubernetesObject["metadata"] & { readonly creationTimestamp?: string };
  readonly spec: JobSpec;
  readonly status?: {
    readonly failed?: number;
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason?: string;
      readonly message?: string;
    }[];
  };
}
