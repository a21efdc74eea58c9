import { CoreV1Api, type CoreV1Event, type KubeConfig } from "@kubernetes/client-node";
import { formatRfc3339 } from "../../../functions/domain/text/rfc3339.ts";
import type { WorkloadRef } from "../../../functions/domain/workload/workload.ts";
import type { EventRow } from "../model.ts";

const newest = 50;

/** Reads the Events of an object, newest first; none if they may not be read. */
export async function readEvents(kubeConfig: KubeConfig, { namespace, name, uid }: WorkloadRef): Promise<EventRow[]> {
  const core = kubeConfig.makeApiClient(CoreV1Api);
  try {
    const fieldSelector = `involvedObject.name=${name}`;
    const { items } = await core.listNamespacedEvent({ namespace, fieldSelector, limit: 500 });
    const own = items.filter(({ involvedObject }) => involvedObject.uid === uid);
    const rows = own.map(rowOf).toSorted((one, other) => ((one.at ?? "") < (other.at ?? "") ? 1 : -1));
    return rows.slice(0, newest);
  } catch (error) {
    if ((error as { code?: unknown }).code === 403) return [];
    throw error;
  }
}

function rowOf({ type, reason, message, count, lastTimestamp, eventTime, metadata }: CoreV1Event): EventRow {
  const at = lastTimestamp ?? eventTime ?? metadata.creationTimestamp;
  return {
    type: type ?? "Normal",
    reason: reason ?? "",
    message: message ?? "",
    count: count ?? 1,
    at: at === undefined ? null : formatRfc3339(new Date(at)),
  };
}
