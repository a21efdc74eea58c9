import { parseImageReference } from "../../../../domain/image/reference.ts";
import { analysisProblems } from "./analysis.ts";
import { type StatefulCanary, templateImage } from "./object.ts";

/** The name of a set and a hash are in a label of each pod, which has at most 63 characters. */
const maxNameLength = 45;

/** Returns all problems of a spec, each with its fix. Nothing is created while there are any. */
export function specProblems(object: StatefulCanary, hooksEnabled: boolean): readonly string[] {
  const { name } = object.metadata;
  return [
    ...(name.length > maxNameLength ? [`metadata.name: is longer than ${maxNameLength} characters`] : []),
    ...replicaProblems(object),
    ...templateProblems(object),
    ...imageProblems("spec.canaryImage", object.spec.canaryImage),
    ...analysisProblems(object),
    ...hookProblems(object, hooksEnabled),
  ];
}

function hookProblems({ spec: { hooks, canaryReplicas, steps } }: StatefulCanary, isEnabled: boolean) {
  if (hooks?.prePromotion === undefined) return [];
  const disabled = "spec.hooks: hooks are not enabled in this deployment; set hooks: true in its configuration";
  const unused = "spec.hooks.prePromotion: there is no canary to promote; set canaryReplicas to 1 or more";
  return [...(isEnabled ? [] : [disabled]), ...(steps === undefined && canaryReplicas === 0 ? [unused] : [])];
}

function replicaProblems({ spec: { totalReplicas: total, canaryReplicas, steps } }: StatefulCanary) {
  if ((steps === undefined) === (canaryReplicas === undefined))
    return ["spec: set either canaryReplicas, of which 0 is no canary, or steps"];
  const canary = canaryReplicas ?? 0;
  if (![total, canary].every((count) => Number.isInteger(count) && count >= 0)) {
    return [`spec: totalReplicas ${total} and canaryReplicas ${canary} must be whole numbers, 0 or more`];
  }
  if (total === 0) return ["spec.totalReplicas 0: must be 1 or more"];
  return canary > total ? [`spec.canaryReplicas ${canary}: is more than totalReplicas ${total}`] : [];
}

function templateProblems(object: StatefulCanary): readonly string[] {
  const { template, updateStrategy } = object.spec.template;
  const first = template?.spec?.containers[0];
  if (first === undefined) return ["spec.template.template.spec.containers: there is no container to run"];
  const path = `spec.template.template.spec.containers[0].image`;
  const problems = [...imageProblems(path, templateImage(object) ?? "")];
  if (updateStrategy?.type === "OnDelete") {
    problems.push("spec.template.updateStrategy.type OnDelete: pods would keep the old image: use RollingUpdate");
  }
  if ((updateStrategy?.rollingUpdate?.partition ?? 0) > 0) {
    problems.push("spec.template.updateStrategy.rollingUpdate.partition: pods below it would keep the old image");
  }
  return problems;
}

function imageProblems(path: string, image: string): readonly string[] {
  const parsed = parseImageReference(image);
  return "kind" in parsed ? [`${path} "${image}": ${parsed.reason}`] : [];
}
