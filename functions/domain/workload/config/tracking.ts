import type { Digests } from "../digest/tracking.ts";
import type { Problem } from "../policy/problem.ts";

/** A ConfigMap or Secret that the pods of a workload use. */
export interface ConfigReference {
  readonly kind: "configmap" | "secret";
  readonly name: string;
  /** The keys that are used; null if all are. */
  readonly keys: readonly string[] | null;
  /** No pod starts without the object, and without these of its keys. */
  readonly isRequired: boolean;
  readonly requiredKeys: readonly string[];
  /** Its owner named it, beside what the pod template uses. */
  readonly isNamed: boolean;
  /** Identifies the object and which of its keys are used: `configmap/web`, `secret/db#1a2b3c4d`. */
  readonly id: string;
}

/** The last content that differed from what was seen before. Plain JSON. */
export interface ConfigChange {
  /** `config:hex`, of all of it. */
  readonly digest: string;
  /** When a poll first saw it. RFC3339, rounded up. */
  readonly since: string;
  /** How often the content has changed, each time within an hour of the time before. */
  readonly count: number;
  /** What differed from what the pods were started with, such as `configmap/web`, at most five. */
  readonly references: readonly string[];
}

/** The configuration whose changes restart a workload, and what is recorded of it. */
export interface ConfigTracking {
  readonly references: readonly ConfigReference[];
  /** Of its digests; null before the first record. */
  readonly salt: string | null;
  /** The digests, by reference, that the pods were last started with. */
  readonly deployed: Digests;
  /** The resourceVersion, by reference, at which the deployed digest was read. */
  readonly versions: Readonly<Record<string, string>>;
  /** Absent before the first change. */
  readonly lastChange?: ConfigChange;
}

/** What one poll observed of the configuration. */
export interface ObservedConfig {
  readonly salt: string;
  readonly digests: Digests;
  readonly versions: Readonly<Record<string, string>>;
  /** `config:hex`: a digest of all of it. */
  readonly digest: string;
  /** One for each reference that cannot be resolved. */
  readonly problems: readonly Problem[];
}

/** What to record of the configuration; an absent field stays unchanged. */
export interface ConfigUpdate {
  readonly salt?: string;
  readonly deployed?: Digests;
  readonly versions?: Readonly<Record<string, string>>;
  readonly lastChange?: ConfigChange;
}

/** Reports whether a digest is that of a reference. No name of a container has a slash. */
function isReference(name: string): boolean {
  return name.includes("/");
}

/** Returns the digests of containers; null if there are none. */
export function containerDigests(digests: Digests | null): Digests | null {
  const own = Object.entries(digests ?? {}).filter(([name]) => !isReference(name));
  return own.length === 0 ? null : Object.fromEntries(own);
}

/** Returns the digests of the configuration; null if there are none. */
export function configDigests(digests: Digests | null): Digests | null {
  const own = Object.entries(digests ?? {}).filter(([name]) => isReference(name));
  return own.length === 0 ? null : Object.fromEntries(own);
}
