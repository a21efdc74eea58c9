import { createHash } from "node:crypto";
import { hostname } from "node:os";
import { type CoreV1Event, V1MicroTime } from "@kubernetes/client-node";
import { trimEnd } from "../../domain/text/trim-end.ts";
import type { KubernetesEvent } from "../../ports/cluster.ts";
import type { CoreApi } from "./core-api.ts";
import { isStatus } from "./errors.ts";

/** The object that an Event is about. */
export interface EventSubject {
  readonly apiVersion: string;
  readonly kind: string;
  /** Absent for cluster-scoped objects: their Events are in the namespace `default`. */
  readonly namespace?: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
}

/** `source.component`: the value of the field selector `source`. */
const component = "pawl";
const reportingController = "pawl.dev/controller";
/** As client-go names it: the component, then the host. The API server allows 128 characters. */
const reportingInstance = `${component}-${hostname()}`.slice(0, 128);

/** What Pawl was doing when it emitted an Event of this reason: `action`, which the API server requires next to `eventTime`. */
export const eventActions: Readonly<Record<string, string>> = {
  AutoUpdateAvailable: "CheckForUpdate",
  AutoUpdateHeld: "CheckForUpdate",
  AutoUpdateBackOff: "ApplyUpdate",
  AutoUpdateProblem: "CheckForUpdate",
  AutoUpdateRecordsReset: "CheckForUpdate",
  AutoUpdateConfigChangesOften: "CheckForUpdate",
  AutoUpdateOwner: "CheckForUpdate",
  AutoUpdateAudit: "RecordAudit",
  AutoUpdateFreeze: "RecordAudit",
  AutoUpdateStarting: "ApplyUpdate",
  AutoUpdateReapplied: "ApplyUpdate",
  AutoUpdateHookSucceeded: "RunHook",
  AutoUpdateHookFailed: "RunHook",
  AutoUpdateCanaryPaused: "StartCanary",
  AutoUpdateCanaryPromoted: "PromoteCanary",
  AutoUpdateCommitted: "SyncUpdate",
  AutoUpdateProposed: "SyncUpdate",
  AutoUpdateSyncSlow: "SyncUpdate",
  AutoUpdateComplete: "CheckReadiness",
  AutoUpdateRollback: "RollBack",
  AutoUpdateWithdrawn: "RollBack",
  AutoUpdateSlow: "CheckReadiness",
  AutoUpdateSuperseded: "ApplyUpdate",
  AutoUpdateCircuitOpen: "OpenCircuit",
  ImageUpdateAvailable: "CheckForUpdate",
  TagResolutionError: "CheckForUpdate",
  InvalidSpec: "CheckForUpdate",
  SecretError: "ReconcileNodes",
  RolloutStarted: "ReconcileNodes",
  RolloutCompleted: "ReconcileNodes",
  RolloutPaused: "ReconcileNodes",
  RolloutHalted: "ReconcileNodes",
  RolledBack: "ReconcileNodes",
  SettingIgnored: "CheckForUpdate",
  NodeDegraded: "ReconcileNodes",
  NodeConflict: "ReconcileNodes",
  Healthy: "ReconcileNodes",
  Staging: "StageImage",
  Staged: "StageImage",
  Rebooting: "RebootNode",
  Idle: "ReleaseSlot",
  DrainTakingTooLong: "DrainNode",
  EvictionRefused: "DrainNode",
  DrainFailed: "DrainNode",
  DrainForced: "DrainNode",
};

/** Limit of the API server for Events with `eventTime`, in bytes of UTF-8. */
const maxMessageBytes = 1024;

type EmitKubernetesEvent = (subject: EventSubject, event: KubernetesEvent) => Promise<void>;

/**
 * Returns a function that writes Events to the core API, in the form of events.k8s.io/v1: with `eventTime`, and without the
 * deprecated `firstTimestamp`, `lastTimestamp` and `count`. kubectl prefers `lastTimestamp`, which has no fraction of a second.
 */
export function createEventEmitter(core: Pick<CoreApi, "createEvent">, now: () => Date): EmitKubernetesEvent {
  const nextEventTime = createEventClock(now);
  return async (subject, event) => {
    const body = toCoreEvent(subject, event, nextEventTime());
    const namespace = subject.namespace ?? "default";
    try {
      await core.createEvent(namespace, body);
    } catch (error) {
      // With `eventTime` the API server validates more. Kubernetes 1.20 accepts it for cluster-scoped objects only in kube-system.
      if (!isStatus(error, 422)) throw error;
      await core.createEvent(namespace, withDeprecatedTimes(body));
    }
  };
}

function withDeprecatedTimes({ eventTime: time, ...event }: CoreV1Event): CoreV1Event {
  return time === undefined ? event : { ...event, firstTimestamp: time, lastTimestamp: time, count: 1 };
}

/** The name is a hash of object, reason and key, so that an Event that is emitted again already exists. */
function toCoreEvent(subject: EventSubject, event: KubernetesEvent, eventTime: V1MicroTime): CoreV1Event {
  const { type, reason, message, key } = event;
  const { name, namespace, uid } = subject;
  const id = createHash("sha256").update([uid, reason, key].join("\n")).digest("hex").slice(0, 16);
  return {
    metadata: { name: `${trimEnd(name.slice(0, 200), "-.")}.${id}`, namespace: namespace ?? "default" },
    involvedObject: objectReference(subject),
    type,
    reason,
    message: truncateToBytes(message, maxMessageBytes),
    action: eventActions[reason] ?? reason,
    eventTime,
    reportingComponent: reportingController,
    reportingInstance,
    source: { component },
  };
}

/** Drops the last character if the limit is within it. */
function truncateToBytes(text: string, maxBytes: number): string {
  return new TextDecoder().decode(Buffer.from(text).subarray(0, maxBytes), { stream: true });
}

function objectReference({ apiVersion, kind, namespace, name, uid, resourceVersion }: EventSubject) {
  const known = { ...(uid === "" ? {} : { uid }), ...(resourceVersion === "" ? {} : { resourceVersion }) };
  return { apiVersion, kind, ...(namespace === undefined ? {} : { namespace }), name, ...known };
}

/** Returns the time in microseconds, each time a later one: what is emitted within one millisecond keeps its order. */
function createEventClock(now: () => Date): () => V1MicroTime {
  let latest = 0;
  return () => {
    latest = Math.max(now().getTime() * 1000, latest + 1);
    return microTime(latest);
  };
}

/** A `MicroTime` from microseconds since the epoch; the client's own has milliseconds only. */
function microTime(microseconds: number): V1MicroTime {
  const time = new V1MicroTime(Math.floor(microseconds / 1000));
  const text = time.toISOString().replace(/\d{3}Z$/, `${String(microseconds % 1000).padStart(3, "0")}Z`);
  return Object.assign(time, { toISOString: () => text });
}
