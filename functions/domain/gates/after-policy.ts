import * as v from "valibot";
import { closedObject, durationSeconds, trimmedText } from "../text/schema.ts";
import { type Validation, validate } from "../text/schema-problems.ts";

/** Another workload in which a version must have been healthy first. */
export interface AfterRule {
  /** The name of a peer of the deployment's cluster; null is the cluster of the workload itself. */
  readonly cluster: string | null;
  /** null is that of the workload itself. */
  readonly namespace: string | null;
  readonly kind: AfterKind;
  readonly name: string;
  readonly soakSeconds: number;
  /** Whether the digest counts, and not only the tag. */
  readonly sameDigest: boolean;
}

/** The kinds whose updates an AutoUpdate records. */
export const afterKinds = ["Deployment", "StatefulSet", "DaemonSet", "CronJob"] as const;
type AfterKind = (typeof afterKinds)[number];

const maxRules = 10;
const maxSoakSeconds = 365 * 86_400;

const rule = v.pipe(
  closedObject({
    cluster: v.nullish(trimmedText("the name of a peer"), null),
    namespace: v.nullish(trimmedText("a namespace"), null),
    kind: v.nullish(v.picklist(afterKinds), "Deployment"),
    name: trimmedText("the name of a workload"),
    soak: durationSeconds(0, maxSoakSeconds),
    sameDigest: v.nullish(v.boolean(), true),
  }),
  v.transform(({ soak, ...others }): AfterRule => ({ ...others, soakSeconds: soak })),
);

const schema = v.pipe(
  v.array(rule),
  v.minLength(1, "a list of workloads"),
  v.maxLength(maxRules, "at most 10 workloads"),
);

/** Parses the workloads in which a version must have been healthy first. */
export function parseAfter(written: unknown): Validation<readonly AfterRule[]> {
  return validate(schema, written, "after");
}

/** Names the workload of a rule as the commands do. `own.cluster` is absent where the rule is that of a workload of this cluster. */
export function upstreamName(
  { cluster, kind, namespace, name }: AfterRule,
  own: { readonly namespace: string; readonly cluster?: string | null },
): string {
  const where = cluster ?? own.cluster ?? null;
  const full = fullName({ kind, namespace: namespace ?? own.namespace, name });
  return where === null ? full : `${full} of cluster ${where}`;
}

/** Names a workload of this cluster as the commands do. */
export function fullName({ kind, namespace, name }: Readonly<Record<"kind" | "namespace" | "name", string>>): string {
  return `${kind.toLowerCase()}/${namespace}/${name}`;
}
