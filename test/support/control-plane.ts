import { constants } from "node:fs";
import { access, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { findBinaries } from "./control-plane/binaries.ts";
import {
  apiServerArguments,
  controllerManagerArguments,
  etcdArguments,
  minorVersionOf,
} from "./control-plane/commands.ts";
import { startComponent, type Component } from "./control-plane/component.ts";
import { kubeconfigFor, writeCredentials } from "./control-plane/credentials.ts";
import { freePorts } from "./control-plane/ports.ts";
import { waitUntilReady, waitUntilWorking } from "./control-plane/readiness.ts";

export interface ControlPlane {
  readonly url: string;
  /** The admin's kubeconfig as text, and as a file that exists until `stop`. */
  readonly kubeconfig: string;
  readonly kubeconfigPath: string;
  /** The client URL of etcd. */
  readonly etcd: string;
  /** Rejects if a component exits unexpectedly. Never resolves. */
  readonly died: Promise<never>;
  /** Kills a component. The result starts it again on the same data, and resolves when the API server is ready. */
  interrupt(name: "kube-apiserver" | "kube-controller-manager"): Promise<() => Promise<void>>;
  /** Stops every process and deletes the data. */
  stop(): Promise<void>;
}

export interface ControlPlaneOptions {
  /** Names of the Nodes of the fake kubelet; default two, so that a DaemonSet has a rollout. */
  readonly nodes?: readonly string[];
  /** Time from the binding of a pod until its containers run; default 100. */
  readonly podStartMilliseconds?: number;
  /** false starts only etcd and kube-apiserver: objects are stored, and nothing rolls out. */
  readonly controllers?: boolean;
  /** Whether etcd holds JSON instead of Protocol Buffers, so that it can be watched directly; default false. */
  readonly storesJson?: boolean;
  /** More arguments of kube-apiserver. */
  readonly apiServer?: readonly string[];
}

interface Started {
  readonly component: Component;
  /** Starts the same process again. */
  readonly restart: () => Promise<void>;
}

/** The running components, by the name of their program. */
type Components = Map<string, Started>;

/**
 * Starts an empty control plane on loopback: etcd, kube-apiserver, kube-controller-manager and a fake kubelet. Resolves
 * after 4 to 6 s, when pods in `default` are admitted and the Nodes exist. Throws if a binary is missing or a component
 * exits, with the end of its log.
 */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const binaries = findBinaries();
  if (binaries.kind === "missing") throw new Error(binaries.reason);
  const folders = [await mkdtemp(join(tmpdir(), "pawl-control-plane-")), await mkdtemp(await dataPrefix())] as const;
  const components: Components = new Map();
  const stop = async () => {
    await Promise.all([...components.values()].map(({ component }) => component.stop()));
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
  };
  const { promise: died, reject } = Promise.withResolvers<never>();
  died.catch(() => {}); // callers that wait for the control plane use `died` themselves
  async function start(command: string, args: readonly string[]): Promise<void> {
    const component = await startComponent(command, args, folders);
    components.set(basename(command), { component, restart: () => start(command, args) });
    component.died.catch(reject);
  }
  try {
    const started = await bringUp(binaries.folder, folders, start, died, options);
    return {
      ...started,
      died,
      async interrupt(name) {
        const { component, restart } = components.get(name) as Started;
        await component.stop();
        return async () => {
          await restart();
          await waitUntilReady(() => Promise.resolve(started.kubeconfig), died);
        };
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts the components one by one, so that a failure half-way can still be undone. */
async function bringUp(
  binaries: string,
  [folder, data]: readonly [string, string],
  start: (command: string, args: readonly string[]) => Promise<void>,
  died: Promise<never>,
  options: ControlPlaneOptions,
): Promise<Pick<ControlPlane, "url" | "kubeconfig" | "kubeconfigPath" | "etcd">> {
  const {
    nodes = ["node-0", "node-1"],
    podStartMilliseconds = 100,
    controllers = true,
    storesJson = false,
    apiServer: more = [],
  } = options;
  const [etcdPort, apiPort] = (await freePorts(2)) as [number, number];
  const etcd = `http://127.0.0.1:${etcdPort}`;
  const endpoints = { etcd, apiPort };
  const url = `https://127.0.0.1:${apiPort}`;
  const kubeconfigPath = join(folder, "kubeconfig");
  const apiServer = join(binaries, "kube-apiserver");
  const { token } = await writeCredentials(folder);

  await start(join(binaries, "etcd"), etcdArguments(data, endpoints));
  const storage = storesJson ? ["--storage-media-type=application/json"] : [];
  const minorVersion = await minorVersionOf(apiServer);
  await start(apiServer, [...apiServerArguments(folder, endpoints, minorVersion), ...storage, ...more]);
  const kubeconfig = await waitUntilReady(() => kubeconfigFor(folder, url, token), died);
  await writeFile(kubeconfigPath, kubeconfig, { mode: 0o600 });
  if (!controllers) return { url, kubeconfig, kubeconfigPath, etcd };

  await start(join(binaries, "kube-controller-manager"), controllerManagerArguments(folder, minorVersion));
  const kubelet = join(import.meta.dirname, "control-plane", "fake-kubelet.ts");
  await start(process.execPath, [kubelet, kubeconfigPath, String(podStartMilliseconds), ...nodes]);
  await waitUntilWorking(kubeconfig, nodes, died);
  return { url, kubeconfig, kubeconfigPath, etcd };
}

/** Prefers memory to disk: etcd syncs every write to disk. */
async function dataPrefix(): Promise<string> {
  const inMemory = await access("/dev/shm", constants.W_OK).then(
    () => true,
    () => false,
  );
  return join(inMemory ? "/dev/shm" : tmpdir(), "pawl-etcd-");
}
