/** A workload as the API server stores it, with the fields that the policies compare. */
export interface Sample {
  apiVersion: string;
  kind: string;
  metadata: Record<string, unknown> & { annotations?: Record<string, string>; labels?: Record<string, string> };
  spec: Record<string, unknown> & { template: Template };
  status?: Record<string, unknown>;
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
  namespace: "shop",
  uid: "u-1",
  resourceVersion: "7",
  generation: 3,
  creationTimestamp: "2026-11-20T12:00:00Z",
  labels: { app: "app" },
  finalizers: ["shop.example/keep"],
  ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: "u-0" }],
  managedFields: [{ manager: "kubectl", operation: "Update", apiVersion: "apps/v1" }],
  annotations: { "pawl.dev/auto-update": "true", "team.example/owner": "shop" },
};

export const deployment: Sample = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata,
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: "app" } },
    strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: "25%", maxUnavailable: 0 } },
    template: {
      metadata: { creationTimestamp: null, labels: { app: "app" }, annotations: { "shop.example/config": "1" } },
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
    },
  },
  status: { observedGeneration: 3 },
};

const { selector: _selector, strategy: _strategy, replicas: _replicas, ...template } = deployment.spec;

/** Has the pod template of the Deployment. */
export const cronJob = {
  apiVersion: "batch/v1",
  kind: "CronJob",
  metadata,
  spec: {
    schedule: "0 3 * * *",
    suspend: false,
    jobTemplate: {
      metadata: { labels: { app: "app" } },
      spec: { backoffLimit: 2, ...template },
    },
  } as Record<string, unknown> & { jobTemplate: Record<string, unknown> & { spec: Sample["spec"] } },
};

export type CronJobSample = typeof cronJob;

export const claw = {
  apiVersion: "claw.prismer.ai/v1alpha1",
  kind: "Claw",
  metadata: { ...metadata, annotations: { "team.example/owner": "agents" } as Record<string, string> },
  spec: { runtime: "openclaw", autoUpdate: { enabled: true } } as Record<string, unknown>,
  status: {
    phase: "Running",
    autoUpdate: { currentVersion: "1.0.0", rollbackCount: 0 },
    conditions: [
      { type: "Ready", status: "True", reason: "Up" },
      { type: "AutoUpdateAvailable", status: "False", reason: "UpToDate" },
    ],
  } as { phase?: string; autoUpdate?: object; conditions?: { type: string; status: string; reason: string }[] },
};

/** Returns a copy of `sample`, edited by `edit`. */
export function changed<T>(sample: T, edit: (copy: T) => void): T {
  const copy = structuredClone(sample);
  edit(copy);
  return copy;
}
