import { constants } from "node:fs";
import { access, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
}

/**
 * Starts an empty control plane on loopback: etcd, kube-apiserver, kube-controller-manager and a fake kubelet. Resolves
 * after 4 to 6 s, when pods in `default` are admitted and the Nodes exist. Throws if a binary is missing or a component
 * exits, with the end of its log.
 */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const binaries = findBinaries();
  if (binaries.kind === "missing") throw new Error(binaries.reason);
  const folders = [await mkdtemp(join(tmpdir(), "pawl-control-plane-")), await mkdtemp(await dataPrefix())] as const;
  const components: Component[] = [];
  const stop = async () => {
    await Promise.all(components.map((component) => component.stop()));
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
  };
  try {
    return { ...(await bringUp(binaries.folder, folders, components, options)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Started components are pushed to `components` one by one, so that a failure half-way can still be undone. */
async function bringUp(
  binaries: string,
  folders: readonly [string, string],
  components: Component[],
  { nodes = ["node-0", "node-1"], podStartMilliseconds = 100, controllers = true }: ControlPlaneOptions,
): Promise<Omit<ControlPlane, "stop">> {
  const [folder, data] = folders;
  const start = async (command: string, args: readonly string[]) => {
    components.push(await startComponent(command, args, [folder, data]));
  };
  const anyDeath = () => Promise.race(components.map((component) => component.died));

  const [etcdPort, apiPort] = (await freePorts(2)) as [number, number];
  const endpoints = { etcd: `http://127.0.0.1:${etcdPort}`, apiPort };
  const url = `https://127.0.0.1:${apiPort}`;
  const kubeconfigPath = join(folder, "kubeconfig");
  const apiServer = join(binaries, "kube-apiserver");
  const { token } = await writeCredentials(folder);

  await start(join(binaries, "etcd"), etcdArguments(data, endpoints));
  await start(apiServer, apiServerArguments(folder, endpoints));
  const minorVersion = await minorVersionOf(apiServer);
  const kubeconfig = await waitUntilReady(() => kubeconfigFor(folder, url, token), anyDeath());
  await writeFile(kubeconfigPath, kubeconfig, { mode: 0o600 });
  if (!controllers) return { url, kubeconfig, kubeconfigPath };

  await start(join(binaries, "kube-controller-manager"), controllerManagerArguments(folder, minorVersion));
  const kubelet = join(import.meta.dirname, "control-plane", "fake-kubelet.ts");
  await start(process.execPath, [kubelet, kubeconfigPath, String(podStartMilliseconds), ...nodes]);
  await waitUntilWorking(kubeconfig, nodes, anyDeath());
  return { url, kubeconfig, kubeconfigPath };
}

/** Prefers memory to disk: etcd syncs every write to disk. */
async function dataPrefix(): Promise<string> {
  const inMemory = await access("/dev/shm", constants.W_OK).then(
    () => true,
    () => false,
  );
  return join(inMemory ? "/dev/shm" : tmpdir(), "pawl-etcd-");
}
