import { randomUUID } from "node:crypto";
import { CoreV1Api, KubeConfig } from "@kubernetes/client-node";
import { describe, inject } from "vitest";
import { admitsPods } from "./control-plane/readiness.ts";
import { eventually } from "./control-plane/eventually.ts";

/** A suite that needs the control plane of the project `cluster`. Without one it is skipped, and its name says why. */
export function describeOnRealCluster(name: string, suite: () => void): void {
  const reason = inject("noClusterBecause");
  const note = reason === null ? "" : ` (skipped: ${reason})`;
  describe.skipIf(reason !== null)(`${name}${note}`, () => {
    suite();
  });
}

/** The admin of the real cluster. To be called in a test or hook, not while tests are collected. */
export function realKubeConfig(): KubeConfig {
  const path = inject("kubeconfig");
  if (path === null) throw new Error("no control plane: the suite belongs into describeOnRealCluster");
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromFile(path);
  return kubeConfig;
}

/** Makes a namespace that nobody else uses, and gives its name when pods can be made there. */
export async function makeNamespace(kubeConfig: KubeConfig, prefix: string): Promise<string> {
  const name = `${prefix}-${randomUUID().slice(0, 8)}`;
  const core = kubeConfig.makeApiClient(CoreV1Api);
  await core.createNamespace({ body: { metadata: { name } } });
  await eventually(`pods are admitted to ${name}`, () => admitsPods(core, name));
  return name;
}
