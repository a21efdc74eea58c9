import { AppsV1Api, type KubeConfig, type V1StatefulSet } from "@kubernetes/client-node";
import type { ObjectCondition } from "../../../functions/adapters/kubernetes/conditions.ts";
import type { AutoUpdate, AutoUpdatePolicy } from "../../../functions/adapters/kubernetes/auto-update/object.ts";
import type { AutoUpdateStatus } from "../../../functions/adapters/kubernetes/auto-update/status/status-fields.ts";
import type { StateChange } from "../../../infra/local/step-functions/execution.ts";
import type { LocalPawl } from "../../../infra/local/runtime/local-pawl.ts";
import { type RawRequest, rawRequest } from "../../contracts/kubernetes-api/raw-request.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { type ClusterHarness, openClusterHarness, waitUntilReady } from "../harness.ts";
import { startIsolatedPawl } from "../isolated-pawl.ts";
import type { Suite } from "../suite.ts";

const mergePatch = "application/merge-patch+json";

/** The AutoUpdates of one namespace, as a person works with them through kubectl. */
export interface AutoUpdateHarness extends ClusterHarness {
  /** Creates a workload with three replicas that has no annotation of Pawl but these. */
  createPlain(kind: PlainKind, name: string, image: string, annotations?: Record<string, string>): Promise<void>;
  /** Creates an AutoUpdate of `apps/v1` Deployment `web`, unless told otherwise. Returns the answer of the API server. */
  write(name: string, spec?: SpecOptions): Promise<{ readonly code: number; readonly text: string }>;
  /** Returns null if it does not exist. */
  read(name: string): Promise<AutoUpdate | null>;
  /** Merges into the object, or into its status. */
  edit(name: string, body: object, subresource?: "status"): Promise<void>;
  replaceStatus(name: string, status: AutoUpdateStatus): Promise<void>;
  delete(name: string): Promise<void>;
  /** Returns the names of the AutoUpdates. */
  names(): Promise<readonly string[]>;
  /** Returns what `kubectl wait --for=condition=TYPE` compares; null if the status is about an older generation. */
  condition(name: string, type: "Ready" | "Reconciling" | "Stalled"): Promise<ObservedCondition | null>;
  /** Returns what a person sees of a Deployment. */
  deployment(name: string): Promise<{ readonly image: string; readonly generation: number }>;
  imageOf(kind: "Deployment" | "StatefulSet", name: string): Promise<string>;
  statefulSet(name: string): Promise<V1StatefulSet>;
  /** Deletes a Deployment, and waits until its dependents are deleted too. */
  deleteDeployment(name: string): Promise<void>;
  /** Returns the names of the Deployments, sorted. */
  deployments(): Promise<readonly string[]>;
  /** Starts a Pawl that polls only if `settle` or `poll` is called. */
  startPawl(onStateChange?: (change: StateChange) => void): Promise<LocalPawl>;
  /** Polls, and waits until every execution that it started has ended. */
  settle(pawl: LocalPawl, polls?: number): Promise<void>;
}

interface SpecOptions {
  readonly targetRef?: object;
  readonly suspend?: boolean;
  readonly policy?: AutoUpdatePolicy;
}

export type PlainKind = keyof typeof plurals;

const plurals = { Deployment: "deployments", StatefulSet: "statefulsets", DaemonSet: "daemonsets" } as const;

type ObservedCondition = Pick<ObjectCondition, "status" | "reason" | "message">;

export const targetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };

export async function openAutoUpdateHarness(suite: Suite): Promise<AutoUpdateHarness> {
  const harness = await openClusterHarness(suite);
  const { namespace, kubeConfig } = harness;
  const path = `/apis/pawl.dev/v1alpha1/namespaces/${namespace}/autoupdates`;

  async function read(name: string): Promise<AutoUpdate | null> {
    const { code, body } = await rawRequest(kubeConfig, "GET", `${path}/${name}`, {});
    return code === 404 ? null : (body as unknown as AutoUpdate);
  }

  return {
    ...harness,
    read,
    async createPlain(kind, name, image, annotations = {}) {
      const body = plainWorkload(kind, name, image, annotations);
      await succeed(kubeConfig, "POST", `/apis/apps/v1/namespaces/${namespace}/${plurals[kind]}`, { body });
      if (!image.endsWith("-bad")) await waitUntilReady(kubeConfig, namespace, kind, name);
    },
    async write(name, spec = {}) {
      const metadata = { name, namespace };
      const body = { apiVersion: "pawl.dev/v1alpha1", kind: "AutoUpdate", metadata, spec: { targetRef, ...spec } };
      const { code, text } = await rawRequest(kubeConfig, "POST", path, { body });
      return { code, text };
    },
    async edit(name, body, subresource) {
      const suffix = subresource === undefined ? "" : "/status";
      await succeed(kubeConfig, "PATCH", `${path}/${name}${suffix}`, { body, contentType: mergePatch });
    },
    async replaceStatus(name, status) {
      await eventually(`the status of ${name} is replaced`, async () => {
        const body = { ...(await read(name)), status };
        const { code, text } = await rawRequest(kubeConfig, "PUT", `${path}/${name}/status`, { body });
        if (code >= 300 && code !== 409) throw new Error(text);
        return code < 300;
      });
    },
    async delete(name) {
      await succeed(kubeConfig, "DELETE", `${path}/${name}`, {});
    },
    async names() {
      const { body } = await rawRequest(kubeConfig, "GET", path, {});
      return (body.items ?? []).map(({ metadata }) => metadata?.name ?? "").toSorted();
    },
    async condition(name, type) {
      const { metadata, status = {} } = (await read(name)) ?? {};
      const found = status.conditions?.find((condition) => condition.type === type);
      // As kubectl wait: a condition about an older generation does not count.
      if (found === undefined || (found.observedGeneration ?? 0) < (metadata?.generation ?? 0)) return null;
      return { status: found.status, reason: found.reason, message: found.message };
    },
    async deployment(name) {
      const { metadata, spec } = await kubeConfig
        .makeApiClient(AppsV1Api)
        .readNamespacedDeployment({ name, namespace });
      return { image: spec?.template.spec?.containers[0]?.image ?? "", generation: metadata?.generation ?? 0 };
    },
    async imageOf(kind, name) {
      const apps = kubeConfig.makeApiClient(AppsV1Api);
      const at = { name, namespace };
      const { spec } = await (kind === "Deployment"
        ? apps.readNamespacedDeployment(at)
        : apps.readNamespacedStatefulSet(at));
      return spec?.template.spec?.containers[0]?.image ?? "";
    },
    async statefulSet(name) {
      return kubeConfig.makeApiClient(AppsV1Api).readNamespacedStatefulSet({ name, namespace });
    },
    async deleteDeployment(name) {
      const apps = kubeConfig.makeApiClient(AppsV1Api);
      await apps.deleteNamespacedDeployment({ name, namespace, propagationPolicy: "Foreground" });
      await eventually(`${name} is deleted`, () =>
        apps.readNamespacedDeployment({ name, namespace }).then(
          () => false,
          (error: { code?: number }) => error.code === 404,
        ),
      );
    },
    async deployments() {
      const { items } = await kubeConfig.makeApiClient(AppsV1Api).listNamespacedDeployment({ namespace });
      return items.map(({ metadata }) => metadata?.name ?? "").toSorted();
    },
    async startPawl(onStateChange) {
      const options = onStateChange === undefined ? {} : { onStateChange };
      return suite.closeAfterAll(
        await startIsolatedPawl({ namespace, registry: suite.registry, speed: 60, ...options }),
      );
    },
    async settle(pawl, polls = 1) {
      for (let count = 0; count < polls; count += 1) {
        await pawl.poll();
        await eventually("the executions end", async () => pawl.running() === 0);
      }
    },
  };
}

function plainWorkload(kind: PlainKind, name: string, image: string, annotations: Record<string, string>): object {
  const labels = { app: name.slice(0, 63) };
  return {
    apiVersion: "apps/v1",
    kind,
    metadata: { name, annotations },
    spec: {
      ...(kind === "DaemonSet" ? {} : { replicas: 3 }),
      ...(kind === "StatefulSet" ? { serviceName: name } : {}),
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "app", image }] } },
    },
  };
}

async function succeed(kubeConfig: KubeConfig, method: string, path: string, request: RawRequest): Promise<void> {
  const { code, text } = await rawRequest(kubeConfig, method, path, request);
  if (code >= 300) throw new Error(`${method} ${path}: ${code}: ${text}`);
}
