import { CoreV1Api, type KubeConfig, KubernetesObjectApi } from "@kubernetes/client-node";
import { autoUpdateName } from "../../../functions/domain/workload/record/auto-update-name.ts";
import type { AutoUpdate } from "../../../functions/adapters/kubernetes/auto-update/object.ts";
import type { WorkloadRef } from "../../../functions/domain/workload/workload.ts";
import { type Kind, pathOf } from "../../contracts/cluster-fixtures.ts";
import { rawRequest } from "../../contracts/kubernetes-api/raw-request.ts";
import { eventually } from "../../support/control-plane/eventually.ts";

const repository = { builtIn: "registry.invalid/shop/app", claw: "registry.invalid/agents/openclaw" };

/** Creates a workload that opted in, with one replica, whose circuit opens after one rollback. */
export async function createWorkload(admin: KubeConfig, kind: Kind, namespace: string): Promise<void> {
  const objects = KubernetesObjectApi.makeApiClient(admin);
  await objects.create({
    ...(kind === "Claw" ? claw : builtIn(kind)),
    metadata: metadataOf(kind, namespace),
  });
}

export function imageOf(kind: Kind, tag: string): string {
  return `${kind === "Claw" ? repository.claw : repository.builtIn}:${tag}`;
}

/** Sets the annotations of an update in flight on a Claw, like a person who starts an update manually. */
export async function setUpdateAnnotations(admin: KubeConfig, workload: WorkloadRef, image: string): Promise<void> {
  await merge(admin, pathOf(workload), {
    metadata: {
      annotations: {
        "claw.prismer.ai/target-image": image,
        "claw.prismer.ai/update-phase": "HealthCheck",
        "claw.prismer.ai/update-started": new Date().toISOString(),
      },
    },
  });
}

/** Requests a version, like a person. */
export async function requestPush(admin: KubeConfig, workload: WorkloadRef, version: string): Promise<void> {
  await merge(admin, autoUpdatePath(workload), {
    metadata: { annotations: { "pawl.dev/request": `push ${version} ${Date.now()}` } },
  });
}

/** Removes what makes a built-in workload one that Pawl updates. */
export async function optOut(admin: KubeConfig, workload: WorkloadRef): Promise<void> {
  const isClaw = workload.kind === "Claw";
  const body = isClaw
    ? { spec: { autoUpdate: { enabled: false } } }
    : { metadata: { annotations: { "pawl.dev/auto-update": null } } };
  await merge(admin, pathOf(workload), body);
}

/** Returns null if it does not exist. */
export async function readAutoUpdate(admin: KubeConfig, workload: WorkloadRef): Promise<AutoUpdate | null> {
  const { code, body } = await rawRequest(admin, "GET", autoUpdatePath(workload), {});
  return code === 404 ? null : (body as unknown as AutoUpdate);
}

export function autoUpdatePath({ namespace, ...target }: WorkloadRef): string {
  return `/apis/pawl.dev/v1alpha1/namespaces/${namespace}/autoupdates/${autoUpdateName(target)}`;
}

async function merge(admin: KubeConfig, path: string, body: object): Promise<void> {
  const response = await rawRequest(admin, "PATCH", path, { body, contentType: "application/merge-patch+json" });
  if (response.code !== 200) throw new Error(response.text);
}

/** Resolves when a pod of the workload runs `image` and its kubelet has reported that it is not ready. */
export async function waitForUnreadyPod(
  admin: KubeConfig,
  { namespace, name }: WorkloadRef,
  image: string,
): Promise<void> {
  const core = admin.makeApiClient(CoreV1Api);
  await eventually(`a pod of ${name} with ${image} is not ready`, async () => {
    const { items } = await core.listNamespacedPod({ namespace });
    return items.some(
      ({ metadata, spec, status }) =>
        metadata?.name?.startsWith(name) === true &&
        spec?.containers[0]?.image === image &&
        status?.conditions?.some(({ type, status: value }) => type === "Ready" && value === "False") === true,
    );
  });
}

function nameOf(kind: Kind): string {
  return kind.toLowerCase();
}

function metadataOf(kind: Kind, namespace: string) {
  const policy = { "pawl.dev/auto-update": "true", "pawl.dev/max-rollbacks": "1", "pawl.dev/health-timeout": "10m" };
  return { name: nameOf(kind), namespace, annotations: kind === "Claw" ? {} : policy };
}

const claw = {
  apiVersion: "claw.prismer.ai/v1alpha1",
  kind: "Claw",
  spec: { runtime: "openclaw", autoUpdate: { enabled: true, maxRollbacks: 1, schedule: "* * * * *" } },
};

function builtIn(kind: Exclude<Kind, "Claw">) {
  const labels = { app: nameOf(kind) };
  return {
    apiVersion: "apps/v1",
    kind,
    spec: {
      ...(kind === "DaemonSet" ? {} : { replicas: 1 }),
      ...(kind === "StatefulSet" ? { serviceName: nameOf(kind) } : {}),
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "app", image: imageOf(kind, "1.0.0") }] } },
    },
  };
}
