import { badRequest } from "../api-errors.ts";
import { isFields, type KubeObject } from "../objects.ts";
import type { Resource } from "../resources.ts";

export type ObjectFilter = (object: KubeObject) => boolean;

type Labels = Readonly<Record<string, string>>;

/** Returns a filter for the objects that match both selectors; an empty selector matches all. Throws 400. */
export function parseSelectors(resource: Resource, labelSelector: string, fieldSelector: string): ObjectFilter {
  const byLabels = splitRequirements(labelSelector).map(parseLabelRequirement);
  const byFields = splitRequirements(fieldSelector).map((text) => parseFieldRequirement(resource, text));
  return (object) =>
    byLabels.every((test) => test(object.metadata.labels ?? {})) && byFields.every((test) => test(object));
}

/** Splits a selector at its commas, except those within the parentheses of a set. */
function splitRequirements(selector: string): readonly string[] {
  return selector
    .split(/,(?![^(]*\))/)
    .map((text) => text.trim())
    .filter((text) => text !== "");
}

function parseLabelRequirement(requirement: string): (labels: Labels) => boolean {
  const set = /^([\w./-]+)\s+(in|notin)\s+\(([^()]*)\)$/.exec(requirement);
  if (set)
    return createSetTest(
      set[1] ?? "",
      set[2] === "in",
      (set[3] ?? "").split(",").map((value) => value.trim()),
    );
  const equality = /^([\w./-]+)\s*(==|=|!=)\s*([\w.-]*)$/.exec(requirement);
  if (equality) return createSetTest(equality[1] ?? "", equality[2] !== "!=", [equality[3] ?? ""]);
  const existence = /^(!?)\s*([\w./-]+)$/.exec(requirement);
  if (existence) return (labels) => Object.hasOwn(labels, existence[2] ?? "") === (existence[1] === "");
  throw badRequest(`unable to parse requirement: ${requirement}`);
}

/** Returns a test for set membership. A missing label is in no set, so `!=` and `notin` match objects without it. */
function createSetTest(key: string, isMember: boolean, values: readonly string[]): (labels: Labels) => boolean {
  return (labels) => values.includes(labels[key] ?? "\0") === isMember;
}

function parseFieldRequirement(resource: Resource, requirement: string): ObjectFilter {
  const [, path = "", operator, value] = /^([^=!]+)(==|=|!=)(.*)$/.exec(requirement) ?? [];
  if (!operator) throw badRequest(`invalid selector: '${requirement}'; can't understand '${requirement}'`);
  const known = ["metadata.name", "metadata.namespace", ...resource.fieldSelectors];
  if (!known.includes(path)) {
    const names = known.map((field) => `"${field}"`).join(", ");
    throw badRequest(`"${path}" is not a known field selector: only ${names}`);
  }
  // Only Events have this one.
  const field = (path === "source" ? "source.component" : path).split(".");
  return (object) => (fieldAt(object, field) === value) === (operator !== "!=");
}

function fieldAt(object: KubeObject, path: readonly string[]): string {
  const value = path.reduce<unknown>((at, key) => (isFields(at) ? at[key] : undefined), object);
  return typeof value === "string" || typeof value === "boolean" ? String(value) : "";
}
