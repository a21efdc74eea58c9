import { parseImageReference } from "../../../../domain/image/reference.ts";
import { analysisProblems } from "./analysis.ts";
import { type StatefulCanary, templateImage } from "./object.ts";
import { fieldProblem, type Problem } from "../../../../domain/workload/policy/problem.ts";

/** The name of a set and a hash are in a label of each pod, which has at most 63 characters. */
const maxNameLength = 45;

/** Returns all problems of a spec, each with its fix. Nothing is created while there are any. */
export function specProblems(object: StatefulCanary, hooksEnabled: boolean): readonly Problem[] {
  const { name } = object.metadata;
  return [
    ...(name.length > maxNameLength
      ? [fieldProblem("metadata.name", "TooLong", `is longer than ${maxNameLength} characters`)]
      : []),
    ...replicaProblems(object),
    ...templateProblems(object),
    ...imageProblems("spec.canaryImage", object.spec.canaryImage),
    ...analysisProblems(object),
    ...hookProblems(object, hooksEnabled),
  ];
}

function hookProblems({ spec: { hooks, canaryReplicas, steps } }: StatefulCanary, isEnabled: boolean) {
  if (hooks?.prePromotion === undefined) return [];
  const disabled = fieldProblem(
    "spec.hooks",
    "NotEnabled",
    "hooks are not enabled in this deployment; set hooks: true in its configuration",
  );
  const reason = "there is no canary to promote; set canaryReplicas to 1 or more";
  const unused = fieldProblem("spec.hooks.prePromotion", "InvalidValue", reason);
  return [...(isEnabled ? [] : [disabled]), ...(steps === undefined && canaryReplicas === 0 ? [unused] : [])];
}

function replicaProblems({ spec }: StatefulCanary): readonly Problem[] {
  const { totalReplicas: total, canaryReplicas, steps } = spec;
  if ((steps === undefined) === (canaryReplicas === undefined))
    return [invalid("spec", "set either canaryReplicas, of which 0 is no canary, or steps")];
  const canary = canaryReplicas ?? 0;
  if (![total, canary].every((count) => Number.isInteger(count) && count >= 0)) {
    return [invalid("spec", `totalReplicas ${total} and canaryReplicas ${canary} must be whole numbers, 0 or more`)];
  }
  if (total === 0)
    return [{ field: "spec.totalReplicas", code: "InvalidValue", text: "spec.totalReplicas 0: must be 1 or more" }];
  if (canary <= total) return [];
  const text = `spec.canaryReplicas ${canary}: is more than totalReplicas ${total}`;
  return [{ field: "spec.canaryReplicas", code: "InvalidValue", text }];
}

function templateProblems(object: StatefulCanary): readonly Problem[] {
  const { template, updateStrategy } = object.spec.template;
  const first = template?.spec?.containers[0];
  if (first === undefined) return [invalid("spec.template.template.spec.containers", "there is no container to run")];
  const path = `spec.template.template.spec.containers[0].image`;
  const problems = [...imageProblems(path, templateImage(object) ?? "")];
  if (updateStrategy?.type === "OnDelete") {
    const text = "spec.template.updateStrategy.type OnDelete: pods would keep the old image: use RollingUpdate";
    problems.push({ field: "spec.template.updateStrategy.type", code: "NotSupported", text });
  }
  if ((updateStrategy?.rollingUpdate?.partition ?? 0) > 0) {
    const field = "spec.template.updateStrategy.rollingUpdate.partition";
    problems.push(fieldProblem(field, "NotSupported", "pods below it would keep the old image"));
  }
  return problems;
}

function imageProblems(path: string, image: string): readonly Problem[] {
  const parsed = parseImageReference(image);
  return "kind" in parsed ? [fieldProblem(path, "InvalidValue", parsed.reason, image)] : [];
}

function invalid(field: string, reason: string): Problem {
  return fieldProblem(field, "InvalidValue", reason);
}
