import { type KubeConfig, type KubernetesObject, KubernetesObjectApi } from "@kubernetes/client-node";
import { autoUpdateName } from "../../../functions/adapters/kubernetes/auto-update/object.ts";
import { annotations } from "../../../functions/domain/workload/policy/annotations.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import { policyRows, policySource } from "../../workloads/policy-rows.ts";
import type { PolicySetting } from "../detail-model.ts";

/** Of each setting of `policyRows`: its annotation, and its fields in the policy of an AutoUpdate and of a kind of its own. */
const places: Readonly<Record<string, readonly (readonly [annotation: string, ...fields: string[]])[]>> = {
  enabled: [[annotations.autoUpdate, "enabled"]],
  paused: [[annotations.paused, "suspend"]],
  "version constraint": [[annotations.versionConstraint, "versionConstraint"]],
  "tag pattern": [[annotations.tagPattern, "tagPattern"]],
  schedule: [[annotations.schedule, "schedule"]],
  "health timeout": [[annotations.healthTimeout, "healthTimeout"]],
  "rollbacks that open the circuit": [[annotations.maxRollbacks, "maxRollbacks"]],
  canary: [
    [annotations.canarySteps, "canarySteps", "steps"],
    [annotations.canary, "canary", "canaryReplicas"],
  ],
  analysis: [[annotations.canaryAnalysis, "analysis"]],
  "bake time": [[annotations.bakeTime, "bakeTime"]],
  "hook before": [[annotations.hooks, "hooks"]],
  "hook after": [[annotations.hooks, "hooks"]],
  notified: [[annotations.notify, "notify"]],
};

type Written = Readonly<Record<string, unknown>>;

interface Places {
  readonly annotations: Written;
  /** The path of each object that has settings, and its fields. */
  readonly specs: readonly (readonly [path: string, fields: Written])[];
}

/** Returns each setting and where its value is written. Throws the errors of the cluster. */
export async function readPolicySettings(
  kubeConfig: KubeConfig,
  workload: Workload,
): Promise<readonly PolicySetting[]> {
  const written = await readPlaces(KubernetesObjectApi.makeApiClient(kubeConfig), workload);
  return policyRows(workload).map((row) => ({ ...row, from: originOf(row.name, written) ?? "default" }));
}

function originOf(name: string, { annotations: given, specs }: Places): string | null {
  for (const [annotation, ...fields] of places[name] ?? []) {
    for (const [path, spec] of specs) {
      const field = fields.find((one) => isSet(spec[one]));
      if (field !== undefined) return `${path}.${field}`;
    }
    if (isSet(given[annotation])) return annotation;
  }
  // A policy in an AutoUpdate enables by being there.
  return name === "enabled" ? (specs.find(([path]) => path === policyPath)?.[0] ?? null) : null;
}

const policyPath = "spec.policy of the AutoUpdate";

async function readPlaces(api: KubernetesObjectApi, workload: Workload): Promise<Places> {
  const { ref } = workload;
  const object = await read(api, ref.apiVersion, ref.kind, ref);
  const given = object?.metadata?.annotations ?? {};
  if (ref.kind === "Claw")
    return { annotations: given, specs: [["spec.autoUpdate", fieldsOf(object?.spec, "autoUpdate")]] };
  if (ref.kind === "StatefulCanary") return { annotations: given, specs: [["spec", fieldsOf(object, "spec")]] };
  const name = autoUpdateName(ref);
  const record = await read(api, "pawl.dev/v1alpha1", "AutoUpdate", { namespace: ref.namespace, name });
  const suspend: Places["specs"][number] = ["spec of the AutoUpdate", fieldsOf(record, "spec")];
  const isOwners = policySource(workload) === policyPath;
  return {
    annotations: given,
    specs: isOwners ? [[policyPath, fieldsOf(record?.spec, "policy")], suspend] : [suspend],
  };
}

type WithSpec = KubernetesObject & { readonly spec?: Written };

async function read(
  api: KubernetesObjectApi,
  apiVersion: string,
  kind: string,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): Promise<WithSpec | null> {
  try {
    return await api.read<WithSpec>({ apiVersion, kind, metadata: { namespace, name } });
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (code === 404 || code === 403) return null;
    throw error;
  }
}

function fieldsOf(object: object | null | undefined, field: string): Written {
  const found = (object as Written | null | undefined)?.[field];
  return typeof found === "object" && found !== null ? (found as Written) : {};
}

/** A `false` of an AutoUpdate's `suspend` is the default. */
function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "" && value !== false;
}
