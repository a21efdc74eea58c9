import { KubeConfig } from "@kubernetes/client-node";
import { openView } from "../dashboard/open-view.ts";
import type { ClusterView } from "../dashboard/server/cluster-view.ts";
import { createStreams, type Streams } from "../dashboard/server/stream.ts";
import type { ClusterConfig } from "./config.ts";
import type { Tokens } from "./login.ts";
import { qualifyMessage } from "./qualified-view.ts";

/** The clusters of a login, as one viewer sees them. */
export interface Viewer {
  readonly streams: Streams;
  /** Opens the views at the first request. */
  views(): Promise<ReadonlyMap<string, ClusterView>>;
  /** Uses these tokens from the next request to the clusters on. */
  use(tokens: Tokens): void;
  close(): void;
}

const clock = { now: () => new Date(), waitScale: 1 };

/** Creates what reads and changes the clusters with the viewer's own ID token, and with nothing else. */
export function createViewer(clusters: readonly ClusterConfig[], tokens: Tokens): Viewer {
  const streams = createStreams();
  const kubeConfigs = clusters.map((cluster) => kubeConfigOf(cluster, tokens));
  let opened: Promise<readonly (readonly [string, ClusterView])[]> | null = null;
  const open = () =>
    Promise.all(
      clusters.map(async ({ name, namespaces, allowActions, nodePools }, index) => {
        const options = { loadedConfig: kubeConfigs[index] as KubeConfig, clock, allowActions, nodePools };
        const selected = namespaces === undefined ? {} : { namespace: namespaces };
        const view = await openView({ ...options, ...selected }, (one) => streams.publish(qualifyMessage(name, one)));
        return [name, view] as const;
      }),
    );
  return {
    streams,
    async views() {
      opened ??= open();
      return new Map(await opened);
    },
    use(changed) {
      for (const one of kubeConfigs) one.users = [userOf(changed)];
    },
    close() {
      streams.close();
      void opened?.then((views) => views.forEach(([, view]) => view.close()));
    },
  };
}

function kubeConfigOf({ name, server, certificateAuthority }: ClusterConfig, tokens: Tokens): KubeConfig {
  const kubeConfig = new KubeConfig();
  const caData = Buffer.from(certificateAuthority).toString("base64");
  const user = userOf(tokens);
  kubeConfig.loadFromOptions({
    clusters: [{ name, server, caData, skipTLSVerify: false }],
    users: [user],
    contexts: [{ name, cluster: name, user: user.name }],
    currentContext: name,
  });
  return kubeConfig;
}

/** The subject stays the same, unlike a name for people. */
function userOf({ subject, idToken }: Tokens) {
  return { name: subject, token: idToken };
}
