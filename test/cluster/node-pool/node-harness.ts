import { randomUUID } from "node:crypto";
import type { KubeConfig, KubernetesObject } from "@kubernetes/client-node";
import { expect } from "vitest";
import { type BootcApi, bootcApi } from "../../support/bootc/api.ts";
import { type Daemons, startDaemons } from "../../support/bootc/daemons.ts";
import { createManualActions, type ManualActions } from "../../support/bootc/manual-actions.ts";
import { type ObjectChange, recordChanges } from "../../support/bootc/object-changes.ts";
import { findViolations } from "../../support/bootc/invariants.ts";
import { installCrd } from "../../support/crds/install.ts";
import { makeNamespace, realKubeConfig } from "../../support/real-cluster.ts";
import type { RealRegistry } from "../../support/real/real-registry.ts";

/** Nodes that one label selects. */
export interface Nodes {
  /** In alphabetical order. */
  readonly names: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
}

/** Nodes whose machines run bootc, the manual actions of their operators, and a recording of every change. */
export interface NodeHarness extends ManualActions {
  readonly kubeConfig: KubeConfig;
  readonly namespace: string;
  readonly api: BootcApi;
  readonly daemons: Daemons;
  /** Returns a name that no other harness uses. */
  uniqueName(name: string): string;
  /** Pushes a unique image. Returns its reference by digest. */
  push(repository: string, tag: string): Promise<string>;
  /** Creates Ready Nodes whose machines run `image`. */
  createNodes(count: number, image: string): Promise<Nodes>;
  changes(): readonly ObjectChange[];
  /** Fails if an invariant was violated since the harness was opened. */
  expectNoViolations(): Promise<void>;
  close(): Promise<void>;
}

export async function openNodeHarness(registry: RealRegistry): Promise<NodeHarness> {
  const kubeConfig = realKubeConfig();
  for (const kind of ["bootc-node", "bootc-node-pool"] as const) await installCrd(kubeConfig, kind);
  const namespace = await makeNamespace(kubeConfig, "nodes");
  const id = `test${randomUUID().slice(0, 6)}`;
  const api = bootcApi(kubeConfig);
  const daemons = startDaemons({ kubeConfig, canPull: (image) => hasManifest(registry, image) });
  const recording = recordChanges(kubeConfig, namespace);
  const manualRevisions = new Set<number>();
  const manualActions = createManualActions(kubeConfig, api, namespace, (revision) => manualRevisions.add(revision));
  const nodeNames: string[] = [];
  const pools: string[] = [];
  let groups = 0;
  return {
    ...manualActions,
    kubeConfig,
    namespace,
    api,
    daemons,
    uniqueName: (name) => `${id}-${name}`,
    push: async (repository, tag) => `${registry.host}/${repository}@${await registry.push(repository, tag)}`,
    async createPool(name, spec) {
      pools.push(name);
      await manualActions.createPool(name, spec);
    },
    async createNodes(count, image) {
      const group = `${id}-${(groups += 1)}`;
      const labels = { "test.pawl.dev/group": group };
      const names = Array.from({ length: count }, (_, index) => `${group}-${String(index + 1).padStart(2, "0")}`);
      for (const name of names) daemons.add(name, image);
      nodeNames.push(...names);
      await Promise.all(names.map((name) => manualActions.createNode(name, labels)));
      return { names, labels };
    },
    changes: () => recording.changes(),
    async expectNoViolations() {
      const objects = await Promise.all([
        ...nodeNames.flatMap((name) => [api.node(name), api.bootcNode(name)]),
        ...pools.map((name) => api.pool(name)),
      ]);
      const { items: pods } = await api.core.listNamespacedPod({ namespace });
      await recording.catchUp([...objects.filter((object): object is KubernetesObject => object !== null), ...pods]);
      expect(findViolations(recording.changes(), (revision) => manualRevisions.has(revision))).toEqual([]);
    },
    async close() {
      await daemons.stop();
      recording.stop();
      await api.core.deleteNamespace({ name: namespace });
      for (const name of pools) await api.patch("bootcnodepools", name, { metadata: { finalizers: null } });
      await Promise.all(pools.map((name) => api.remove("bootcnodepools", name)));
      await Promise.all(nodeNames.map((name) => api.remove("bootcnodes", name)));
      await Promise.all(nodeNames.map((name) => api.core.deleteNode({ name })));
    },
  };
}

async function hasManifest({ url }: RealRegistry, image: string): Promise<boolean> {
  const [name = "", digest = ""] = image.split("@");
  const repository = name.slice(name.indexOf("/") + 1);
  const accept = "application/vnd.oci.image.manifest.v1+json";
  const response = await fetch(`${url}/v2/${repository}/manifests/${digest}`, { method: "HEAD", headers: { accept } });
  return response.ok;
}
