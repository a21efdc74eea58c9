import { isDeepStrictEqual } from "node:util";
import { invalid, type Flaw } from "../failure.ts";
import { isFields, type Draft, type Fields, type KubeObject } from "../objects.ts";
import { daemonSets, deployments, statefulSets, type Resource } from "../resources.ts";

const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const workloads: ReadonlySet<Resource> = new Set([deployments, statefulSets, daemonSets]);

/** Throws 422 with every flaw that it finds. Covers what Pawl and its tests may get wrong, not the whole of Kubernetes. */
export function validate(resource: Resource, draft: Draft, current: KubeObject | null): void {
  const flaws = [
    ...nameFlaws(draft.metadata?.name ?? ""),
    ...(resource.plural === "events" && resource.group === "" ? eventFlaws(draft) : []),
    ...(workloads.has(resource) ? workloadFlaws(draft) : []),
    ...(current ? immutabilityFlaws(resource, draft, current) : []),
  ];
  if (flaws.length > 0) throw invalid(resource, draft.metadata?.name ?? "", flaws);
}

function nameFlaws(name: string): readonly Flaw[] {
  if (name === "") return [required("metadata.name", "name or generateName is required")];
  if (name.length > 253) return [wrong("metadata.name", `"${name}": must be no more than 253 characters`)];
  if (subdomain.test(name)) return [];
  return [
    wrong(
      "metadata.name",
      `"${name}": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character`,
    ),
  ];
}

function eventFlaws(draft: Draft): readonly Flaw[] {
  const { namespace = draft.metadata?.namespace } = at(draft, "involvedObject") as { readonly namespace?: string };
  if (namespace === draft.metadata?.namespace) return [];
  return [wrong("involvedObject.namespace", `"${namespace}": does not match event.namespace`)];
}

function workloadFlaws(draft: Draft): readonly Flaw[] {
  const selector = at(draft, "spec", "selector", "matchLabels");
  const labels = at(draft, "spec", "template", "metadata", "labels");
  const containers = at(draft, "spec", "template", "spec")["containers"];
  const matches = Object.entries(selector).every(([key, value]) => labels[key] === value);
  const flaws: Flaw[] = [];
  if (Object.keys(at(draft, "spec", "selector")).length === 0) flaws.push(required("spec.selector", ""));
  else if (!matches) flaws.push(wrong("spec.template.metadata.labels", "`selector` does not match template `labels`"));
  if (!Array.isArray(containers) || containers.length === 0) flaws.push(required("spec.template.spec.containers", ""));
  else flaws.push(...(containers as Fields[]).flatMap(containerFlaws));
  return flaws;
}

function containerFlaws(container: Fields, index: number): readonly Flaw[] {
  return ["name", "image"]
    .filter((field) => typeof container[field] !== "string" || container[field] === "")
    .map((field) => required(`spec.template.spec.containers[${index}].${field}`, ""));
}

function immutabilityFlaws(resource: Resource, draft: Draft, current: KubeObject): readonly Flaw[] {
  const before = at(current, "spec");
  const after = at(draft, "spec");
  if (resource === statefulSets) {
    const changed = Object.keys({ ...before, ...after }).filter(
      (field) => !isDeepStrictEqual(before[field], after[field]),
    );
    if (changed.every((field) => ["replicas", "template", "updateStrategy"].includes(field))) return [];
    return [
      forbidden(
        "spec",
        "updates to statefulset spec for fields other than 'replicas', 'template', and 'updateStrategy' are forbidden",
      ),
    ];
  }
  if (!workloads.has(resource) || isDeepStrictEqual(before["selector"], after["selector"])) return [];
  return [wrong("spec.selector", "field is immutable")];
}

/** The object at a path; an empty one where there is none. */
function at(object: Fields, ...path: readonly string[]): Fields {
  return path.reduce<Fields>((inner, key) => (isFields(inner[key]) ? inner[key] : {}), object);
}

function required(field: string, message: string): Flaw {
  return { reason: "FieldValueRequired", message: message ? `Required value: ${message}` : "Required value", field };
}

function wrong(field: string, message: string): Flaw {
  return { reason: "FieldValueInvalid", message: `Invalid value: ${message}`, field };
}

function forbidden(field: string, message: string): Flaw {
  return { reason: "FieldValueForbidden", message: `Forbidden: ${message}`, field };
}
