import type { KubeConfig } from "@kubernetes/client-node";
import { createKubernetesCluster } from "../adapters/kubernetes/cluster.ts";
import type { Cluster } from "../ports/cluster.ts";
import { Unreachable } from "../ports/errors.ts";
import type { AdapterOptions } from "./open-aws.ts";
import { openInCluster } from "./open-kube-config.ts";
import type { Peer } from "./settings.ts";

/** A peer that does not answer is not asked again for that long: a poll has many workloads. */
const silentMs = 60_000;

/** Adds the workloads of the peers to those that can be read by name. */
export function withPeers(cluster: Cluster, { settings, aws, now }: AdapterOptions): Cluster {
  const opened = new Map<string, Promise<Cluster>>();
  const silent = new Map<string, { readonly error: Unreachable; readonly until: number }>();

  function openPeer({ name, access }: Peer): Promise<Cluster> {
    const warn = (message: string) => process.emitWarning(message);
    const { defaults, runtimeImages } = settings;
    const open = (kubeConfig: KubeConfig) =>
      createKubernetesCluster({ name, kubeConfig, namespaces: null, defaults, runtimeImages, now, warn });
    const port = opened.get(name) ?? openInCluster({ settings: { ...settings, access }, aws, now }, open);
    opened.set(name, port);
    port.catch(() => opened.delete(name));
    return port;
  }

  return {
    ...cluster,
    haltPeers: settings.limits.haltScope === "deployment" ? settings.peers.map(({ name }) => name) : [],
    async readNamed(named) {
      const peer = settings.peers.find(({ name }) => name === named.cluster);
      if (peer === undefined) return cluster.readNamed(named);
      const failed = silent.get(peer.name);
      if (failed !== undefined && now().getTime() < failed.until) throw failed.error;
      try {
        return await (await openPeer(peer)).readNamed({ ...named, cluster: null });
      } catch (error) {
        if (error instanceof Unreachable) silent.set(peer.name, { error, until: now().getTime() + silentMs });
        throw error;
      }
    },
  };
}
