import { setTimeout as wait } from "node:timers/promises";
import { stringify } from "yaml";
import { clawCrd } from "./claw-crd.ts";
import { createBootcAgent, type BootcAgentOptions } from "./controllers/bootc-agent.ts";
import { createKubelet, type KubeletOptions } from "./controllers/kubelet.ts";
import { startControllers } from "./controllers/loop.ts";
import { joinNode } from "./controllers/node.ts";
import { startApiServer } from "./http/server.ts";
import type { Draft } from "./objects.ts";
import { customResourceDefinitions, namespaces, nodes } from "./resources.ts";
import { placeOf, type Api } from "./rules/api.ts";
import { create } from "./rules/create.ts";
import { patch } from "./rules/update.ts";
import { createCatalogue } from "./store/catalogue.ts";
import { createPages } from "./store/paging.ts";
import { createStore } from "./store/store.ts";

export interface EmbeddedClusterOptions {
  readonly now: () => Date;
  /** Resolves after so many simulated seconds; rejects, or never resolves, once the signal aborts. By default they are real. */
  readonly sleep?: (seconds: number, signal: AbortSignal) => Promise<void>;
  /**
   * There from the start, with their pods ready where they are healthy. Namespaces are made as needed; a status is kept. A
   * definition comes before the objects of its kind.
   */
  readonly objects?: readonly object[];
  /** Whether pods of this image, with this digest behind it, ever become ready; by default all do. */
  readonly health?: (image: string, digest: string) => boolean;
  /** The digest (`sha256:…`) that a node finds behind an image when it pulls it; by default, and for null, one made of its name. */
  readonly digestOf?: (image: string) => string | null;
  /** Simulated seconds from a pod's start to its readiness; 3 by default. */
  readonly secondsToReady?: number;
  /** Simulated seconds from a pod's eviction to its end; 2 by default. */
  readonly secondsToEnd?: number;
  /** How many nodes there are, all Ready, besides those among the objects; 2 by default. */
  readonly nodes?: number;
  /** Nodes run a stand-in of bootc-operator's daemon; by default they run none. Needs the definition of BootcNode. */
  readonly bootcAgent?: BootcAgentOptions;
}

export interface EmbeddedCluster {
  readonly url: string;
  /** YAML, with one context named `embedded`. */
  readonly kubeconfig: string;
  /** Forgets history as etcd's compaction does: continue tokens and older watches are answered with 410. */
  compact(): void;
  /** Probes all pods again, after what `health` answers has changed. */
  recheckHealth(): void;
  close(): Promise<void>;
}

/** Starts a Kubernetes API server in memory, with controllers that roll workloads out in simulated time. */
export async function startEmbeddedCluster(options: EmbeddedClusterOptions): Promise<EmbeddedCluster> {
  const api: Api = { store: createStore(), catalogue: createCatalogue(), now: options.now };
  const pages = createPages();
  const closing = new AbortController();
  const settings = kubeletOptions(options, closing.signal);
  const kubelet = createKubelet(api, settings);
  const sleep = (seconds: number) => settings.sleep(seconds);
  const agent = options.bootcAgent ? createBootcAgent(api, options.bootcAgent, sleep) : null;
  const controllers = startControllers(api, { kubelet, agent });
  seed(api, options);
  controllers.settle();
  settings.secondsToReady = options.secondsToReady ?? 3;
  const server = await startApiServer(api, pages);
  return {
    url: server.url,
    kubeconfig: kubeconfigFor(server.url),
    compact() {
      pages.expire();
      api.store.compact();
    },
    recheckHealth: () => kubelet.recheck(),
    async close() {
      controllers.stop();
      closing.abort();
      await server.close();
    },
  };
}

/** Seeded pods are ready at once; the time that others take is set when the cluster opens. */
function kubeletOptions(
  options: EmbeddedClusterOptions,
  signal: AbortSignal,
): KubeletOptions & { secondsToReady: number } {
  const realSleep = (seconds: number): Promise<void> => wait(seconds * 1000, undefined, { ref: false, signal });
  const { sleep = realSleep, health = () => true, digestOf = () => null } = options;
  const { secondsToEnd = 2 } = options;
  return { health, digestOf, secondsToReady: 0, secondsToEnd, sleep: (seconds) => sleep(seconds, signal) };
}

function seed(api: Api, { objects = [], nodes: count = 2 }: EmbeddedClusterOptions): void {
  for (const name of ["default", "kube-system"]) create(api, namespaces, "", { metadata: { name } });
  for (let number = 1; number <= count; number += 1) {
    const name = `node-${number}`;
    joinNode(api, { metadata: { name, labels: { "kubernetes.io/hostname": name } } });
  }
  create(api, customResourceDefinitions, "", clawCrd);
  for (const object of objects) plant(api, object as Draft);
}

function plant(api: Api, draft: Draft): void {
  const resource = api.catalogue.findKind(draft.apiVersion ?? "", draft.kind ?? "");
  if (!resource) throw new Error(`no kind ${draft.kind} in ${draft.apiVersion} to make ${draft.metadata?.name} of`);
  const namespace = resource.namespaced ? (draft.metadata?.namespace ?? "default") : "";
  if (namespace && !api.store.get(namespaces, "", namespace))
    create(api, namespaces, "", { metadata: { name: namespace } });
  if (resource === nodes && draft["status"] === undefined) return joinNode(api, draft);
  const made = create(api, resource, namespace, draft);
  if (!resource.hasStatus || draft["status"] === undefined) return;
  patch(api, placeOf(resource, made), "status", { status: draft["status"] }, "application/merge-patch+json");
}

function kubeconfigFor(server: string): string {
  const name = "embedded";
  return stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": name,
    clusters: [{ name, cluster: { server, "insecure-skip-tls-verify": true } }],
    users: [{ name, user: {} }],
    contexts: [{ name, context: { cluster: name, user: name, namespace: "default" } }],
  });
}
