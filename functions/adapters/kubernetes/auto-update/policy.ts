import { parseYaml } from "../../../domain/text/parse-yaml.ts";
import { optInFields } from "../../../domain/workload/policy/opt-in.ts";
import { policyTable, readAnnotations, readSpecPolicy } from "../../../domain/workload/policy/policy-table.ts";
import type { Problem } from "../../../domain/workload/policy/problem.ts";
import { compact, lift, type RawPolicy } from "../../../domain/workload/policy/raw-policy.ts";
import type { KubernetesObject } from "../objects.ts";
import { type AutoUpdate, resource } from "./object.ts";

/** Returns the policy of a workload: what its annotations say, or `spec.policy` of its AutoUpdate. Both can pause it. */
export function readRawPolicy({ metadata }: KubernetesObject, autoUpdate: AutoUpdate | null): RawPolicy {
  const { policy, suspend } = autoUpdate?.spec ?? {};
  const own = readAnnotations(metadata.annotations ?? {}, parseYaml);
  const written = policy === undefined ? own : readSpecPolicy(policy);
  return compact({ ...written, paused: lift(suspend, "spec.suspend") ?? own["paused"] });
}

/** Returns the problem of a workload that opted in twice; none otherwise. */
export function optInConflicts(object: KubernetesObject, autoUpdate: AutoUpdate | null): readonly Problem[] {
  if (autoUpdate?.spec.policy === undefined) return [];
  const own = object.metadata.annotations ?? {};
  const optIns = optInFields.map((field) => policyTable[field].annotation);
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
