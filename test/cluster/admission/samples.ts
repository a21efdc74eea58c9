/** A workload with the fields that the policies compare. */
export interface Workload {
  apiVersion: string;
  kind: string;
  metadata: Record<string, unknown> & { annotations?: Record<string, string>; labels?: Record<string, string> };
  spec: Record<string, unknown> & { template: Template };
}

interface Template {
  metadata: Record<string, unknown> & { annotations?: Record<string, string> };
  spec: Record<string, unknown> & { containers: Container[]; initContainers: Container[] };
  [field: string]: unknown;
}

interface Container {
  name: string;
  image?: string;
  [field: string]: unknown;
}

const metadata = {
  name: "app",
  labels: { app: "app" },
  finalizers: ["shop.example/keep"],
  ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: "u-0" }],
  annotations: { "pawl.dev/auto-update": "true", "team.example/owner": "shop" },
};

const template: Template = {
  metadata: { labels: { app: "app" }, annotations: { "shop.example/config": "1" } },
  spec: {
    initContainers: [{ name: "migrate", image: "registry.example/shop/migrate:1.0.0" }],
    containers: [
      {
        name: "app",
        image: "registry.example/shop/app:1.0.0",
        imagePullPolicy: "IfNotPresent",
        args: ["--listen", "8080"],
        env: [{ name: "MODE", value: "shop" }],
        resources: { limits: { memory: "128Mi" } },
      },
      { name: "proxy", image: "registry.example/proxy:3.1.4" },
    ],
    serviceAccountName: "app",
  },
};

const selector = { matchLabels: { app: "app" } };
const partition = { type: "RollingUpdate", rollingUpdate: { partition: 0, maxUnavailable: 1 } };

export const deployment: Workload = workload("Deployment", {
  replicas: 3,
  strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: "25%", maxUnavailable: 0 } },
});
export const statefulSet = workload("StatefulSet", { replicas: 3, serviceName: "app", updateStrategy: partition });
export const daemonSet = workload("DaemonSet", { updateStrategy: { type: "RollingUpdate" } });

function workload(kind: string, fields: object): Workload {
  return { apiVersion: "apps/v1", kind, metadata, spec: { ...fields, selector, template } };
}

/** The kinds with a pod template in their spec. */
export const workloads: readonly { readonly resource: string; readonly sample: Workload }[] = [
  { resource: "deployments.apps", sample: deployment },
  { resource: "statefulsets.apps", sample: statefulSet },
  { resource: "daemonsets.apps", sample: daemonSet },
];

/** Has the pod template of the others. */
export const cronJob = {
  apiVersion: "batch/v1",
  kind: "CronJob",
  metadata,
  spec: {
    schedule: "0 3 * * *",
    suspend: false,
    jobTemplate: {
      metadata: { labels: { app: "app" } },
      spec: { backoffLimit: 2, template: { ...template, spec: { ...template.spec, restartPolicy: "Never" } } },
    },
  } as Record<string, unknown> & { jobTemplate: Record<string, unknown> & { spec: Workload["spec"] } },
};

export type CronJobSample = typeof cronJob;

const condition = { lastTransitionTime: "2026-11-20T12:00:00Z", message: "" };

export const claw = {
  apiVersion: "claw.prismer.ai/v1alpha1",
  kind: "Claw",
  metadata: { ...metadata, annotations: { "team.example/owner": "agents" } as Record<string, string> },
  spec: { runtime: "openclaw", autoUpdate: { enabled: true } } as Record<string, unknown>,
  status: {
    phase: "Running",
    autoUpdate: { currentVersion: "1.0.0", rollbackCount: 0 },
    conditions: [
      { ...condition, type: "Ready", status: "True", reason: "Up" },
      { ...condition, type: "AutoUpdateAvailable", status: "False", reason: "UpToDate" },
    ],
  } as {
    phase?: string;
    message?: string;
    autoUpdate?: object;
    conditions?: (typeof condition & Record<string, string>)[];
  },
};

export const statefulCanary = {
  apiVersion: "pawl.dev/v1alpha1",
  kind: "StatefulCanary",
  metadata: { name: "db", annotations: { "team.example/owner": "shop" } as Record<string, string> },
  spec: { totalReplicas: 3, canaryReplicas: 1, canaryImage: "registry.example/shop/db:1.0.0", template: {} },
};

/** Returns a copy of `sample`, edited by `edit`. */
export function changed<T>(sample: T, edit: (copy: T) => void): T {
  const copy = structuredClone(sample);
  edit(copy);
  return copy;
}
