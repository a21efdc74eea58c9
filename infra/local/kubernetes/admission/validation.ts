import { isDeepStrictEqual } from "node:util";
import { invalidObject, type FieldError } from "../api-errors.ts";
import { isFields, type KubeObjectInput, type Fields, type KubeObject } from "../objects.ts";
import { daemonSets, deployments, statefulSets, type Resource } from "../resources.ts";

const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const workloads: ReadonlySet<Resource> = new Set([deployments, statefulSets, daemonSets]);

/** Throws 422 with all errors. Implements only the rules that Pawl and its tests can violate. */
export function validateObject(resource: Resource, input: KubeObjectInput, current: KubeObject | null): void {
  const errors = [
    ...validateName(input.metadata?.name ?? ""),
    ...(resource.plural === "events" && resource.group === "" ? validateEvent(input) : []),
    ...(workloads.has(resource) ? validateWorkload(input) : []),
    ...(current ? validateImmutableFields(resource, input, current) : []),
  ];
  if (errors.length > 0) throw invalidObject(resource, input.metadata?.name ?? "", errors);
}

function validateName(name: string): readonly FieldError[] {
  if (name === "") return [required("metadata.name", "name or generateName is required")];
  if (name.length > 253) return [invalidValue("metadata.name", `"${name}": must be no more than 253 characters`)];
  if (subdomain.test(name)) return [];
  return [
    invalidValue(
      "metadata.name",
      `"${name}": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character`,
    ),
  ];
}

/** An Event with `eventTime` has the form of events.k8s.io/v1; the namespace of its object is then checked only if absent. */
function validateEvent(input: KubeObjectInput): readonly FieldError[] {
  if (input["eventTime"]) return validateMicroTimeEvent(input);
  const { namespace = input.metadata?.namespace } = at(input, "involvedObject") as { readonly namespace?: string };
  if (namespace === input.metadata?.namespace) return [];
  return [invalidValue("involvedObject.namespace", `"${namespace}": does not match event.namespace`)];
}

function validateMicroTimeEvent(input: KubeObjectInput): readonly FieldError[] {
  const limits = { reportingComponent: 63 + 253, reportingInstance: 128, action: 128, reason: 128, message: 1024 };
  return Object.entries(limits).flatMap(([field, maxLength]) => {
    const sent = input[field];
    const value = typeof sent === "string" ? sent : "";
    if (value === "" && field !== "message") return [required(field, "")];
    return Buffer.byteLength(value) > maxLength
      ? [invalidValue(field, `can have at most ${maxLength} characters`)]
      : [];
  });
}

function validateWorkload(input: KubeObjectInput): readonly FieldError[] {
  const selector = at(input, "spec", "selector", "matchLabels");
  const labels = at(input, "spec", "template", "metadata", "labels");
  const containers = at(input, "spec", "template", "spec")["containers"];
  const matches = Object.entries(selector).every(([key, value]) => labels[key] === value);
  const errors: FieldError[] = [];
  if (Object.keys(at(input, "spec", "selector")).length === 0) errors.push(required("spec.selector", ""));
  else if (!matches)
    errors.push(invalidValue("spec.template.metadata.labels", "`selector` does not match template `labels`"));
  if (!Array.isArray(containers) || containers.length === 0) errors.push(required("spec.template.spec.containers", ""));
  else errors.push(...(containers as Fields[]).flatMap(validateContainer));
  return errors;
}

function validateContainer(container: Fields, index: number): readonly FieldError[] {
  return ["name", "image"]
    .filter((field) => typeof container[field] !== "string" || container[field] === "")
    .map((field) => required(`spec.template.spec.containers[${index}].${field}`, ""));
}

/** Of a StatefulSet, since Kubernetes 1.33. */
const mutableFields = [
  "replicas",
  "ordinals",
  "template",
  "updateStrategy",
  "revisionHistoryLimit",
  "persistentVolumeClaimRetentionPolicy",
  "minReadySeconds",
];

function validateImmutableFields(
  resource: Resource,
  input: KubeObjectInput,
  current: KubeObject,
): readonly FieldError[] {
  const before = at(current, "spec");
  const after = at(input, "spec");
  if (resource === statefulSets) {
    const changed = Object.keys({ ...before, ...after }).filter(
      (field) => !isDeepStrictEqual(before[field], after[field]),
    );
    if (changed.every((field) => mutableFields.includes(field))) return [];
    const fields = mutableFields.map((field) => `'${field}'`).join(", ");
    return [forbidden("spec", `updates to statefulset spec for fields other than ${fields} are forbidden`)];
  }
  if (!workloads.has(resource) || isDeepStrictEqual(before["selector"], after["selector"])) return [];
  return [invalidValue("spec.selector", "field is immutable")];
}

/** Returns the object at a path, or an empty one. */
function at(object: Fields, ...path: readonly string[]): Fields {
  return path.reduce<Fields>((inner, key) => (isFields(inner[key]) ? inner[key] : {}), object);
}

function required(field: string, message: string): FieldError {
  return { reason: "FieldValueRequired", message: message ? `Required value: ${message}` : "Required value", field };
}

function invalidValue(field: string, message: string): FieldError {
  return { reason: "FieldValueInvalid", message: `Invalid value: ${message}`, field };
}

function forbidden(field: string, message: string): FieldError {
  return { reason: "FieldValueForbidden", message: `Forbidden: ${message}`, field };
}
