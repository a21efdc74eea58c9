import { type KubeConfig, KubernetesObjectApi } from "@kubernetes/client-node";
import { createKubernetesCluster } from "../../../functions/adapters/kubernetes/cluster.ts";
import type { Cluster } from "../../../functions/ports/cluster.ts";
import { rawRequest } from "../../contracts/kubernetes-api/raw-request.ts";
import { type Manifest, manifestsOf, ofKind } from "./manifests.ts";

export const groups = ["pawl:analysts", "pawl:evictors", "pawl:pollers", "pawl:recorders", "pawl:updaters"] as const;

/** Does `kubectl apply -k infra/cluster/PART [-n NAMESPACE]`, but does not update existing objects. */
export function applyPart(admin: KubeConfig, part: string, namespace?: string): Promise<void> {
  return applyManifests(admin, manifestsOf(part), namespace);
}

/** Creates the Lease of infra/cluster/namespaced in a namespace. */
export function applyLease(admin: KubeConfig, namespace: string): Promise<void> {
  return applyManifests(admin, ofKind(manifestsOf("namespaced"), "Lease"), namespace);
}

async function applyManifests(admin: KubeConfig, manifests: readonly Manifest[], namespace?: string): Promise<void> {
  const objects = KubernetesObjectApi.makeApiClient(admin);
  for (const manifest of manifests) {
    const metadata = namespace === undefined ? manifest.metadata : { ...manifest.metadata, namespace };
    await objects.create({ ...manifest, metadata }).catch((error: { code?: number }) => {
      if (error.code !== 409) throw error;
    });
  }
}

export function removePart(admin: KubeConfig, part: string): Promise<void> {
  return removeManifests(admin, manifestsOf(part));
}

async function removeManifests(admin: KubeConfig, manifests: readonly Manifest[]): Promise<void> {
  const objects = KubernetesObjectApi.makeApiClient(admin);
  for (const manifest of manifests) {
    await objects.delete(manifest).catch((error: { code?: number }) => {
      if (error.code !== 404) throw error;
    });
  }
}

/** Returns why the server cannot enforce the admission policies, or null from Kubernetes 1.30 on. */
export async function policiesUnsupportedReason(admin: KubeConfig): Promise<string | null> {
  const { body } = await rawRequest(admin, "GET", "/apis/admissionregistration.k8s.io/v1", {});
  const resources = (body.resources ?? []) as readonly { readonly name?: string }[];
  if (resources.some(({ name }) => name === "validatingadmissionpolicies")) return null;
  return "skipped: the API server is older than Kubernetes 1.30 and has no ValidatingAdmissionPolicy";
}

/** Applies infra/cluster, with its policies if the server supports them. Returns a function that deletes it. */
export async function applyAll(admin: KubeConfig): Promise<() => Promise<void>> {
  const parts =
    (await policiesUnsupportedReason(admin)) === null
      ? ["rbac", "cluster-wide", "admission-policies"]
      : ["rbac", "cluster-wide"];
  for (const part of parts) await applyPart(admin, part);
  return async () => {
    for (const part of parts) await removePart(admin, part);
  };
}

/** Applies the roles and bindings of infra/cluster/node-pools. Returns a function that deletes them. */
export async function applyRolesOfNodePools(admin: KubeConfig): Promise<() => Promise<void>> {
  const roles = manifestsOf("node-pools").filter(({ apiVersion }) => apiVersion === "rbac.authorization.k8s.io/v1");
  await applyManifests(admin, roles);
  return () => removeManifests(admin, roles);
}

/** Creates the adapter with the identity of `kubeConfig`. */
export function createClusterFor(kubeConfig: KubeConfig, namespace: string): Cluster {
  return createKubernetesCluster({
    name: "real",
    kubeConfig,
    namespaces: [namespace],
    runtimeImages: { openclaw: "registry.invalid/agents/openclaw" },
    now: () => new Date(),
    warn: (message) => process.emitWarning(message),
  });
}
