import { setTimeout as wait } from "node:timers/promises";
import { stringify } from "yaml";
import { autoUpdateCrd, clawCrd } from "./crds.ts";
import { createBootcAgent, type BootcAgentOptions } from "./controllers/nodes/bootc-agent.ts";
import { createJobController } from "./controllers/job.ts";
import { createKubelet, type KubeletOptions } from "./controllers/kubelet.ts";
import { startControllers } from "./controllers/work-queue.ts";
import { registerNode } from "./controllers/nodes/node.ts";
import { startApiServer } from "./http/server.ts";
import type { KubeObjectInput } from "./objects.ts";
import { customResourceDefinitions, namespaces, nodes } from "./resources.ts";
import { refOf, type Api } from "./verbs/context.ts";
import { create } from "./verbs/create.ts";
import { patch } from "./verbs/update.ts";
import { createResourceRegistry } from "./store/resource-registry.ts";
import { createPages } from "./store/paging.ts";
import { createStore } from "./store/store.ts";

export interface EmbeddedClusterOptions {
  readonly now: () => Date;
  /** Sleeps for simulated seconds; rejects or never resolves after the signal aborts. Real seconds by default. */
  readonly sleep?: (seconds: number, signal: AbortSignal) => Promise<void>;
  /**
   * The initial objects; healthy pods are ready at once. Missing namespaces are created, and a given status is kept. A CRD must
   * come before its objects.
   */
  readonly objects?: readonly object[];
  /** Reports whether pods of this image and digest become ready; by default all do. */
  readonly health?: (image: string, digest: string) => boolean;
  /** Reports whether containers of an image that is not healthy exit again and again; by default none do. */
  readonly crashes?: (image: string) => boolean;
  /** Resolves an image to a digest (`sha256:…`) at pull time; by default, and for null, it is derived from the image's name. */
  readonly digestOf?: (image: string) => string | null;
  /** Simulated seconds from a pod's start to its readiness; 3 by default. */
  readonly secondsToReady?: number;
  /** Simulated seconds from a pod's eviction to its removal; 2 by default. */
  readonly secondsToTerminate?: number;
  /** The number of Ready nodes in addition to those in `objects`; 2 by default. */
  readonly nodes?: number;
  /** Makes nodes run a simulated bootc-operator daemon; by default they run none. Needs the CRD of BootcNode. */
  readonly bootcAgent?: BootcAgentOptions;
}

export interface EmbeddedCluster {
  readonly url: string;
  /** YAML, with one context named `embedded`. */
  readonly kubeconfig: string;
  /** Deletes the history like etcd's compaction: continue tokens and older watches get 410. */
  compact(): void;
  /** Probes all pods again, after the results of `health` have changed. */
  recheckHealth(): void;
  close(): Promise<void>;
}

/** Starts a Kubernetes API server in memory, with controllers that roll out workloads in simulated time. */
export async function startEmbeddedCluster(options: EmbeddedClusterOptions): Promise<EmbeddedCluster> {
  const api: Api = { store: createStore(), resourceRegistry: createResourceRegistry(), now: options.now };
  const pages = createPages();
  const closing = new AbortController();
  const settings = kubeletOptions(options, closing.signal);
  const kubelet = createKubelet(api, settings);
  const sleep = (seconds: number) => settings.sleep(seconds);
  const bootcAgent = options.bootcAgent ? createBootcAgent(api, options.bootcAgent, sleep) : null;
  const controllers = startControllers(api, { kubelet, bootcAgent, runJob: createJobController(api, settings) });
  seedObjects(api, options);
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

/** Returns the kubelet's options. Seeded pods are ready at once; `secondsToReady` is set after seeding. */
function kubeletOptions(
  options: EmbeddedClusterOptions,
  signal: AbortSignal,
): KubeletOptions & { secondsToReady: number } {
  const realSleep = (seconds: number): Promise<void> => wait(seconds * 1000, undefined, { ref: false, signal });
  const { sleep = realSleep, health = () => true, crashes = () => false, digestOf = () => null } = options;
  const { secondsToTerminate = 2 } = options;
  return {
    health,
    crashes,
    digestOf,
    secondsToReady: 0,
    secondsToTerminate,
    sleep: (seconds) => sleep(seconds, signal),
  };
}

function seedObjects(api: Api, { objects = [], nodes: count = 2 }: EmbeddedClusterOptions): void {
  for (const name of ["default", "kube-system"]) create(api, namespaces, "", { metadata: { name } });
  for (let number = 1; number <= count; number += 1) {
    const name = `node-${number}`;
    registerNode(api, { metadata: { name, labels: { "kubernetes.io/hostname": name } } });
  }
  create(api, customResourceDefinitions, "", clawCrd);
  create(api, customResourceDefinitions, "", autoUpdateCrd());
  for (const object of objects) seedObject(api, object as KubeObjectInput);
}

function seedObject(api: Api, input: KubeObjectInput): void {
  const { resource, namespace } = prepare(api, input);
  if (resource === nodes && input["status"] === undefined) return registerNode(api, input);
  const created = create(api, resource, namespace, input);
  if (!resource.hasStatus || input["status"] === undefined) return;
  patch(api, refOf(resource, created), "status", { status: input["status"] }, "application/merge-patch+json");
}

/** Returns where an object belongs, in a namespace that exists. */
function prepare(api: Api, { apiVersion = "", kind = "", metadata }: KubeObjectInput) {
  const resource = api.resourceRegistry.findKind(apiVersion, kind);
  if (!resource) throw new Error(`${metadata?.name}: unknown kind ${kind} in ${apiVersion}; add its CRD first`);
  const namespace = resource.namespaced ? (metadata?.namespace ?? "default") : "";
  if (namespace && !api.store.get(namespaces, "", namespace))
    create(api, namespaces, "", { metadata: { name: namespace } });
  return { resource, namespace };
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
