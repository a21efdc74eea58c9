import type { KubeConfig } from "@kubernetes/client-node";
import { createKubernetesCluster } from "../adapters/kubernetes/cluster.ts";
import type { Cluster } from "../ports/cluster.ts";
import { Forbidden, Unreachable } from "../ports/errors.ts";
import type { AdapterOptions } from "./open-aws.ts";
import { openInCluster } from "./open-kube-config.ts";

/** A peer that does not answer is not asked again for that long: a poll has many workloads. */
const silentMs = 60_000;

/** Adds the workloads of the peers to those that can be read by name. */
export function withPeers(cluster: Cluster, { settings, aws, now }: AdapterOptions): Cluster {
  const opened = new Map<string, Promise<Cluster>>();
  const silent = new Map<string, { readonly error: Unreachable; readonly until: number }>();

  function openPeer(name: string): Promise<Cluster> {
    const peer = settings.peers.find((one) => one.name === name);
    if (peer === undefined)
      throw new Forbidden(
        `cluster ${name} is not a peer of ${cluster.name}; add it to peers of ${cluster.name} in pawl.json`,
      );
    const warn = (message: string) => process.emitWarning(message);
    const { defaults, runtimeImages } = settings;
    const open = (kubeConfig: KubeConfig) =>
      createKubernetesCluster({ name, kubeConfig, namespaces: null, defaults, runtimeImages, now, warn });
    const port = opened.get(name) ?? openInCluster({ settings: { ...settings, access: peer.access }, aws, now }, open);
    opened.set(name, port);
    port.catch(() => opened.delete(name));
    return port;
  }

  return {
    ...cluster,
    haltPeers: settings.limits.haltScope === "deployment" ? settings.peers.map(({ name }) => name) : [],
    async readNamed({ cluster: peer = null, ...named }) {
      if (peer === null) return cluster.readNamed(named);
      const failed = silent.get(peer);
      if (failed !== undefined && now().getTime() < failed.until) throw failed.error;
      try {
        return await (await openPeer(peer)).readNamed(named);
      } catch (error) {
        if (error instanceof Unreachable) silent.set(peer, { error, until: now().getTime() + silentMs });
        throw error;
      }
    },
  };
}
