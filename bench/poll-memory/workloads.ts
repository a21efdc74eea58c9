import { CoreV1Api, KubeConfig } from "@kubernetes/client-node";
import pLimit from "p-limit";
import { createKubernetesApi } from "../../functions/adapters/kubernetes/api.ts";
import { expectedTag, repositoryName } from "../poll/images.ts";

export interface WorkloadOptions {
  readonly namespace: string;
  readonly workloads: number;
  readonly workloadsPerRepository: number;
  /** `host:port` of the registry. */
  readonly host: string;
  /** Tags of each repository. */
  readonly tags: number;
}

const resource = { group: "apps", version: "v1", plural: "deployments", kind: "Deployment" };
const concurrentCreates = 32;

/**
 * Creates a namespace, unless `first` continues one, with enabled Deployments that run the newest tag and were never polled: those from
 * `first` on.
 */
export async function createWorkloads(kubeconfig: string, options: WorkloadOptions, first = 0): Promise<void> {
  const { namespace, workloads } = options;
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromString(kubeconfig);
  const body = { metadata: { name: namespace } };
  if (first === 0) await kubeConfig.makeApiClient(CoreV1Api).createNamespace({ body });
  const api = createKubernetesApi(kubeConfig);
  const limit = pLimit(concurrentCreates);
  const create = (index: number) => api.create(resource, namespace, deployment(index, options));
  const indexes = Array.from({ length: workloads - first }, (_, index) => first + index);
  await Promise.all(indexes.map((index) => limit(() => create(index))));
}

/** About 5 kB in the API server, like a typical one with probes, environment and `last-applied-configuration`. */
function deployment(index: number, { host, tags, workloadsPerRepository }: WorkloadOptions) {
  const repository = Math.floor(index / workloadsPerRepository);
  const image = `${host}/${repositoryName(repository)}:${expectedTag(repository, { images: 0, tags })}`;
  const labels = { "app.kubernetes.io/name": `app-${index}`, "app.kubernetes.io/part-of": "bench" };
  const spec = { replicas: 2, selector: { matchLabels: labels }, template: template(image, labels) };
  const annotations = { "pawl.dev/auto-update": "true", "pawl.dev/version-constraint": "^1" };
  const applied = JSON.stringify({ metadata: { annotations, labels }, spec });
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: {
      name: `app-${String(index).padStart(5, "0")}`,
      labels,
      annotations: { ...annotations, "kubectl.kubernetes.io/last-applied-configuration": applied },
    },
    spec,
  };
}

function template(image: string, labels: Readonly<Record<string, string>>) {
  const probe = { httpGet: { path: "/healthz", port: 8080 }, periodSeconds: 10, failureThreshold: 3 };
  const env = Array.from({ length: 12 }, (_, index) => ({ name: `SETTING_${index}`, value: `value of ${index}` }));
  const resources = { requests: { cpu: "100m", memory: "128Mi" }, limits: { memory: "256Mi" } };
  const ports = [{ name: "http", containerPort: 8080 }];
  const container = { name: "app", image, env, ports, resources, livenessProbe: probe, readinessProbe: probe };
  return { metadata: { labels }, spec: { containers: [container] } };
}
