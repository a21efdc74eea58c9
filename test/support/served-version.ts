import type { KubeConfig } from "@kubernetes/client-node";
import { rawRequest } from "../contracts/kubernetes-api/raw-request.ts";

/** Returns the version in which a server serves a resource. Before Kubernetes 1.21 CronJobs and PodDisruptionBudgets are v1beta1. */
export async function servedVersion(
  kubeConfig: KubeConfig,
  group: "batch" | "policy",
  plural: string,
): Promise<"v1" | "v1beta1"> {
  return (await serves(kubeConfig, `${group}/v1`, plural)) ? "v1" : "v1beta1";
}

export async function serves(kubeConfig: KubeConfig, groupVersion: string, plural: string): Promise<boolean> {
  const { body } = await rawRequest(kubeConfig, "GET", `/apis/${groupVersion}`, {});
  const resources = (body.resources ?? []) as readonly { readonly name?: string }[];
  return resources.some(({ name }) => name === plural);
}

/** Returns the second part of the version of Kubernetes. */
export async function minorVersion(kubeConfig: KubeConfig): Promise<number> {
  const { body } = await rawRequest(kubeConfig, "GET", "/version", {});
  return Number.parseInt((body as { readonly minor?: string }).minor ?? "", 10);
}
