import { setTimeout as pause } from "node:timers/promises";
import type { KubeConfig, V1Node } from "@kubernetes/client-node";
import { queueByKey } from "../control-plane/kubelet/queue.ts";
import { bootcApi } from "./api.ts";
import { type Host, turn } from "./daemon.ts";
import { type Fault, type Machine, machineOf } from "./machine.ts";
import { bootcPath, type BootcNodeObject, type BootcNodeStatus, type Condition, marks } from "./objects.ts";
import { watchKind } from "./watch-kind.ts";

/** Every machine of a lab, with the daemon that runs on each while its Node bears the label, as a DaemonSet would have it. */
export interface Daemons {
  /** A machine that runs `booted`; its Node need not be there yet. */
  add(name: string, booted: string): void;
  machine(name: string): Machine;
  fault(name: string, fault: Fault): void;
  /** Mends what is wrong with a machine, and what it came to. */
  heal(name: string): void;
  stop(): Promise<void>;
}

interface Options {
  readonly kubeConfig: KubeConfig;
  /** Whether the registry has an image; by default it has all. */
  readonly pulls?: (image: string) => Promise<boolean>;
  readonly momentMilliseconds?: number;
}

export function startDaemons({ kubeConfig, pulls = async () => true, momentMilliseconds = 100 }: Options): Daemons {
  const api = bootcApi(kubeConfig);
  const machines = new Map<string, Machine>();
  const nodes = new Map<string, V1Node>();
  const bootcNodes = new Map<string, BootcNodeObject>();
  const enqueue = queueByKey();
  const stopped = new AbortController();
  const saying = new Set<Promise<void>>();

  function wake(name: string): void {
    const machine = machines.get(name);
    if (machine !== undefined) enqueue(name, () => turnOf(machine));
  }

  async function turnOf(machine: Machine): Promise<void> {
    if (stopped.signal.aborted) return;
    const turned = turn(hostOf(machine)).catch(report(machine));
    saying.add(turned);
    await turned;
    saying.delete(turned);
  }

  const report =
    ({ name }: Machine) =>
    (error: unknown) => {
      if (!stopped.signal.aborted) process.stderr.write(`daemon of ${name}: ${String(error)}\n`);
    };

  function hostOf(machine: Machine): Host {
    const { name } = machine;
    return {
      machine,
      pulls,
      now: () => performance.now(),
      asked() {
        const isManaged = nodes.get(name)?.metadata?.labels?.[marks.managed] !== undefined;
        return isManaged ? (bootcNodes.get(name)?.spec ?? null) : null;
      },
      async say(status) {
        const now = await api.bootcNode(name);
        if (now !== null && !isSaid(status, now.status)) await api.saveStatus(name, dated(status, now.status));
      },
      setReady: (isReady) => api.setReady(name, isReady),
      moment: () => pause(momentMilliseconds, undefined, { signal: stopped.signal }),
      wakeAfter: (milliseconds) => void setTimeout(() => wake(name), milliseconds).unref(),
    };
  }

  const watches = [
    watchKind<V1Node>(kubeConfig, "/api/v1/nodes", {}, keepIn(nodes, wake)),
    watchKind<BootcNodeObject>(kubeConfig, `${bootcPath}/bootcnodes`, {}, keepIn(bootcNodes, wake)),
  ];

  function machineNamed(name: string): Machine {
    const machine = machines.get(name);
    if (machine === undefined) throw new Error(`there is no machine ${name}`);
    return machine;
  }

  return {
    add(name, booted) {
      machines.set(name, machineOf(name, booted));
      wake(name);
    },
    machine: machineNamed,
    fault(name, fault) {
      machineNamed(name).fault = fault;
    },
    heal(name) {
      Object.assign(machineNamed(name), { fault: null, bootedFault: null, failure: null } satisfies Partial<Machine>);
      enqueue(name, () => api.setReady(name, true).catch(report(machineNamed(name))));
      wake(name);
    },
    async stop() {
      stopped.abort();
      for (const watch of watches) watch.stop();
      await Promise.all(saying);
    },
  };
}

function keepIn<T extends { metadata?: { name?: string } }>(cache: Map<string, T>, changed: (name: string) => void) {
  return ({ type, object }: { type: string; object: T }) => {
    const name = object.metadata?.name ?? "";
    if (type === "DELETED") cache.delete(name);
    else cache.set(name, object);
    changed(name);
  };
}

/** Whether that is what stands there, but for the times. */
function isSaid(status: BootcNodeStatus, before: BootcNodeStatus = {}): boolean {
  const bare = ({ booted, staged, rollback, conditions = [] }: BootcNodeStatus) =>
    JSON.stringify([
      ...[booted, staged, rollback].map((entry) => entry?.imageDigest ?? null),
      ...conditions.map(({ type, status: is, reason, message }) => [type, is, reason, message]),
    ]);
  return bare(status) === bare(before);
}

/** A condition keeps its time while it does not change between True and False. */
function dated({ conditions = [], ...status }: BootcNodeStatus, before: BootcNodeStatus = {}): BootcNodeStatus {
  const now = new Date().toISOString();
  const since = ({ type, status: is }: Condition) =>
    before.conditions?.find((one) => one.type === type && one.status === is)?.lastTransitionTime ?? now;
  return { ...status, conditions: conditions.map((one) => ({ ...one, lastTransitionTime: since(one) })) };
}
