import { randomUUID } from "node:crypto";
import type { KubeConfig, KubernetesObject } from "@kubernetes/client-node";
import { expect } from "vitest";
import { type BootcApi, bootcApi } from "../support/bootc/api.ts";
import { type Daemons, startDaemons } from "../support/bootc/daemons.ts";
import { hands, type Hands } from "../support/bootc/hands.ts";
import { type Happening, record } from "../support/bootc/happenings.ts";
import { violationsOf } from "../support/bootc/invariants.ts";
import { installCrd } from "../support/crds/install.ts";
import { makeNamespace, realKubeConfig } from "../support/real-cluster.ts";
import type { RealRegistry } from "../support/real-registry.ts";

/** Nodes that one label selects. */
export interface Nodes {
  /** In the order of the alphabet. */
  readonly names: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
}

/** Nodes whose machines run bootc, what people do to them, and a watcher over all that becomes of them. */
export interface NodeLab extends Hands {
  readonly kubeConfig: KubeConfig;
  readonly namespace: string;
  readonly api: BootcApi;
  readonly daemons: Daemons;
  /** A name that no other lab has. */
  named(name: string): string;
  /** Pushes an image that no other is like; gives it by digest. */
  push(repository: string, tag: string): Promise<string>;
  /** Makes Ready Nodes whose machines run `image`. */
  nodes(count: number, image: string): Promise<Nodes>;
  happenings(): readonly Happening[];
  /** Fails where a promise was broken since the lab was opened. */
  expectNoViolations(): Promise<void>;
  close(): Promise<void>;
}

export async function openNodeLab(registry: RealRegistry): Promise<NodeLab> {
  const kubeConfig = realKubeConfig();
  for (const kind of ["bootc-node", "bootc-node-pool"] as const) await installCrd(kubeConfig, kind);
  const namespace = await makeNamespace(kubeConfig, "nodes");
  const id = `lab${randomUUID().slice(0, 6)}`;
  const api = bootcApi(kubeConfig);
  const daemons = startDaemons({ kubeConfig, pulls: (image) => has(registry, image) });
  const recording = record(kubeConfig, namespace);
  const byHand = new Set<number>();
  const own = hands(kubeConfig, api, namespace, (revision) => byHand.add(revision));
  const made: string[] = [];
  const pools: string[] = [];
  let groups = 0;
  return {
    ...own,
    kubeConfig,
    namespace,
    api,
    daemons,
    named: (name) => `${id}-${name}`,
    push: async (repository, tag) => `${registry.host}/${repository}@${await registry.push(repository, tag)}`,
    async makePool(name, spec) {
      pools.push(name);
      await own.makePool(name, spec);
    },
    async nodes(count, image) {
      const group = `${id}-${(groups += 1)}`;
      const labels = { "test.pawl.dev/group": group };
      const names = Array.from({ length: count }, (_, index) => `${group}-${String(index + 1).padStart(2, "0")}`);
      for (const name of names) daemons.add(name, image);
      made.push(...names);
      await Promise.all(names.map((name) => own.makeNode(name, labels)));
      return { names, labels };
    },
    happenings: () => recording.happenings(),
    async expectNoViolations() {
      const there = await Promise.all([
        ...made.flatMap((name) => [api.node(name), api.bootcNode(name)]),
        ...pools.map((name) => api.pool(name)),
      ]);
      const { items: pods } = await api.core.listNamespacedPod({ namespace });
      await recording.catchUp([...there.filter((object): object is KubernetesObject => object !== null), ...pods]);
      expect(violationsOf(recording.happenings(), (revision) => byHand.has(revision))).toEqual([]);
    },
    async close() {
      await daemons.stop();
      recording.stop();
      await api.core.deleteNamespace({ name: namespace });
      for (const name of pools) await api.patch("bootcnodepools", name, { metadata: { finalizers: null } });
      await Promise.all(pools.map((name) => api.remove("bootcnodepools", name)));
      await Promise.all(made.map((name) => api.remove("bootcnodes", name)));
      await Promise.all(made.map((name) => api.core.deleteNode({ name })));
    },
  };
}

async function has({ url }: RealRegistry, image: string): Promise<boolean> {
  const [name = "", digest = ""] = image.split("@");
  const repository = name.slice(name.indexOf("/") + 1);
  const accept = "application/vnd.oci.image.manifest.v1+json";
  const answer = await fetch(`${url}/v2/${repository}/manifests/${digest}`, { method: "HEAD", headers: { accept } });
  return answer.ok;
}
