import type { AutoUpdateStatus } from "../../../functions/adapters/kubernetes/auto-update/status/status-fields.ts";
import { restartedAtAnnotation } from "../../../functions/domain/workload/policy/annotations.ts";
import type { PodTemplate } from "../../support/kubectl/objects.ts";
import type { StoredWrite } from "./watch-etcd.ts";
import { writerOf, type ManagedFields } from "./writer.ts";

/** The pod template and the size of a workload. */
export interface WorkloadFact {
  readonly kind: "workload";
  readonly image: string;
  /** Whether Pawl, and nobody since, set the image. */
  readonly isImageByPawl: boolean;
  readonly restartedAt: string | null;
  readonly isRestartByPawl: boolean;
  readonly replicas: number | null;
  readonly isScaledByPawl: boolean;
  /** Of a StatefulSet; 0 if all replicas are updated. */
  readonly partition: number;
}

export interface RecordFact {
  readonly kind: "record";
  readonly status: AutoUpdateStatus;
}

export interface PodFact {
  readonly kind: "pod";
  readonly image: string;
  readonly isReady: boolean;
  readonly isTerminating: boolean;
  readonly isEvicted: boolean;
  /** Of a pod that is not ready: whether it fails by itself, or for what is not its version; null if it is ready, or starts. */
  readonly failure: "own" | "other" | null;
  /** When a container of it exited last, by the clock of its node; null if none has. */
  readonly exitedAt: number | null;
}

/** What the checks need of an object. `gone`: it was deleted. `canary`: the Deployment of a canary exists. */
export type Fact =
  | WorkloadFact
  | RecordFact
  | PodFact
  | { readonly kind: "canary"; readonly image: string }
  | { readonly kind: "gone" };

/** A fact as it was stored. */
export interface Observed {
  readonly at: number;
  readonly revision: number;
  /** The object, such as `pods/web-0`. */
  readonly object: string;
  /** The workload that it belongs to. */
  readonly workload: string;
  readonly fact: Fact;
}

interface StoredObject {
  readonly metadata: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
    readonly managedFields?: ManagedFields;
  };
  readonly spec: {
    readonly targetRef?: { readonly name: string };
    readonly replicas?: number;
    readonly updateStrategy?: { readonly rollingUpdate?: { readonly partition?: number } };
    readonly template?: PodTemplate;
    readonly containers?: readonly { readonly image: string }[];
  };
  readonly status?: AutoUpdateStatus & {
    readonly phase?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly containerStatuses?: readonly {
      readonly state?: { readonly waiting?: { readonly reason?: string } };
      readonly lastState?: { readonly terminated?: { readonly finishedAt?: string } };
    }[];
  };
}

const relevant =
  /^\/registry\/(?:pawl\.dev\/)?(deployments|statefulsets|daemonsets|pods|autoupdates)\/([^/]+)\/([^/]+)$/;

/** Returns the workload and the fact of a write; null if it is about nothing that is checked. A deleted object names no workload. */
export function readFact(
  { key, object }: StoredWrite,
  namespace: string,
): { readonly object: string; readonly workload: string | null; readonly fact: Fact } | null {
  const [, plural, where, name] = relevant.exec(key) ?? [];
  if (plural === undefined || name === undefined || where !== namespace) return null;
  const subject = `${plural}/${name}`;
  if (object === null) return { object: subject, workload: null, fact: { kind: "gone" } };
  const stored = object as StoredObject;
  if (plural === "pods")
    return { object: subject, workload: stored.metadata.labels?.["app"] ?? null, fact: podFact(stored) };
  if (plural === "autoupdates") {
    const fact: RecordFact = { kind: "record", status: stored.status ?? {} };
    return { object: subject, workload: stored.spec.targetRef?.name ?? null, fact };
  }
  const image = imageOf(stored);
  const owner = name.replace(/-canary$/, "");
  return {
    object: subject,
    workload: owner,
    fact: owner === name ? workloadFact(stored, image) : { kind: "canary", image },
  };
}

function workloadFact({ metadata, spec }: StoredObject, image: string): WorkloadFact {
  const isByPawl = (path: readonly string[]) => writerOf(metadata.managedFields ?? [], path) === "pawl";
  const template = ["f:spec", "f:template"];
  return {
    kind: "workload",
    image,
    isImageByPawl: isByPawl([...template, "f:spec", "f:containers", 'k:{"name":"app"}', "f:image"]),
    restartedAt: spec.template?.metadata.annotations?.[restartedAtAnnotation] ?? null,
    isRestartByPawl: isByPawl([...template, "f:metadata", "f:annotations", `f:${restartedAtAnnotation}`]),
    replicas: spec.replicas ?? null,
    isScaledByPawl: isByPawl(["f:spec", "f:replicas"]),
    partition: spec.updateStrategy?.rollingUpdate?.partition ?? 0,
  };
}

function podFact({ metadata, spec, status = {} }: StoredObject): PodFact {
  const { phase, conditions = [], containerStatuses = [] } = status;
  const isReady = conditions.some(({ type, status: value }) => type === "Ready" && value === "True");
  const exits = containerStatuses.flatMap(({ lastState }) => lastState?.terminated?.finishedAt ?? []);
  const isPulling = containerStatuses.some(({ state }) => state?.waiting?.reason === "ImagePullBackOff");
  const hasRun = containerStatuses.length > 0;
  return {
    kind: "pod",
    image: spec.containers?.[0]?.image ?? "",
    isReady,
    isTerminating: metadata.deletionTimestamp !== undefined,
    isEvicted: phase === "Failed",
    failure: isReady || !hasRun ? null : isPulling || phase === "Failed" ? "other" : "own",
    exitedAt: exits.length === 0 ? null : Math.max(...exits.map((one) => Date.parse(one))),
  };
}

function imageOf({ spec }: StoredObject): string {
  return spec.template?.spec.containers[0]?.image ?? "";
}
