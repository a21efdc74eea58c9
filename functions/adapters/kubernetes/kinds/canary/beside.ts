import { annotations } from "../../../../domain/workload/policy/annotations.ts";
import { textOf } from "../../../../domain/workload/policy/raw-policy.ts";
import { canaryReplicas } from "../../../../domain/workload/canary/size.ts";
import type { Container, ObjectMeta } from "../../objects.ts";
import type { Canary } from "./canary-strategy.ts";
import { updatedContainers } from "../pod-template/container.ts";
import { rawPolicyOf } from "../pod-template/pod-template.ts";
import type { Deployment } from "../built-in/deployment-rollout.ts";

/** The Deployments beside a workload: its canary, and the baseline of that. */
export const roles = ["canary", "baseline"] as const;
export type Role = (typeof roles)[number];

/** Only the pods of a role have this label; Services select them together with the other pods. */
const roleLabel = "pawl.dev/role";

/** Returns the role of an object, or a pod, beside a Deployment: the selector of that matches its pods too. null if it has none. */
export function roleOf({ labels = {} }: Pick<ObjectMeta, "labels">): Role | null {
  return roles.find((role) => labels[roleLabel] === role) ?? null;
}

/** Returns the name of the Deployment that an object is beside; null if it is of no role. */
export function ownerNameOf(metadata: ObjectMeta): string | null {
  const suffix = `-${roleOf(metadata)}`;
  return roleOf(metadata) !== null && metadata.name.endsWith(suffix) ? metadata.name.slice(0, -suffix.length) : null;
}

/** Returns the name of the canary of a Deployment, or of its baseline. */
export function nameBeside({ name }: { readonly name: string }, role: Role): string {
  return `${name}-${role}`;
}

export function selectorOf({ selector }: Deployment["spec"], role: Role) {
  return { ...selector, matchLabels: { ...selector.matchLabels, [roleLabel]: role } };
}

/** Returns the Deployment of a role: a copy of its owner with another image, size and name, and one more label. */
export function buildBeside(object: Deployment, role: Role, { image, size }: Canary): object {
  const { name, uid, namespace, labels } = object.metadata;
  const { template, ...rest } = object.spec;
  const chosen = textOf(rawPolicyOf(object)["containers"]);
  const moving = new Set(updatedContainers(object).map((one) => one.name));
  const moved = (one: Container) => (moving.has(one.name) ? { ...one, image } : one);
  const { containers, initContainers } = template.spec;
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: {
      name: nameBeside(object.metadata, role),
      namespace,
      labels: { ...labels, [roleLabel]: role },
      ...(chosen === undefined ? {} : { annotations: { [annotations.containers]: chosen } }),
      ownerReferences: [{ apiVersion: "apps/v1", kind: "Deployment", name, uid }],
    },
    spec: {
      ...rest,
      replicas: canaryReplicas(size, object.spec.replicas ?? 1),
      selector: selectorOf(object.spec, role),
      template: {
        ...template,
        metadata: { ...template.metadata, labels: { ...template.metadata?.labels, [roleLabel]: role } },
        spec: {
          ...template.spec,
          containers: containers.map(moved),
          ...(initContainers === undefined ? {} : { initContainers: initContainers.map(moved) }),
        },
      },
    },
  };
}
