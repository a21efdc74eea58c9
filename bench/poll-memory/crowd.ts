import { CoreV1Api, KubeConfig } from "@kubernetes/client-node";
import pLimit from "p-limit";
import { kubernetesApi } from "../../functions/adapters/kubernetes/api.ts";
import { newestOf, repositoryOf } from "../poll/images.ts";

export interface Crowd {
  readonly namespace: string;
  readonly workloads: number;
  readonly workloadsPerRepository: number;
  /** Of the registry. */
  readonly host: string;
  /** Of each repository. */
  readonly tags: number;
}

const resource = { group: "apps", version: "v1", plural: "deployments", kind: "Deployment" };
const createsAtOnce = 32;

/** Makes a namespace full of Deployments that opted in, run the newest tag there is, and have never been looked at. */
export async function createCrowd(kubeconfig: string, crowd: Crowd): Promise<void> {
  const { namespace, workloads } = crowd;
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromString(kubeconfig);
  await kubeConfig.makeApiClient(CoreV1Api).createNamespace({ body: { metadata: { name: namespace } } });
  const api = kubernetesApi(kubeConfig);
  const limit = pLimit(createsAtOnce);
  const create = (index: number) => api.create(resource, namespace, deployment(index, crowd));
  await Promise.all(Array.from({ length: workloads }, (_, index) => limit(() => create(index))));
}

/** About 5 kB as the API server keeps it, as much as an ordinary one: probes, environment, what kubectl applied last. */
function deployment(index: number, { host, tags, workloadsPerRepository }: Crowd) {
  const repository = Math.floor(index / workloadsPerRepository);
  const image = `${host}/${repositoryOf(repository)}:${newestOf(repository, { images: 0, tags })}`;
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
