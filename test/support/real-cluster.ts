import { randomUUID } from "node:crypto";
import { CoreV1Api, KubeConfig } from "@kubernetes/client-node";
import { describe, inject } from "vitest";
import { admitsPods } from "./control-plane/readiness.ts";
import { eventually } from "./control-plane/eventually.ts";

/** Defines a suite on the control plane of the project `cluster`. Skips it without one, with the reason in its name. */
export function describeOnRealCluster(name: string, suite: () => void): void {
  const reason = inject("noClusterBecause");
  const note = reason === null ? "" : ` (skipped: ${reason})`;
  describe.skipIf(reason !== null)(`${name}${note}`, () => {
    suite();
  });
}

/** Returns the admin's configuration of the real cluster. Call it in a test or hook, not while tests are collected. */
export function realKubeConfig(): KubeConfig {
  const path = inject("kubeconfig");
  if (path === null) throw new Error("no control plane: define the suite with describeOnRealCluster");
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromFile(path);
  return kubeConfig;
}

/** Creates a namespace with a unique name, waits until it admits pods, and returns its name. */
export async function makeNamespace(kubeConfig: KubeConfig, prefix: string): Promise<string> {
  const name = `${prefix}-${randomUUID().slice(0, 8)}`;
  const core = kubeConfig.makeApiClient(CoreV1Api);
  await core.createNamespace({ body: { metadata: { name } } });
  await eventually(`pods are admitted to ${name}`, () => admitsPods(core, name));
  return name;
}
