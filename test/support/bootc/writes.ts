import type { NodeWrite } from "../../../functions/ports/node-pools.ts";
import type { Write } from "../write-proxy.ts";
import { metadataKeys } from "./objects.ts";

/** Every write of a rollout with a daemon and without an analysis: node steps, writes to the pool, and Events. */
export type WriteKind =
  | Exclude<NodeWrite["kind"], "record-analysis">
  | "evict"
  | "record-events"
  | "event"
  | "claim"
  | "status"
  | "release"
  /** Removes the finalizer of a deleted pool. */
  | "remove-finalizer";

interface Body {
  readonly metadata?: {
    readonly annotations?: Readonly<Record<string, string | null>>;
    readonly labels?: Readonly<Record<string, string | null>>;
    readonly finalizers?: readonly string[];
  };
  readonly spec?: Readonly<Record<string, unknown>>;
}

type BodyMatcher = (body: Body) => boolean;

const hasAnnotation =
  (key: string, matches: (value: string | null) => boolean): BodyMatcher =>
  ({ metadata: { annotations = {} } = {} }) => {
    const value = annotations[key];
    return value !== undefined && matches(value);
  };
const isSet = (value: string | null) => value !== null;
const isRemoved = (value: string | null) => value === null;
const labels =
  (value: string | null): BodyMatcher =>
  ({ metadata }) =>
    metadata?.labels?.[metadataKeys.managed] === value;
const hasSpecField =
  (field: string, value: unknown): BodyMatcher =>
  ({ spec }) =>
    spec !== undefined && Object.hasOwn(spec, field) && (value === undefined || spec[field] === value);
const always: BodyMatcher = () => true;

/** The kinds of writes by request; the first matcher decides. New kinds of writes match nothing. */
const kinds: Readonly<Record<string, readonly (readonly [WriteKind, BodyMatcher])[]>> = {
  "POST bootcnodes": [["create", always]],
  "DELETE bootcnodes": [["delete", always]],
  "POST pods/eviction": [["evict", always]],
  "POST events": [["event", always]],
  "PATCH bootcnodepools/status": [["status", always]],
  "PATCH bootcnodepools": [
    ["claim", hasAnnotation("pawl.dev/execution", isSet)],
    ["remove-finalizer", ({ metadata }) => metadata?.finalizers !== undefined],
    ["release", hasAnnotation("pawl.dev/execution", isRemoved)],
  ],
  "PATCH nodes": [
    ["label", labels("")],
    ["unlabel", labels(null)],
    ["cordon", hasSpecField("unschedulable", true)],
    ["uncordon", hasSpecField("unschedulable", null)],
    ["protect", hasAnnotation(metadataKeys.protectedFor, isSet)],
    ["unprotect", hasAnnotation(metadataKeys.protectedFor, isRemoved)],
    ["leave-cordoned", hasAnnotation(metadataKeys.cordonedFor, isRemoved)],
  ],
  "PATCH bootcnodes": [
    ["record-events", hasAnnotation("pawl.dev/emitted-events", isSet)],
    ["acquire-slot", hasAnnotation(metadataKeys.slot, isSet)],
    ["release-slot", hasAnnotation(metadataKeys.slot, isRemoved)],
    ["record-cordon", hasAnnotation(metadataKeys.wasCordoned, isSet)],
    ["request-image", hasSpecField("desiredImage", undefined)],
    ["approve", hasSpecField("desiredImageState", "Booted")],
    ["revoke", hasSpecField("desiredImageState", "Staged")],
    ["record-boot", hasAnnotation("pawl.dev/image-booted-at", isSet)],
    ["restart-drain", hasAnnotation("pawl.dev/drain-started-at", isSet)],
    ["record-block", hasAnnotation("pawl.dev/drain-blocked-by", () => true)],
  ],
};

/** Returns the kind of a write by its body; an unknown write is named by its request. */
export function kindOfWrite({ method, path, body }: Write): string {
  const request = `${method} ${resourceOf(path)}`;
  const found = kinds[request]?.find(([, isSaid]) => isSaid(body ?? {}));
  return found === undefined ? `${request} ${JSON.stringify(body)}` : found[0];
}

function resourceOf(path: string): string {
  const [, plural = "", , subresource] =
    /^\/(?:api|apis\/[^/]+)\/[^/]+(?:\/namespaces\/[^/]+)?\/([^/?]+)(?:\/([^/?]+))?(?:\/([^/?]+))?/.exec(path) ?? [];
  return subresource === undefined ? plural : `${plural}/${subresource}`;
}
