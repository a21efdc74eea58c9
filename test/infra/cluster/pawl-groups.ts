import { KubeConfig, KubernetesObjectApi } from "@kubernetes/client-node";
import { createKubernetesCluster } from "../../../functions/adapters/kubernetes/cluster.ts";
import type { Cluster } from "../../../functions/ports/cluster.ts";
import { rawRequest } from "../../contracts/kubernetes-api/raw-request.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { serves } from "../../support/served-version.ts";
import { impersonate } from "./impersonate.ts";
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
  if (await serves(admin, "admissionregistration.k8s.io/v1", "validatingadmissionpolicies")) return null;
  return "skipped: the API server is older than Kubernetes 1.30 and has no ValidatingAdmissionPolicy";
}

/** Applies all admission policies, if the server supports them, and resolves when they are enforced. */
export async function applyPolicies(admin: KubeConfig): Promise<void> {
  if ((await policiesUnsupportedReason(admin)) !== null) return;
  for (const part of ["node-pools/admission-policies", "admission-policies"]) await applyPart(admin, part);
  const updater = new KubeConfig();
  updater.loadFromString(admin.exportConfig());
  impersonate(["pawl:updaters", "system:masters"], updater);
  const labels = { app: "probe" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "app", image: "app:1" }] } };
  const body = { metadata: { name: "probe" }, spec: { selector: { matchLabels: labels }, template } };
  const path = "/apis/apps/v1/namespaces/default/deployments?dryRun=All";
  // By the last one. The server finds them in the order in which they were created.
  await eventually("the policies deny", async () => (await rawRequest(updater, "POST", path, { body })).code === 403);
}

/** Applies infra/cluster without its policies, which the setup of the tests applies. Returns a function that deletes it. */
export async function applyAll(admin: KubeConfig): Promise<() => Promise<void>> {
  const parts = ["rbac", "cluster-wide"];
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
