import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { V1ContainerStatus, V1Pod, V1PodStatus } from "@kubernetes/client-node";

/** What is wrong with pods of an application, whatever their version. Tests write it to a file, which the kubelet reads. */
export interface Trouble {
  /** The label `app` of the pods. */
  readonly app: string;
  /** One pod of it; all if absent. */
  readonly pod?: string;
  /**
   * "slow": a pod is not ready before it is so old. "pull": the registry answers 429 to pods that start. "exit": containers exit as soon as
   * they start, as without their database. "evict": the kubelet evicts the pod, once.
   */
  readonly kind: "slow" | "pull" | "exit" | "evict";
  /** Of "slow". */
  readonly seconds?: number;
}

/** Returns the folder with the troubles of a control plane with this kubeconfig: a file for each namespace. */
function folderOf(kubeconfigPath: string): string {
  return `${kubeconfigPath}.troubles`;
}

/** Replaces the troubles of a namespace. */
export function writeTroubles(kubeconfigPath: string, namespace: string, troubles: readonly Trouble[]): void {
  const file = join(folderOf(kubeconfigPath), namespace);
  mkdirSync(folderOf(kubeconfigPath), { recursive: true });
  writeFileSync(`${file}.new`, JSON.stringify(troubles));
  renameSync(`${file}.new`, file);
}

/** Returns the troubles by namespace; those of none are left out. */
export function readTroubles(kubeconfigPath: string): ReadonlyMap<string, readonly Trouble[]> {
  const folder = folderOf(kubeconfigPath);
  if (!existsSync(folder)) return new Map();
  const namespaces = readdirSync(folder).filter((name) => !name.endsWith(".new"));
  const read = (name: string) => JSON.parse(readFileSync(join(folder, name), "utf8")) as readonly Trouble[];
  return new Map(namespaces.map((name) => [name, read(name)] as const).filter(([, list]) => list.length > 0));
}

/** Returns what is wrong with a pod now; null if nothing is. */
export function troubleOf(
  pod: V1Pod,
  troubles: ReadonlyMap<string, readonly Trouble[]>,
  now: Date,
): Trouble["kind"] | null {
  const { name, namespace = "", labels = {}, creationTimestamp } = pod.metadata ?? {};
  const own = (troubles.get(namespace) ?? []).filter((one) => one.app === labels["app"] && (one.pod ?? name) === name);
  // A watch has times as text.
  const age = now.getTime() - new Date(creationTimestamp ?? 0).getTime();
  const containers = pod.status?.containerStatuses ?? [];
  const applies = ({ kind, seconds = 0 }: Trouble) => {
    if (kind === "pull") return containers.every(({ imageID }) => imageID === "");
    return kind !== "slow" || (age < seconds * 1000 && containers.every(({ ready }) => !ready));
  };
  return own.find(applies)?.kind ?? null;
}

const waits = {
  pull: { reason: "ImagePullBackOff", message: "Back-off pulling image: 429 Too Many Requests" },
  exit: { reason: "CrashLoopBackOff", message: "back-off 10s restarting failed container" },
} as const;

/** Reports whether a pod shows its trouble already. */
export function showsTrouble({ status }: V1Pod, kind: Trouble["kind"]): boolean {
  if (kind === "evict") return status?.phase === "Failed";
  const { ready, state } = status?.containerStatuses?.[0] ?? {};
  return ready === false && state?.waiting?.reason === (kind === "slow" ? undefined : waits[kind].reason);
}

/** Returns the status of a pod in trouble; `running` is what it would be if it ran and was not ready. */
export function troubleStatus(
  pod: V1Pod,
  kind: Trouble["kind"],
  running: Pick<V1PodStatus, keyof V1PodStatus>,
  now: Date,
): V1PodStatus {
  if (kind === "slow") return running;
  if (kind === "evict") {
    const lost = { type: "DisruptionTarget", status: "True", reason: "TerminationByKubelet", lastTransitionTime: now };
    const message = "The node was low on resource: memory.";
    return { phase: "Failed", reason: "Evicted", message, conditions: [lost, ...unready(running)] };
  }
  const statuses: readonly Pick<V1ContainerStatus, keyof V1ContainerStatus>[] = running.containerStatuses ?? [];
  const containerStatuses = statuses.map((one) => {
    const waiting = { ...one, started: false, state: { waiting: waits[kind] } };
    if (kind === "pull") return { ...waiting, imageID: "", restartCount: 0, lastState: {} };
    const before = pod.status?.containerStatuses?.find(({ name }) => name === one.name);
    const exit = { exitCode: 1, reason: "Error", message: "no DB_URL", startedAt: now, finishedAt: now };
    return { ...waiting, restartCount: (before?.restartCount ?? 0) + 1, lastState: { terminated: exit } };
  });
  return { ...running, ...(kind === "pull" ? { phase: "Pending" } : {}), containerStatuses };
}

function unready({ conditions = [] }: V1PodStatus) {
  return conditions.filter(({ type }) => type === "Ready" || type === "ContainersReady");
}
