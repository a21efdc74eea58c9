import type { NodeWrite } from "../../../functions/ports/node-pools.ts";
import type { Write } from "../write-proxy.ts";
import { marks } from "./objects.ts";

/** Every write of a rollout by way of a daemon: the steps of nodes, and what is written of the pool and told. */
export type WriteKind =
  | NodeWrite["kind"]
  | "evict"
  | "remember"
  | "event"
  | "claim"
  | "status"
  | "release"
  /** The finalizer, of a pool that is deleted. */
  | "let-go";

interface Body {
  readonly metadata?: {
    readonly annotations?: Readonly<Record<string, string | null>>;
    readonly labels?: Readonly<Record<string, string | null>>;
    readonly finalizers?: readonly string[];
  };
  readonly spec?: Readonly<Record<string, unknown>>;
}

type Said = (body: Body) => boolean;

const annotates =
  (key: string, isSo: (value: string | null) => boolean): Said =>
  ({ metadata: { annotations = {} } = {} }) => {
    const value = annotations[key];
    return value !== undefined && isSo(value);
  };
const isSet = (value: string | null) => value !== null;
const isTaken = (value: string | null) => value === null;
const labels =
  (value: string | null): Said =>
  ({ metadata }) =>
    metadata?.labels?.[marks.managed] === value;
const specifies =
  (field: string, value: unknown): Said =>
  ({ spec }) =>
    spec !== undefined && Object.hasOwn(spec, field) && (value === undefined || spec[field] === value);
const always: Said = () => true;

/** What tells the kinds of one request apart, the first that holds. A kind that Pawl learns falls through. */
const kinds: Readonly<Record<string, readonly (readonly [WriteKind, Said])[]>> = {
  "POST bootcnodes": [["create", always]],
  "DELETE bootcnodes": [["delete", always]],
  "POST pods/eviction": [["evict", always]],
  "POST events": [["event", always]],
  "PATCH bootcnodepools/status": [["status", always]],
  "PATCH bootcnodepools": [
    ["claim", annotates("pawl.dev/execution", isSet)],
    ["let-go", ({ metadata }) => metadata?.finalizers !== undefined],
    ["release", annotates("pawl.dev/execution", isTaken)],
  ],
  "PATCH nodes": [
    ["label", labels("")],
    ["unlabel", labels(null)],
    ["cordon", specifies("unschedulable", true)],
    ["uncordon", specifies("unschedulable", null)],
    ["leave-cordoned", annotates(marks.cordonedFor, isTaken)],
  ],
  "PATCH bootcnodes": [
    ["remember", annotates("pawl.dev/told", isSet)],
    ["take-slot", annotates(marks.slot, isSet)],
    ["free-slot", annotates(marks.slot, isTaken)],
    ["remember-cordon", annotates(marks.wasCordoned, isSet)],
    ["ask", specifies("desiredImage", undefined)],
    ["approve", specifies("desiredImageState", "Booted")],
    ["revoke", specifies("desiredImageState", "Staged")],
    ["restart-drain", annotates("pawl.dev/drain-started", isSet)],
  ],
};

/** What a write does, by what it says; one that is none of them is named by its request. */
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
