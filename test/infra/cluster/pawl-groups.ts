import { type KubeConfig, KubernetesObjectApi } from "@kubernetes/client-node";
import { kubernetesCluster } from "../../../functions/adapters/kubernetes/cluster.ts";
import type { Cluster } from "../../../functions/ports/cluster.ts";
import { rawRequest } from "../../contracts/kubernetes-api/raw-request.ts";
import { type Manifest, manifestsOf } from "./manifests.ts";

export const groups = ["pawl:analysts", "pawl:pollers", "pawl:recorders", "pawl:updaters"] as const;
export type Group = (typeof groups)[number];

/** As `kubectl apply -k infra/cluster/PART [-n NAMESPACE]` on a cluster that has nothing of it yet, or all of it. */
export function applyPart(admin: KubeConfig, part: string, namespace?: string): Promise<void> {
  return applyThese(admin, manifestsOf(part), namespace);
}

async function applyThese(admin: KubeConfig, manifests: readonly Manifest[], namespace?: string): Promise<void> {
  const objects = KubernetesObjectApi.makeApiClient(admin);
  for (const manifest of manifests) {
    const metadata = namespace === undefined ? manifest.metadata : { ...manifest.metadata, namespace };
    await objects.create({ ...manifest, metadata }).catch((error: { code?: number }) => {
      if (error.code !== 409) throw error;
    });
  }
}

export function removePart(admin: KubeConfig, part: string): Promise<void> {
  return removeThese(admin, manifestsOf(part));
}

async function removeThese(admin: KubeConfig, manifests: readonly Manifest[]): Promise<void> {
  const objects = KubernetesObjectApi.makeApiClient(admin);
  for (const manifest of manifests) {
    await objects.delete(manifest).catch((error: { code?: number }) => {
      if (error.code !== 404) throw error;
    });
  }
}

/** Kubernetes 1.30 and newer judge admission by expressions; what is older says why nothing is proven there. */
export async function whyNoPolicies(admin: KubeConfig): Promise<string | null> {
  const { body } = await rawRequest(admin, "GET", "/apis/admissionregistration.k8s.io/v1", {});
  const resources = (body.resources ?? []) as readonly { readonly name?: string }[];
  if (resources.some(({ name }) => name === "validatingadmissionpolicies")) return null;
  return "not run: this API server is older than Kubernetes 1.30 and has no ValidatingAdmissionPolicy";
}

/** All of infra/cluster, its policies where the server knows them. Returns what takes it away again. */
export async function applyAll(admin: KubeConfig): Promise<() => Promise<void>> {
  const parts = (await whyNoPolicies(admin)) === null ? ["roles", "everywhere", "policies"] : ["roles", "everywhere"];
  for (const part of parts) await applyPart(admin, part);
  return async () => {
    for (const part of parts) await removePart(admin, part);
  };
}

/** The roles of infra/cluster/node-pools and their bindings. Returns what takes them away again. */
export async function applyRolesOfNodePools(admin: KubeConfig): Promise<() => Promise<void>> {
  const roles = manifestsOf("node-pools").filter(({ apiVersion }) => apiVersion === "rbac.authorization.k8s.io/v1");
  await applyThese(admin, roles);
  return () => removeThese(admin, roles);
}

/** The real adapter, as whoever `kubeConfig` is. */
export function clusterOf(kubeConfig: KubeConfig, namespace: string): Cluster {
  return kubernetesCluster({
    name: "real",
    kubeConfig,
    namespaces: [namespace],
    runtimeImages: { openclaw: "registry.invalid/agents/openclaw" },
    now: () => new Date(),
    warn: (message) => process.emitWarning(message),
  });
}
