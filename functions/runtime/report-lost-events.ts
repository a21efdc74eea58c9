import type { Cluster, KubernetesEvent } from "../ports/cluster.ts";
import type { Events } from "../ports/events.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { NodePools } from "../ports/node-pools.ts";

/** Writes a warning to the log. */
export type Warn = (message: string, about: object) => void;

/** Runs `emit`, and never fails: it logs and counts a lost event. No update waits for its events. */
export type ReportLoss = (
  sink: "bus" | "kubernetes",
  about: object,
  emit: () => Promise<unknown>,
) => Promise<"written" | "lost">;

export function createLossReporter(metrics: Metrics, warn: Warn): ReportLoss {
  return async (sink, about, emit) => {
    try {
      await emit();
      return "written";
    } catch (error) {
      const { name, message } = error instanceof Error ? error : new Error(String(error));
      metrics.record("pawl_events_lost_total", 1, { sink });
      warn("event lost", { sink, ...about, failure: name, reason: message });
      return "lost";
    }
  };
}

/** Returns the bus with methods that never fail. */
export function reportLostPublishes(events: Events, report: ReportLoss): Events {
  return {
    async publish(type, detail) {
      const about = { type, execution: detail.execution, about: detail.workload };
      await report("bus", about, () => events.publish(type, detail));
    },
    // What is sent once is not noted as sent if it is lost.
    publishCluster: (type, detail) => events.publishCluster(type, detail),
    async publishPool(type, detail) {
      const about = { type, execution: detail.execution, about: detail.nodePool };
      await report("bus", about, () => events.publishPool(type, detail));
    },
  };
}

/** Returns the cluster with a method `emitEvent` that never fails. */
export function reportLostEvents<Port extends Cluster>(cluster: Port, report: ReportLoss): Port {
  return {
    ...cluster,
    async emitEvent(workload, event) {
      await report("kubernetes", describe(event, workload.ref), () => cluster.emitEvent(workload, event));
    },
    async emitFreezeEvent(event) {
      await report("kubernetes", describe(event, { kind: "ConfigMap" }), () => cluster.emitFreezeEvent(event));
    },
  };
}

/** The same for node pools. */
export function reportLostPoolEvents<Port extends NodePools>(nodePools: Port, report: ReportLoss): Port {
  return {
    ...nodePools,
    emitEvent(subject, event) {
      const { name } = subject.kind === "pool" ? subject.pool : subject.node;
      return report("kubernetes", describe(event, { kind: subject.kind, name }), () =>
        nodePools.emitEvent(subject, event),
      );
    },
  };
}

/** The message of an Event ends with the name of its execution. */
function describe({ reason, message }: KubernetesEvent, about: object) {
  return { type: reason, text: message, about };
}
