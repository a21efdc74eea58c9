import { badRequest } from "../failure.ts";
import { isFields, type KubeObject } from "../objects.ts";
import type { Resource } from "../resources.ts";

export type Selection = (object: KubeObject) => boolean;

type Labels = Readonly<Record<string, string>>;

/** The objects that both a labelSelector and a fieldSelector choose; an empty one chooses all. */
export function selection(resource: Resource, labelSelector: string, fieldSelector: string): Selection {
  const byLabels = requirements(labelSelector).map(labelTest);
  const byFields = requirements(fieldSelector).map((text) => fieldTest(resource, text));
  return (object) =>
    byLabels.every((test) => test(object.metadata.labels ?? {})) && byFields.every((test) => test(object));
}

/** Commas within parentheses are part of a set, not the end of a requirement. */
function requirements(selector: string): readonly string[] {
  return selector
    .split(/,(?![^(]*\))/)
    .map((text) => text.trim())
    .filter((text) => text !== "");
}

function labelTest(requirement: string): (labels: Labels) => boolean {
  const set = /^([\w./-]+)\s+(in|notin)\s+\(([^()]*)\)$/.exec(requirement);
  if (set)
    return setTest(
      set[1] ?? "",
      set[2] === "in",
      (set[3] ?? "").split(",").map((value) => value.trim()),
    );
  const equality = /^([\w./-]+)\s*(==|=|!=)\s*([\w.-]*)$/.exec(requirement);
  if (equality) return setTest(equality[1] ?? "", equality[2] !== "!=", [equality[3] ?? ""]);
  const existence = /^(!?)\s*([\w./-]+)$/.exec(requirement);
  if (existence) return (labels) => Object.hasOwn(labels, existence[2] ?? "") === (existence[1] === "");
  throw badRequest(`unable to parse requirement: ${requirement}`);
}

/** A label that is missing is in no set, so `!=` and `notin` choose objects that lack it. */
function setTest(key: string, wanted: boolean, values: readonly string[]): (labels: Labels) => boolean {
  return (labels) => values.includes(labels[key] ?? "\0") === wanted;
}

function fieldTest(resource: Resource, requirement: string): Selection {
  const [, path = "", operator, value] = /^([^=!]+)(==|=|!=)(.*)$/.exec(requirement) ?? [];
  if (!operator) throw badRequest(`invalid selector: '${requirement}'; can't understand '${requirement}'`);
  const known = ["metadata.name", "metadata.namespace", ...resource.selectable];
  if (!known.includes(path)) {
    const names = known.map((field) => `"${field}"`).join(", ");
    throw badRequest(`"${path}" is not a known field selector: only ${names}`);
  }
  return (object) => (fieldAt(object, path) === value) === (operator !== "!=");
}

function fieldAt(object: KubeObject, path: string): string {
  const value = path.split(".").reduce<unknown>((at, key) => (isFields(at) ? at[key] : undefined), object);
  return typeof value === "string" || typeof value === "boolean" ? String(value) : "";
}
