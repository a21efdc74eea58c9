import { setTimeout as pause } from "node:timers/promises";
import type { KubeConfig, V1Node } from "@kubernetes/client-node";
import { createKeyedQueue } from "../control-plane/kubelet/queue.ts";
import { bootcStatus } from "../../../infra/local/kubernetes/controllers/nodes/bootc-agent-machine.ts";
import { bootcApi } from "./api.ts";
import { type Host, reconcile } from "./daemon.ts";
import { type Fault, type Machine, createMachine } from "./machine.ts";
import { bootcPath, type BootcNodeObject, type BootcNodeStatus, metadataKeys } from "./objects.ts";
import { watchKind } from "./watch-kind.ts";

/** The machines of a test, each with a daemon that runs while its Node has the label, like a pod of a DaemonSet. */
export interface Daemons {
  /** Adds a machine that runs `booted`; its Node may be created later. */
  add(name: string, booted: string): void;
  machine(name: string): Machine;
  fault(name: string, fault: Fault): void;
  /** Removes the fault of a machine and its consequences. */
  heal(name: string): void;
  stop(): Promise<void>;
}

interface Options {
  readonly kubeConfig: KubeConfig;
  /** Reports whether the registry has an image; by default it has all. */
  readonly canPull?: (image: string) => Promise<boolean>;
  readonly delayMilliseconds?: number;
}

export function startDaemons({ kubeConfig, canPull = async () => true, delayMilliseconds = 100 }: Options): Daemons {
  const api = bootcApi(kubeConfig);
  const machines = new Map<string, Machine>();
  const nodes = new Map<string, V1Node>();
  const bootcNodes = new Map<string, BootcNodeObject>();
  const enqueue = createKeyedQueue();
  const stopped = new AbortController();
  const running = new Set<Promise<void>>();

  function requeue(name: string): void {
    const machine = machines.get(name);
    if (machine !== undefined) enqueue(name, () => runDaemon(machine));
  }

  async function runDaemon(machine: Machine): Promise<void> {
    if (stopped.signal.aborted) return;
    const reconciled = reconcile(createHost(machine)).catch(report(machine));
    running.add(reconciled);
    await reconciled;
    running.delete(reconciled);
  }

  const report =
    ({ name }: Machine) =>
    (error: unknown) => {
      if (!stopped.signal.aborted) process.stderr.write(`daemon of ${name}: ${String(error)}\n`);
    };

  function createHost(machine: Machine): Host {
    const { name } = machine;
    return {
      machine,
      canPull,
      now: () => performance.now(),
      desired() {
        const isManaged = nodes.get(name)?.metadata?.labels?.[metadataKeys.managed] !== undefined;
        return isManaged ? (bootcNodes.get(name)?.spec ?? null) : null;
      },
      async writeStatus(activity, error) {
        const bootcNode = await api.bootcNode(name);
        if (bootcNode === null) return;
        const { status: before } = bootcNode;
        const status = bootcStatus(machine, activity, error, { before, now: new Date().toISOString() });
        if (!isSameStatus(status, before)) await api.saveStatus(name, status);
      },
      setReady: (isReady) => api.setReady(name, isReady),
      delay: () => pause(delayMilliseconds, undefined, { signal: stopped.signal }),
      requeueAfter: (milliseconds) => void setTimeout(() => requeue(name), milliseconds).unref(),
    };
  }

  const watches = [
    watchKind<V1Node>(kubeConfig, "/api/v1/nodes", {}, cacheChanges(nodes, requeue)),
    watchKind<BootcNodeObject>(kubeConfig, `${bootcPath}/bootcnodes`, {}, cacheChanges(bootcNodes, requeue)),
  ];

  function getMachine(name: string): Machine {
    const machine = machines.get(name);
    if (machine === undefined) throw new Error(`${name}: unknown machine`);
    return machine;
  }

  return {
    add(name, booted) {
      machines.set(name, createMachine(name, booted));
      requeue(name);
    },
    machine: getMachine,
    fault(name, fault) {
      getMachine(name).fault = fault;
    },
    heal(name) {
      Object.assign(getMachine(name), { fault: null, bootedFault: null, failure: null } satisfies Partial<Machine>);
      enqueue(name, () => api.setReady(name, true).catch(report(getMachine(name))));
      requeue(name);
    },
    async stop() {
      stopped.abort();
      for (const watch of watches) watch.stop();
      await Promise.all(running);
    },
  };
}

function cacheChanges<T extends { metadata?: { name?: string } }>(
  cache: Map<string, T>,
  changed: (name: string) => void,
) {
  return ({ type, object }: { type: string; object: T }) => {
    const name = object.metadata?.name ?? "";
    if (type === "DELETED") cache.delete(name);
    else cache.set(name, object);
    changed(name);
  };
}

/** Reports whether two statuses are equal except for their times. */
function isSameStatus(status: BootcNodeStatus, before: BootcNodeStatus = {}): boolean {
  const withoutTimes = ({ booted, staged, rollback, conditions = [] }: BootcNodeStatus) =>
    JSON.stringify([
      ...[booted, staged, rollback].map((entry) => entry?.imageDigest ?? null),
      ...conditions.map(({ type, status: is, reason, message }) => [type, is, reason, message]),
    ]);
  return withoutTimes(status) === withoutTimes(before);
}
