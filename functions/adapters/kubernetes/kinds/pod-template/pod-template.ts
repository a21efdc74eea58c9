import { createHash } from "node:crypto";
import { canonicalTemplate } from "../../../../domain/workload/release/canonical-template.ts";
import { readAnnotations } from "../../../../domain/workload/policy/policy-table.ts";
import type { RawPolicy } from "../../../../domain/workload/policy/raw-policy.ts";
import type { TemplateSnapshot } from "../../../../domain/workload/release/release.ts";
import type { Container, KubernetesObject, PodTemplate } from "../../objects.ts";

/** An object with a pod template; that of a CronJob is inside its Job template. */
export interface BuiltInObject extends KubernetesObject {
  readonly spec: WithPodTemplate | WithJobTemplate;
  /** Not a field of the object: its policy, also from its AutoUpdate. Absent: its annotations are the policy. */
  readonly rawPolicy?: RawPolicy;
}

export interface WithPodTemplate {
  readonly template: PodTemplate;
}

interface WithJobTemplate {
  readonly jobTemplate: { readonly spec: WithPodTemplate };
}

export function rawPolicyOf({ rawPolicy, metadata }: BuiltInObject): RawPolicy {
  return rawPolicy ?? readAnnotations(metadata.annotations ?? {});
}

/** Returns `minReadySeconds` of a workload for its rollout. */
export function minReadyOf({ minReadySeconds = 0 }: { readonly minReadySeconds?: number }) {
  return minReadySeconds > 0 ? { minReadySeconds } : {};
}

export function templateOf({ spec }: BuiltInObject): PodTemplate {
  return "template" in spec ? spec.template : spec.jobTemplate.spec.template;
}

/** Returns the object as if it had this pod template. A CronJob has no revisions to take one from. */
export function withTemplate(object: BuiltInObject, template: PodTemplate): BuiltInObject {
  return { ...object, spec: { ...object.spec, template } };
}

/** Returns a short hash of the pod template, which differs after every change of it. */
export function hashTemplate(object: BuiltInObject): string {
  return createHash("sha256")
    .update(JSON.stringify(templateOf(object)))
    .digest("hex")
    .slice(0, 16);
}

/** Returns a short hash of what a pod template means: the same after a restart, and for the copy in a revision. */
export function hashRelease(template: TemplateSnapshot): string {
  return createHash("sha256").update(canonicalTemplate(template)).digest("hex").slice(0, 16);
}

/** Returns a patch of the spec with this patch of the pod template; null changes nothing. */
export function templatePatch({ spec }: BuiltInObject, template: object | null): object {
  if (template === null) return {};
  return "template" in spec ? { template } : { jobTemplate: { spec: { template } } };
}

/** Init containers come last, so that the first container is a regular one. */
export function allContainers(object: BuiltInObject): readonly Container[] {
  const { containers, initContainers = [] } = templateOf(object).spec;
  return [...containers, ...initContainers];
}

/** Returns a strategic merge patch of containers by name, each in the list that contains it; null without changes. */
export function containersPatch(object: BuiltInObject, changes: ReadonlyMap<string, object>): object | null {
  if (changes.size === 0) return null;
  const { containers, initContainers = [] } = templateOf(object).spec;
  const pick = (list: readonly Container[]) =>
    list.flatMap(({ name }) => (changes.has(name) ? [{ name, ...changes.get(name) }] : []));
  const [own, init] = [pick(containers), pick(initContainers)];
  return { ...(own.length > 0 ? { containers: own } : {}), ...(init.length > 0 ? { initContainers: init } : {}) };
}
