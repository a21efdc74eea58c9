import { KubeConfig } from "@kubernetes/client-node";
import type { TestProject } from "vitest/node";
import { findBinaries } from "../support/control-plane/binaries.ts";
import { startControlPlane, type ControlPlane, type ControlPlaneOptions } from "../support/control-plane.ts";
import { applyPart, applyPolicies, policiesUnsupportedReason } from "../infra/cluster/pawl-groups.ts";
import { crds, installCrd } from "../support/crds/install.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The file of the admin's kubeconfig; null if there is no control plane and its suites are skipped. */
    kubeconfig: string | null;
    /** The reason if `kubeconfig` is null. */
    noClusterBecause: string | null;
  }
}

let plane: ControlPlane | undefined;

/**
 * Starts one control plane with the CRD AutoUpdate and the admission policies for all suites of the project. Each suite uses namespaces
 * of its own.
 */
export async function setup(project: TestProject): Promise<void> {
  const binaries = findBinaries();
  const missing = binaries.kind === "missing" ? binaries.reason : null;
  if (missing !== null && isClusterRequired()) throw new Error(missing);
  const reason = missing ?? (await (project.name === "cluster-admission" ? startForAdmission() : start()));
  if (reason !== null) process.stderr.write(`Suites of ${project.name} are skipped. ${reason}\n`);
  project.provide("kubeconfig", plane?.kubeconfigPath ?? null);
  project.provide("noClusterBecause", reason);
}

async function start(): Promise<null> {
  const kubeConfig = await open();
  await installCrd(kubeConfig, "auto-update");
  await applyPolicies(kubeConfig);
  return null;
}

/** Starts an API server with all of infra/cluster. Without controllers nothing changes or deletes the objects of the tests. */
async function startForAdmission(): Promise<string | null> {
  const kubeConfig = await open({ controllers: false });
  const reason = await policiesUnsupportedReason(kubeConfig);
  if (reason !== null) return reason;
  for (const crd of crds) await installCrd(kubeConfig, crd);
  for (const part of ["rbac", "cluster-wide", "releases", "hooks", "node-pools/rbac"])
    await applyPart(kubeConfig, part);
  await applyPolicies(kubeConfig);
  return null;
}

async function open(options: ControlPlaneOptions = {}): Promise<KubeConfig> {
  plane = await startControlPlane(options);
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromString(plane.kubeconfig);
  return kubeConfig;
}

export async function teardown(): Promise<void> {
  await plane?.stop();
}

/** Reports whether a suite that cannot run is a failure. */
function isClusterRequired(): boolean {
  return process.env["CI"] === "true" || process.env["PAWL_REQUIRE_REAL"] === "1";
}
