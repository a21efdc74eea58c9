import { createHash } from "node:crypto";
import type { ConfigReference } from "../../../domain/workload/config/tracking.ts";
import type { PodTemplate } from "../objects.ts";

/** One place that uses a ConfigMap or Secret. */
export interface ConfigUse {
  readonly kind: ConfigReference["kind"];
  readonly name: string;
  /** null uses all keys. */
  readonly key: string | null;
  readonly isOptional: boolean;
  /** Its owner named it, and no pod template. */
  readonly isNamed?: true;
}

/** `name` is that of a ConfigMap, or of a Secret in an environment or a projected volume; `secretName` that of a Secret's volume. */
interface Source {
  readonly name?: string;
  readonly secretName?: string;
  readonly key?: string;
  readonly items?: readonly { readonly key: string }[];
  readonly optional?: boolean;
}

interface Sources {
  readonly configMap?: Source;
  readonly secret?: Source;
}

interface Volume extends Sources {
  readonly projected?: { readonly sources?: readonly Sources[] };
}

interface Container {
  readonly env?: readonly {
    readonly valueFrom?: { readonly configMapKeyRef?: Source; readonly secretKeyRef?: Source };
  }[];
  readonly envFrom?: readonly { readonly configMapRef?: Source; readonly secretRef?: Source }[];
}

interface PodSpec {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly volumes?: readonly Volume[];
}

/** Returns every use of a ConfigMap or Secret in the environments and volumes of a pod template. */
export function configUses({ spec }: PodTemplate): readonly ConfigUse[] {
  const { containers, initContainers = [], volumes = [] } = spec as PodSpec;
  return [
    ...[...containers, ...initContainers].flatMap(environmentUses),
    ...volumes.flatMap(({ projected, ...volume }) => [volume, ...(projected?.sources ?? [])]).flatMap(volumeUses),
  ];
}

function environmentUses({ env = [], envFrom = [] }: Container): readonly ConfigUse[] {
  return [
    ...env.flatMap(({ valueFrom }) => [
      ...uses("configmap", valueFrom?.configMapKeyRef),
      ...uses("secret", valueFrom?.secretKeyRef),
    ]),
    ...envFrom.flatMap((from) => [...uses("configmap", from.configMapRef), ...uses("secret", from.secretRef)]),
  ];
}

function volumeUses({ configMap, secret }: Sources): readonly ConfigUse[] {
  return [...uses("configmap", configMap), ...uses("secret", secret)];
}

function uses(kind: ConfigUse["kind"], source: Source | undefined): readonly ConfigUse[] {
  const name = source?.name ?? source?.secretName ?? "";
  if (source === undefined || name === "") return [];
  const { key, items, optional: isOptional = false } = source;
  const keys = key === undefined ? items?.map((item) => item.key) : [key];
  return (keys ?? [null]).map((one) => ({ kind, name, key: one, isOptional }));
}

/**
 * Returns the uses by object, sorted. Those of a pod template and those that an owner named are apart, unless both are all keys: the
 * annotation is edited without new pods, which must not hide a change of the keys that they use.
 */
export function mergeUses(all: readonly ConfigUse[]): readonly ConfigReference[] {
  const { named = [], used = [] } = Object.groupBy(all, ({ isNamed }) => (isNamed ? "named" : "used"));
  const merged = Map.groupBy([...byObject(used), ...byObject(named)], ({ id }) => id);
  return [...merged.values()].map(combine).toSorted((a, b) => a.id.localeCompare(b.id));
}

function byObject(all: readonly ConfigUse[]): readonly ConfigReference[] {
  const objects = Map.groupBy(all, ({ kind, name }) => `${kind}/${name}`);
  return [...objects].map(([object, own]) => toReference(object, own));
}

function combine(same: readonly ConfigReference[]): ConfigReference {
  const [first] = same as [ConfigReference, ...ConfigReference[]];
  return {
    ...first,
    isRequired: same.some(({ isRequired }) => isRequired),
    isNamed: same.some(({ isNamed }) => isNamed),
  };
}

function toReference(object: string, own: readonly ConfigUse[]): ConfigReference {
  const [{ kind, name }] = own as [ConfigUse, ...ConfigUse[]];
  const named = own.flatMap(({ key }) => (key === null ? [] : [key]));
  const keys = named.length < own.length ? null : [...new Set(named)].toSorted();
  const required = own.filter(({ isOptional }) => !isOptional);
  const requiredKeys = [...new Set(required.flatMap(({ key }) => key ?? []))].toSorted();
  const id = keys === null ? object : `${object}#${shortHash(keys)}`;
  return {
    kind,
    name,
    keys,
    isRequired: required.length > 0,
    requiredKeys,
    isNamed: own.some((one) => one.isNamed),
    id,
  };
}

/** Digests of other keys are another reference. */
function shortHash(keys: readonly string[]): string {
  return createHash("sha256").update(keys.join("\n")).digest("hex").slice(0, 8);
}
