import type { Container, KubernetesObject, PodTemplate, Resource } from "../objects.ts";

export const jobs: Resource = { group: "batch", version: "v1", plural: "jobs", kind: "Job" };
export const cronJobs: Resource = { group: "batch", version: "v1", plural: "cronjobs", kind: "CronJob" };

interface EnvironmentVariable {
  readonly name: string;
}

export interface JobContainer extends Container {
  readonly env?: readonly EnvironmentVariable[];
}

export interface JobSpec {
  readonly activeDeadlineSeconds?: number;
  readonly ttlSecondsAfterFinished?: number;
  readonly suspend?: boolean;
  readonly template: PodTemplate & {
    readonly spec: { readonly containers: readonly JobContainer[]; readonly initContainers?: readonly JobContainer[] };
  };
}

export interface CronJob extends KubernetesObject {
  readonly spec: {
    readonly suspend?: boolean;
    readonly successfulJobsHistoryLimit?: number;
    readonly failedJobsHistoryLimit?: number;
    readonly jobTemplate: {
      readonly metadata?: PodTemplate["metadata"];
      readonly spec: JobSpec;
    };
  };
}

export interface Job extends KubernetesObject {
  readonly metadata: KubernetesObject["metadata"] & { readonly creationTimestamp?: string };
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
