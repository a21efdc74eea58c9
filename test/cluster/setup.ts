import { KubeConfig } from "@kubernetes/client-node";
import type { TestProject } from "vitest/node";
import { findBinaries } from "../support/control-plane/binaries.ts";
import { startControlPlane, type ControlPlane } from "../support/control-plane.ts";
import { installCrd } from "../support/crds/install.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The file of the admin's kubeconfig; null if there is no control plane and its suites are skipped. */
    kubeconfig: string | null;
    /** The reason if `kubeconfig` is null. */
    noClusterBecause: string | null;
  }
}

let plane: ControlPlane | undefined;

/** Starts one control plane with the CRD AutoUpdate for all suites of the project. Each suite uses namespaces of its own. */
export async function setup(project: TestProject): Promise<void> {
  const binaries = findBinaries();
  const reason = binaries.kind === "missing" ? binaries.reason : null;
  if (reason !== null && isClusterRequired()) throw new Error(reason);
  if (reason === null) {
    plane = await startControlPlane();
    const kubeConfig = new KubeConfig();
    kubeConfig.loadFromString(plane.kubeconfig);
    await installCrd(kubeConfig, "auto-update");
  } else process.stderr.write(`Suites that need a real cluster are skipped. ${reason}\n`);
  project.provide("kubeconfig", plane?.kubeconfigPath ?? null);
  project.provide("noClusterBecause", reason);
}

export async function teardown(): Promise<void> {
  await plane?.stop();
}

/** Reports whether a suite that cannot run is a failure. */
function isClusterRequired(): boolean {
  return process.env["CI"] === "true" || process.env["PAWL_REQUIRE_REAL"] === "1";
}
