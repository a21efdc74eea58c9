import type { Container, KubernetesObject, PodTemplate } from "../objects.ts";

/** An object with pods made of a template; that of a CronJob stands within that of its Jobs. */
export interface BuiltInObject extends KubernetesObject {
  readonly spec: TemplateOfPods | TemplateOfJobs;
}

export interface TemplateOfPods {
  readonly template: PodTemplate;
}

interface TemplateOfJobs {
  readonly jobTemplate: { readonly spec: TemplateOfPods };
}

export function templateOf({ spec }: BuiltInObject): PodTemplate {
  return "template" in spec ? spec.template : spec.jobTemplate.spec.template;
}

/** A patch of the spec that changes this of the template; null changes nothing of it. */
export function inTemplate({ spec }: BuiltInObject, template: object | null): object {
  if (template === null) return {};
  return "template" in spec ? { template } : { jobTemplate: { spec: { template } } };
}

/** Init containers last: what a workload is known by is its first container. */
export function allContainers(object: BuiltInObject): readonly Container[] {
  const { containers, initContainers = [] } = templateOf(object).spec;
  return [...containers, ...initContainers];
}

/** Fields of containers by name, as a strategic merge patch has them: each in the list that its container stands in. */
export function containersPatch(object: BuiltInObject, changes: ReadonlyMap<string, object>): object | null {
  if (changes.size === 0) return null;
  const { containers, initContainers = [] } = templateOf(object).spec;
  const pick = (list: readonly Container[]) =>
    list.flatMap(({ name }) => (changes.has(name) ? [{ name, ...changes.get(name) }] : []));
  const [own, init] = [pick(containers), pick(initContainers)];
  return { ...(own.length > 0 ? { containers: own } : {}), ...(init.length > 0 ? { initContainers: init } : {}) };
}
