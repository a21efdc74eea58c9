import type { ListSteps } from "../../../ports/cluster.ts";
import type { KubernetesApi } from "../api.ts";
import { isForbidden } from "../errors.ts";
import { type ListPosition, nextNamespace, stopAfter } from "../list-position.ts";
import type { KubernetesObject, Resource } from "../objects.ts";
import { createPacker } from "./pack.ts";
import { type CompactAutoUpdate, compactAutoUpdate, expandAutoUpdate } from "./status/compact.ts";
import { autoUpdateName } from "../../../domain/workload/record/auto-update-name.ts";
import { type AutoUpdate, groupOf, resource, autoUpdateKey, type TargetRef } from "./object.ts";

/** The AutoUpdates of a cluster. */
export interface AutoUpdates {
  /** Lists them from this position on. `targets` are the kinds that use AutoUpdates. */
  list(targets: readonly Resource[], position: ListPosition, steps?: ListSteps): Promise<void>;
  /** Returns and removes the one of this target (a `targetKey`), if it has the name for its target; null if there is none. */
  take(key: string): AutoUpdate | null;
  /** Yields and removes those that were not taken, and those with another name. */
  rest(): Iterable<AutoUpdate>;
  /** Reports whether an AutoUpdate with another target has the name of this object's own. */
  isNameTaken(object: KubernetesObject, target: Resource): boolean;
  /** Whether the CRD is installed. */
  readonly isServed: boolean;
  /** The namespaces (null: all) that must not be listed: no update can be decided there. */
  readonly denied: ReadonlyMap<string | null, Error>;
  /** What another process needs to know of them. Plain JSON. */
  state(): AutoUpdatesState;
  /** Yields those that are left, in lines. */
  lines(): Iterable<string>;
  /** Adds one from its line. */
  add(line: string): void;
}

export interface AutoUpdatesState {
  readonly isServed: boolean;
  /** The names of those that have another target. */
  readonly taken: readonly string[];
  /** With the name and the message of the error. */
  readonly denied: readonly (readonly [string | null, string, string])[];
}

/** Creates the AutoUpdates of these namespaces (null: all), none of which is listed yet, or as another process has left them. */
export function createAutoUpdates(
  namespaces: readonly (string | null)[],
  api: KubernetesApi,
  from: AutoUpdatesState = { isServed: false, taken: [], denied: [] },
): AutoUpdates {
  const byTarget = new Map<string, string>();
  const misnamed: string[] = [];
  const packer = createPacker();
  const taken = new Set(from.taken);
  const denied = new Map(from.denied.map(([namespace, name, message]) => [namespace, toError(name, message)]));
  let { isServed } = from;

  function keep(key: string | null, compact: CompactAutoUpdate): void {
    const packed = packer.pack(JSON.stringify(compact));
    if (key === null) misnamed.push(packed);
    else byTarget.set(key, packed);
  }

  const unpack = (packed: string) => JSON.parse(packer.unpack(packed)) as CompactAutoUpdate;

  function keepPage(items: readonly AutoUpdate[], targets: readonly Resource[]): void {
    for (const autoUpdate of items) {
      const { metadata, spec } = autoUpdate;
      const isMisnamed = metadata.name !== autoUpdateName(spec.targetRef);
      if (isMisnamed || !isSupported(spec.targetRef, targets)) taken.add(`${metadata.namespace}/${metadata.name}`);
      keep(isMisnamed ? null : autoUpdateKey(metadata.namespace, spec.targetRef), compactAutoUpdate(autoUpdate));
    }
  }

  return {
    async list(targets, position, steps) {
      for (; position.namespace < namespaces.length; nextNamespace(position, steps)) {
        const namespace = namespaces[position.namespace] as string | null;
        const list = api.list<AutoUpdate>(resource, namespace, () => "full", undefined, undefined, position.page);
        try {
          for await (const page of list) {
            isServed = true;
            keepPage(page.items, targets);
            stopAfter(page, position, steps);
          }
        } catch (error) {
          if (!isForbidden(error)) throw error;
          isServed = true;
          denied.set(namespace, error);
        }
      }
    },
    take(key) {
      const packed = byTarget.get(key);
      byTarget.delete(key);
      return packed === undefined ? null : expandAutoUpdate(unpack(packed));
    },
    *rest() {
      for (let packed = misnamed.shift(); packed !== undefined; packed = misnamed.shift())
        yield expandAutoUpdate(unpack(packed));
      for (const [key, packed] of byTarget) {
        byTarget.delete(key);
        yield expandAutoUpdate(unpack(packed));
      }
    },
    isNameTaken: ({ metadata: { namespace, name } }, { kind }) =>
      taken.has(`${namespace}/${autoUpdateName({ kind, name })}`),
    get isServed() {
      return isServed;
    },
    denied,
    state: () => ({
      isServed,
      taken: [...taken],
      denied: [...denied].map(([namespace, { name, message }]) => [namespace, name, message] as const),
    }),
    *lines() {
      for (const packed of misnamed) yield JSON.stringify([null, unpack(packed)]);
      for (const [key, packed] of byTarget) yield JSON.stringify([key, unpack(packed)]);
    },
    add: (line) => keep(...(JSON.parse(line) as [string | null, CompactAutoUpdate])),
  };
}

function toError(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}

function isSupported({ apiVersion, kind }: TargetRef, targets: readonly Resource[]): boolean {
  return targets.some((target) => target.kind === kind && target.group === groupOf(apiVersion));
}
