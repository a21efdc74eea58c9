import { annotations, imageUpdaterAnnotations } from "../../../domain/workload/policy/annotations.ts";
import type { Annotations } from "../annotation-codec.ts";
import type { KubernetesObject } from "../objects.ts";
import { type AutoUpdate, type AutoUpdatePolicy, resource } from "./object.ts";
import type { Problem } from "../../../domain/workload/policy/problem.ts";

/** The annotations of a policy, and the fields of `spec.policy` that say the same. */
const fields: Readonly<Record<string, string>> = {
  [annotations.versionConstraint]: "spec.policy.versionConstraint",
  [annotations.tagPattern]: "spec.policy.tagPattern",
  [annotations.schedule]: "spec.policy.schedule",
  [annotations.healthTimeout]: "spec.policy.healthTimeout",
  [annotations.podPause]: "spec.policy.podPause",
  [annotations.maxRollbacks]: "spec.policy.maxRollbacks",
  [annotations.keepReleases]: "spec.policy.keepReleases",
  [annotations.containers]: "spec.policy.containers",
  [annotations.canaryAnalysis]: "spec.policy.analysis",
  [annotations.canary]: "spec.policy.canary",
  [annotations.bakeTime]: "spec.policy.bakeTime",
  [annotations.notify]: "spec.policy.notify",
  [annotations.hooks]: "spec.policy.hooks",
  [annotations.canarySteps]: "spec.policy.canarySteps",
  [annotations.rollbackTo]: "spec.policy.digest.rollbackTo",
  [annotations.restartOnConfigChange]: "spec.policy.restartOnConfigChange",
  [annotations.configDependencies]: "spec.policy.configDependencies",
  [imageUpdaterAnnotations.trackContainers]: "spec.policy.digest.containers",
  [imageUpdaterAnnotations.ignoreContainers]: "spec.policy.digest.ignoreContainers",
  [imageUpdaterAnnotations.trackInitContainers]: "spec.policy.digest.initContainers",
};

/** Returns the annotations that configure a workload: its own, or those that say what `spec.policy` of its AutoUpdate does. */
export function policyAnnotations(object: KubernetesObject, autoUpdate: AutoUpdate | null): Annotations {
  const own = object.metadata.annotations ?? {};
  const { policy, suspend = false } = autoUpdate?.spec ?? {};
  const paused = suspend ? { [annotations.paused]: "true" } : {};
  if (policy === undefined) return { ...own, ...paused };
  const inherited = Object.entries(own).filter(([key]) => fields[key] === undefined && !optIns.includes(key));
  return { ...Object.fromEntries(inherited), ...asAnnotations(policy), ...paused };
}

const optIns: readonly string[] = [
  annotations.autoUpdate,
  annotations.restartOnConfigChange,
  imageUpdaterAnnotations.enabled,
];

function asAnnotations({
  digest,
  containers,
  maxRollbacks,
  keepReleases,
  notify,
  ...policy
}: AutoUpdatePolicy): Annotations {
  const written: Readonly<Record<string, string | undefined>> = {
    [annotations.autoUpdate]: digest?.only ? undefined : "true",
    [annotations.versionConstraint]: policy.versionConstraint,
    [annotations.tagPattern]: policy.tagPattern,
    [annotations.schedule]: policy.schedule,
    [annotations.healthTimeout]: policy.healthTimeout,
    [annotations.podPause]: policy.podPause,
    [annotations.maxRollbacks]: maxRollbacks === undefined ? undefined : String(maxRollbacks),
    [annotations.keepReleases]: keepReleases === undefined ? undefined : String(keepReleases),
    [annotations.containers]: containers?.join(","),
    [annotations.canary]: policy.canary,
    [annotations.canarySteps]: policy.canarySteps && JSON.stringify(policy.canarySteps),
    [annotations.canaryAnalysis]: policy.analysis,
    [annotations.bakeTime]: policy.bakeTime,
    [annotations.notify]: notify?.join(","),
    [annotations.hooks]: policy.hooks && JSON.stringify(policy.hooks),
    [annotations.rollbackTo]: digest?.rollbackTo,
    [annotations.restartOnConfigChange]: policy.restartOnConfigChange ? "true" : undefined,
    [annotations.configDependencies]: policy.configDependencies?.join(","),
    [imageUpdaterAnnotations.enabled]: digest === undefined ? undefined : "true",
    [imageUpdaterAnnotations.trackContainers]: digest?.containers?.join(","),
    [imageUpdaterAnnotations.ignoreContainers]: digest?.ignoreContainers?.join(","),
    [imageUpdaterAnnotations.trackInitContainers]: digest?.initContainers ? "true" : undefined,
  };
  return Object.fromEntries(Object.entries(written).filter(([, value]) => value !== undefined)) as Annotations;
}

/** Names the fields of `spec.policy` in problems of an AutoUpdate that its owner wrote. */
export function nameFields(problems: readonly Problem[], autoUpdate: AutoUpdate | null): readonly Problem[] {
  if (autoUpdate?.spec.policy === undefined) return problems;
  const names = Object.entries(fields).toSorted(([one], [other]) => other.length - one.length);
  const rename = (named: string) => names.reduce((text, [key, field]) => text.replaceAll(key, field), named);
  return problems.map(({ field, code, text }) => ({ field: field && rename(field), code, text: rename(text) }));
}

/** Returns the problem of a workload that opted in twice; none otherwise. */
export function optInConflicts(object: KubernetesObject, autoUpdate: AutoUpdate | null): readonly Problem[] {
  if (autoUpdate?.spec.policy === undefined) return [];
  const own = object.metadata.annotations ?? {};
  const both = optIns.filter((key) => own[key] !== undefined && own[key] !== "false");
  const { kind } = autoUpdate.spec.targetRef;
  return both.map((key) => ({
    field: key,
    code: "TwoOptIns",
    text:
      `${resource.kind} ${autoUpdate.metadata.name} has spec.policy, and ${kind} ${object.metadata.name} has ${key}: ` +
      "both opt in; remove the annotation, or spec.policy",
  }));
}
